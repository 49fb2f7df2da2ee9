import { liveAnswers } from '../beside-puppet/apply-both.ts'
import { situations } from './situations.ts'

const files = { 'f.ini': '; top\nglobal = 1\n\n[one]\na = 1\n# b = off\nb=2\n\n[two]\n  a = 3\n;c = 4\n' }
const setting = (attributes: string) => ({ files, manifest: `ini_setting { 's': path => '@/f.ini', ${attributes} }` })

situations(liveAnswers, 'ini-setting', ['inifile'], {
  'a setting that is there': setting("section => 'one', setting => 'a', value => '1'"),
  'a setting of another value': setting("section => 'one', setting => 'a', value => '9'"),
  'a setting without blanks about its sign': setting("section => 'one', setting => 'b', value => '9'"),
  'a new setting of a section': setting("section => 'one', setting => 'new', value => 'x'"),
  'a new setting of an indented section': setting("section => 'two', setting => 'new', value => 'x'"),
  'a new section': setting("section => 'three', setting => 'a', value => 'x'"),
  'a setting before any section': setting("section => '', setting => 'global', value => '2'"),
  'a new setting before any section': setting("section => '', setting => 'other', value => '2'"),
  'no section': setting("setting => 'global', value => '5'"),
  'a setting that a comment has': setting("section => 'two', setting => 'c', value => '5'"),
  'a value of number, Boolean and array': setting("section => 'one', setting => 'a', value => [1, 2]"),
  'a value of Integer': setting("section => 'one', setting => 'a', value => 1"),
  'a value of true': setting("section => 'one', setting => 'a', value => true"),
  'an empty value': setting("section => 'one', setting => 'a', value => ''"),
  'a value of undef': setting("section => 'one', setting => 'a', value => undef"),
  'a value with quotes, signs and blanks': setting("section => 'one', setting => 'a', value => ' \"x = y ; z\" # c '"),
  'a value of two lines': setting("section => 'one', setting => 'a', value => \"x\\ny\""),
  'a value of Sensitive': setting("section => 'one', setting => 'a', value => Sensitive('secret')"),
  'show_diff => false and md5': {
    files,
    manifest: `
      ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => 'x', show_diff => false }
      ini_setting { 't': path => '@/f.ini', section => 'two', setting => 'a', value => 'y', show_diff => md5 }`,
  },
  'show_diff of a word that is unknown': setting("section => 'one', setting => 'a', value => 'x', show_diff => sha1"),
  'another separator': setting("section => 'one', setting => 'a', value => '5', key_val_separator => '='"),
  'a separator of a colon': {
    files: { 'f.ini': '[one]\na: 1\nb:2\n' },
    manifest: `
      ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => '5', key_val_separator => ': ' }
      ini_setting { 't': path => '@/f.ini', section => 'one', setting => 'new', value => '6', key_val_separator => ':' }`,
  },
  'a separator of a blank': {
    files: { 'f.ini': '[one]\na 1\n' },
    manifest:
      "ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => '5', key_val_separator => ' ' }",
  },
  'another prefix and suffix': {
    files: { 'f.ini': '<one>\na = 1\n' },
    manifest:
      "ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => '5', section_prefix => '<', section_suffix => '>' }",
  },
  'indents of their own': setting(
    "section => 'two', setting => 'new', value => 'x', indent_char => \"\\t\", indent_width => 2",
  ),
  'force_new_section_creation => false': setting(
    "section => 'none', setting => 'a', value => 'x', force_new_section_creation => false",
  ),
  absent: setting("ensure => absent, section => 'one', setting => 'a'"),
  'absent of the last setting of a section': {
    files: { 'f.ini': '[one]\na = 1\n[two]\nb = 2\n' },
    manifest: "ini_setting { 's': ensure => absent, path => '@/f.ini', section => 'one', setting => 'a' }",
  },
  'absent of a setting that is missing': setting("ensure => absent, section => 'one', setting => 'none'"),
  'absent of a section that is missing': setting("ensure => absent, section => 'none', setting => 'none'"),
  'absent before any section': setting("ensure => absent, section => '', setting => 'global'"),
  'a file that is missing': "ini_setting { 's': path => '@/none.ini', section => 'one', setting => 'a', value => '1' }",
  'a file that is missing, absent':
    "ini_setting { 's': ensure => absent, path => '@/none.ini', section => 'one', setting => 'a' }",
  'a folder that is missing':
    "ini_setting { 's': path => '@/none/f.ini', section => 'one', setting => 'a', value => '1' }",
  'a path that is relative': "ini_setting { 's': path => 'f.ini', section => 'one', setting => 'a', value => '1' }",
  'an empty file': {
    files: { 'f.ini': '' },
    manifest: "ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => '1' }",
  },
  'a file without a line break at its end': {
    files: { 'f.ini': '[one]\na = 1' },
    manifest: "ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'b', value => '2' }",
  },
  'a file with returns': {
    files: { 'f.ini': '[one]\r\na = 1\r\n' },
    manifest: "ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => '2' }",
  },
  'names with dots, slashes and colons': {
    files: { 'f.ini': '[a/b:c.d]\nx.y-z = 1\n' },
    manifest: `
      ini_setting { 's': path => '@/f.ini', section => 'a/b:c.d', setting => 'x.y-z', value => '2' }
      ini_setting { 't': path => '@/f.ini', section => 'a/b:c.d', setting => 'p:q', value => '3' }`,
  },
  'names in another case': setting("section => 'ONE', setting => 'A', value => '9'"),
  refreshonly: {
    files,
    manifest: `
      notify { 'n': } ~> ini_setting { 's': path => '@/f.ini', section => 'one', setting => 'a', value => '7', refreshonly => true }
      ini_setting { 't': path => '@/f.ini', section => 'one', setting => 'b', value => '8', refreshonly => true }`,
  },
  'several settings of one file': {
    files,
    manifest: `
      ini_setting { 'p': path => '@/f.ini', section => 'one', setting => 'p', value => '1' }
      ini_setting { 'q': path => '@/f.ini', section => 'new', setting => 'q', value => '2' }
      ini_setting { 'r': path => '@/f.ini', section => 'new', setting => 'r', value => '3' }
      ini_setting { 's': ensure => absent, path => '@/f.ini', section => 'two', setting => 'a' }`,
  },
  'one setting by two titles': {
    files,
    manifest: `
      ini_setting { 'p': path => '@/f.ini', section => 'one', setting => 'a', value => '5' }
      -> ini_setting { 'q': path => '@/f.ini', section => 'one', setting => 'a', value => '6' }`,
  },
  noop: setting("section => 'one', setting => 'a', value => '9', noop => true"),
  'a subsetting of each kind': {
    files: { 'f.ini': '[one]\nargs = "-Xmx1g -Xms1g -XX:a"\n' },
    manifest: `
      Ini_subsetting { path => '@/f.ini', section => 'one', setting => 'args', quote_char => '"' }
      ini_subsetting { 'a': subsetting => '-Xmx', value => '2g' } ini_subsetting { 'b': subsetting => '-new', value => '' }
      ini_subsetting { 'c': ensure => absent, subsetting => '-Xms' }`,
  },
})
