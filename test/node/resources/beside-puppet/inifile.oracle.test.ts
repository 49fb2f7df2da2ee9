import { applyBoth, liveAnswers } from './apply-both.ts'
import { type ApplyCase, refused } from './apply-case.ts'

const ini = `; a comment
global = 1

[one]
a = 1
  indented=2
#c = 3
; d : 4

[two]
b=2
list = "-Xmx512m -Xms64m"
plain = a,b,c

[empty]
[last]
e = caf\xc3\xa9  `

/** A resource for each row, with a file of its own: a name, what is in the file, attributes. */
type Row = readonly [name: string, content: string | undefined, attributes: string]

const settings: readonly Row[] = [
  ['change', ini, "section => 'one', setting => 'a', value => '2'"],
  ['same', ini, "section => 'one', setting => 'a', value => ' 1 '"],
  ['new', ini, "section => 'one', setting => 'n', value => 'x'"],
  ['global', ini, "setting => 'global', value => '2'"],
  ['global-new', ini, "setting => 'n', value => 5"],
  ['global-of-empty', undefined, "setting => 'n', value => true"],
  ['global-before', '[one]\na=1\n', "setting => 'n', value => 'x'"],
  ['section-new', ini, "section => 'three', setting => 'n', value => 'x'"],
  ['section-missing-file', undefined, "section => 'three', setting => 'n', value => 'x'"],
  ['section-after-global', 'a = 1\n', "section => 'three', setting => 'n', value => 'x'"],
  ['section-not-made', ini, "section => 'three', setting => 'n', value => 'x', force_new_section_creation => false"],
  ['indented', ini, "section => 'one', setting => 'indented', value => '3'"],
  ['commented', ini, "section => 'one', setting => 'c', value => 'x'"],
  ['commented-otherwise', ini, "section => 'one', setting => 'd', value => 'x'"],
  ['commented-colon', ini, "section => 'one', setting => 'd', value => 'x', key_val_separator => ' : '"],
  ['separator', ini, "section => 'two', setting => 'n', value => 'x', key_val_separator => '='"],
  ['separator-blank', 'key value\nother  thing\n', "setting => 'other', value => 'x', key_val_separator => ' '"],
  ['separator-blank-new', 'key value\n', "setting => 'n', value => 'x', key_val_separator => ' '"],
  ['separator-colon', 'key: value\n', "setting => 'key', value => 'x', key_val_separator => ': '"],
  ['separator-pattern', 'key += value\n', "setting => 'key', value => 'x', key_val_separator => ' \\\\+= '"],
  ['empty-section', ini, "section => 'empty', setting => 'n', value => 'x'"],
  ['last', ini, "section => 'last', setting => 'e', value => 'thé'"],
  ['last-same', ini, "section => 'last', setting => 'e', value => 'café'"],
  ['blanks-at-end', '[one]\na = 1\n\n\n', "section => 'one', setting => 'n', value => 'x'"],
  ['deep-indent', '[one]\n    a = 1\n   b = 2\n', "section => 'one', setting => 'n', value => 'x'"],
  [
    'tabs',
    '[one]\n\ta = 1\n',
    "section => 'one', setting => 'n', value => 'x', indent_char => \"\\t\", indent_width => 2",
  ],
  ['indent-none', '[one]\n    a = 1\n', "section => 'one', setting => 'n', value => 'x', indent_width => 0"],
  [
    'prefix',
    '<one>\na = 1\n',
    "section => 'one', setting => 'a', value => 'x', section_prefix => '<', section_suffix => '>'",
  ],
  [
    'prefix-new',
    '-- one --\na = 1\n',
    "section => 'two', setting => 'a', value => 'x', section_prefix => '-- ', section_suffix => ' --'",
  ],
  ['absent', ini, "ensure => absent, section => 'one', setting => 'a'"],
  ['absent-last-of-section', '[one]\na = 1\n[two]\nb = 2\n', "ensure => absent, section => 'one', setting => 'a'"],
  ['absent-leaves-comment', '[one]\n# c\na = 1\n', "ensure => absent, section => 'one', setting => 'a'"],
  ['absent-none', ini, "ensure => absent, section => 'one', setting => 'none'"],
  ['absent-no-section', ini, "ensure => absent, section => 'none', setting => 'none'"],
  ['absent-no-file', undefined, "ensure => absent, section => 'none', setting => 'none'"],
  ['absent-global', 'a = 1\n', "ensure => absent, setting => 'a'"],
  ['section-only', ini, "section => 'three'"],
  ['section-only-there', ini, "section => 'two'"],
  ['section-only-absent', ini, "ensure => absent, section => 'two'"],
  ['no-value', ini, "section => 'one', setting => 'a'"],
  ['no-value-new', ini, "section => 'one', setting => 'n'"],
  ['empty-value', '[one]\na =\n', "section => 'one', setting => 'a', value => ''"],
  ['names-with-blanks', '[a b]\nsome key = 1\n', "section => 'a b', setting => 'some key', value => 'x'"],
  ['windows', '[one]\r\na = 1\r\n', "section => 'one', setting => 'a', value => 'x'"],
  ['unended', '[one]\na = 1', "section => 'one', setting => 'n', value => 'x'"],
  ['equals-in-value', '[one]\na = b=c\n', "section => 'one', setting => 'a', value => 'd=e'"],
  ['not-unicode', '[one]\na = caf\xe9\n', "section => 'one', setting => 'a', value => 'x'"],
  ['hidden', ini, "section => 'one', setting => 'a', value => 'new', show_diff => false"],
  ['hashed', ini, "section => 'one', setting => 'a', value => 'new', show_diff => md5"],
  ['sensitive', ini, "section => 'one', setting => 'a', value => Sensitive('secret-word')"],
  ['sensitive-new', ini, "section => 'one', setting => 'n', value => Sensitive('secret-word')"],
  ['refresh-only', ini, "section => 'one', setting => 'a', value => 'new', refreshonly => true"],
]

const parts: readonly Row[] = [
  ['change', ini, "section => 'two', setting => 'list', subsetting => '-Xmx', value => '1g'"],
  ['same', ini, "section => 'two', setting => 'list', subsetting => '-Xmx', value => '512m'"],
  ['new', ini, "section => 'two', setting => 'list', subsetting => '-Xss', value => '1m'"],
  ['start', ini, "section => 'two', setting => 'list', subsetting => '-Xss', value => '1m', insert_type => start"],
  [
    'before',
    ini,
    "section => 'two', setting => 'list', subsetting => '-Xss', insert_type => before, insert_value => '-Xms'",
  ],
  [
    'before-none',
    ini,
    "section => 'two', setting => 'list', subsetting => '-Xss', insert_type => before, insert_value => 'z'",
  ],
  [
    'after',
    ini,
    "section => 'two', setting => 'list', subsetting => '-Xss', insert_type => after, insert_value => '-Xmx'",
  ],
  ['index', ini, "section => 'two', setting => 'list', subsetting => '-Xss', insert_type => index, insert_value => 1"],
  [
    'index-behind',
    ini,
    "section => 'two', setting => 'list', subsetting => '-Xss', insert_type => index, insert_value => '-2'",
  ],
  [
    'index-far',
    ini,
    "section => 'two', setting => 'list', subsetting => '-Xss', insert_type => index, insert_value => 9",
  ],
  ['comma', ini, "section => 'two', setting => 'plain', subsetting => 'd', subsetting_separator => ','"],
  [
    'exact',
    ini,
    "section => 'two', setting => 'plain', subsetting => 'b', subsetting_separator => ',', use_exact_match => true",
  ],
  [
    'exact-new',
    'l = ab,c\n',
    "setting => 'l', subsetting => 'a', subsetting_separator => ',', use_exact_match => true",
  ],
  [
    'exact-absent',
    ini,
    "ensure => absent, section => 'two', setting => 'plain', subsetting => 'b', subsetting_separator => ',', use_exact_match => true",
  ],
  ['absent', ini, "ensure => absent, section => 'two', setting => 'list', subsetting => '-Xms'"],
  ['absent-none', ini, "ensure => absent, section => 'two', setting => 'list', subsetting => '-Xss'"],
  ['absent-last', 'l = a\nm = b\n', "ensure => absent, setting => 'l', subsetting => 'a'"],
  [
    'absent-last-deleted',
    'l = a\nm = b\n',
    "ensure => absent, setting => 'l', subsetting => 'a', delete_if_empty => true",
  ],
  ['quoted', 'l = a\n', "setting => 'm', subsetting => 'x', value => 'y', quote_char => '\"'"],
  ['quoted-there', "l = 'a b'\n", "setting => 'l', subsetting => 'c', quote_char => '\"'"],
  [
    'key-value',
    'l = a:1 b:2\n',
    "setting => 'l', subsetting => 'b', value => '3', subsetting_key_val_separator => ':'",
  ],
  ['several', 'l = a1 b a2\n', "setting => 'l', subsetting => 'a', value => '3'"],
  ['missing-section', ini, "section => 'none', setting => 'l', subsetting => 'a', value => '1'"],
  ['missing-file', undefined, "section => 'none', setting => 'l', subsetting => 'a', value => '1'"],
  ['hidden', ini, "section => 'two', setting => 'list', subsetting => '-Xmx', value => '1g', show_diff => false"],
  ['hashed', ini, "section => 'two', setting => 'list', subsetting => '-Xmx', value => '1g', show_diff => md5"],
  ['sensitive', ini, "section => 'two', setting => 'list', subsetting => '-Xmx', value => Sensitive('secret-word')"],
]

function each(type: string, rows: readonly Row[], more: Pick<ApplyCase, 'noop'> = {}): ApplyCase {
  return {
    files: Object.fromEntries(rows.flatMap(([name, content]) => (content === undefined ? [] : [[name, content]]))),
    manifest: rows
      .map(([name, , attributes]) => `${type} { '${name}': path => '@/${name}', ${attributes} }`)
      .join('\n'),
    ...more,
  }
}

applyBoth(liveAnswers, 'ini_setting and ini_subsetting are as with inifile in real Puppet', ['inifile'], {
  settings: each('ini_setting', settings),
  'settings, in noop': each('ini_setting', settings, { noop: true }),
  'parts of settings': each('ini_subsetting', parts),
  'parts of settings, in noop': each('ini_subsetting', parts, { noop: true }),
  'settings that are refreshed, and what is around them': {
    files: { r: '[one]\na = 1\n', 'd/link': '-> @/d/real', 'd/real': 'a = 1\n', kept: 'a = 1\n' },
    modes: { kept: 0o600 },
    manifest: `
      notify { 'now': notify => Ini_setting['r', 'plain'] }
      ini_setting { 'r': path => '@/r', section => 'one', setting => 'a', value => '2', refreshonly => true }
      ini_setting { 'plain': path => '@/plain', setting => 'a', value => '2' }
      ini_setting { 'below': path => '@/made/x', setting => 'a', value => '2' }
      file { '@/made': ensure => directory }
      ini_setting { 'nowhere': path => '@/none/x', setting => 'a', value => '2' }
      ini_setting { 'linked': path => '@/d/link', setting => 'a', value => '2' }
      ini_setting { 'kept': path => '@/kept', setting => 'a', value => '2' }
      ini_setting { 'first': path => '@/shared', section => 's', setting => 'a', value => '1' }
      ini_setting { 'second': path => '@/shared', section => 's', setting => 'b', value => '2' }
      ini_setting { 'third': path => '@/shared', section => 't', setting => 'b', value => '2' }`,
  },
  'a setting that goes when it is refreshed': {
    files: { a: '[one]\na = 1\n' },
    manifest: `
      notify { 'now': notify => Ini_setting['a'] }
      ini_setting { 'a': ensure => absent, path => '@/a', section => 'one', setting => 'a', refreshonly => true }`,
    once: 'real Puppet stumbles over a section that is gone',
  },
  'a relative path': refused("ini_setting { 'x': path => 'a', setting => 'a' }"),
  'a show_diff that is none': refused("ini_setting { 'x': path => '/a', setting => 'a', show_diff => sha }"),
  'a boolean that is none': refused("ini_setting { 'x': path => '/a', setting => 'a', refreshonly => maybe }"),
  'a quote that is none': refused("ini_subsetting { 'x': path => '/a', setting => 'a', quote_char => 'q' }"),
  'an insert_type that is none': refused("ini_subsetting { 'x': path => '/a', setting => 'a', insert_type => there }"),
})
