import { applyBoth, liveAnswers } from './apply-both.ts'
import { refused } from './apply-case.ts'

/** A file for each row: its attributes, and attributes of its fragments. */
const files: Readonly<Record<string, readonly [attributes: string, ...fragments: string[]]>> = {
  none: [''],
  one: ['', "content => 'a'"],
  numeric: [
    "order => 'numeric'",
    "content => 'a', order => '10'",
    "content => 'b', order => '9'",
    "content => 'c', order => 9",
  ],
  alpha: [
    "order => 'alpha'",
    "content => 'a', order => '10'",
    "content => 'b', order => '9'",
    "content => 'c', order => 1",
  ],
  words: ["order => 'numeric'", "content => 'a', order => 'x'", "content => 'b', order => 'a'"],
  mixed: ["order => 'numeric'", "content => 'a', order => 'x'", "content => 'b', order => '1'"],
  newlines: ['ensure_newline => true', "content => 'a'", 'content => "b\\n"', "content => ''", "content => 'c'"],
  permissions: ["mode => '0640', owner => 'root', group => 0", "content => 'a'"],
  shown: ['show_diff => false', "content => 'new'"],
  diffed: ['', 'content => "new\\n"'],
  kept: ['replace => false', "content => 'new'"],
  gone: ['ensure => absent', "content => 'new'"],
  saved: ["backup => '.old'", "content => 'new'"],
  unsaved: ['backup => false', "content => 'new'"],
  checked: ["validate_cmd => '/bin/grep -q good %'", "content => 'bad'"],
  sourced: ['', "source => '@/from'", "source => ['@/none', '@/from'], order => '05'"],
  unsourced: ['', "source => ['@/none', '@/nothing']"],
  noop: ['noop => true', "content => 'a'"],
  quiet: ["loglevel => 'debug'", "content => 'a'"],
  json: [
    "format => 'json'",
    'content => \'{"b": {"x": [1, 2]}, "a": 1.0}\'',
    'content => \'{"b": {"x": [2, 3], "y": null}}\'',
  ],
  pretty: [
    "format => 'json-pretty'",
    'content => \'{"b": {"x": [1, 2]}, "e": {}, "f": []}\'',
    'content => \'{"c": "é\\"q"}\'',
  ],
  array: ["format => 'json-array'", 'content => \'{"b": 1}\'', "content => '[1]'"],
  'array-pretty': ["format => 'json-array-pretty'", 'content => \'{"b": 1}\'', "content => '[1]'"],
  clash: ["format => 'json'", 'content => \'{"b": 1}\'', 'content => \'{"b": 2}\''],
  forced: ["format => 'json', force => true", 'content => \'{"b": 1}\'', 'content => \'{"b": 2}\''],
  yaml: [
    "format => 'yaml'",
    'content => "b:\\n  x: [1, 2]\\nt: yes\\n"',
    'content => "b:\\n  y: \'no\'\\nn: ~\\ns: a b\\nl: 1.5\\n"',
  ],
  'yaml-lists': ["format => 'yaml'", 'content => "- a\\n- b\\n"', 'content => "- b\\n- c\\n"'],
  'yaml-none': ["format => 'yaml'"],
  'yaml-object': ["format => 'yaml'", 'content => "d: 2001-01-01\\n"'],
}

function manifestOf(): string {
  return Object.entries(files)
    .map(([name, [attributes, ...fragments]]) =>
      [
        `concat_file { '@/${name}': ${attributes} }`,
        ...fragments.map((each, index) => `concat_fragment { '${name}-${index}': target => '@/${name}', ${each} }`),
      ].join('\n'),
    )
    .join('\n')
}

const before = Object.fromEntries(
  ['shown', 'diffed', 'kept', 'gone', 'saved', 'unsaved'].map((name) => [name, 'old\n']),
)

applyBoth(liveAnswers, 'concat_file and concat_fragment are as with concat in real Puppet', ['concat', 'stdlib'], {
  'files of fragments': { files: { ...before, from: 'of the source\n' }, manifest: manifestOf() },
  'files of fragments, in noop': { files: { ...before, from: 'of the source\n' }, manifest: manifestOf(), noop: true },
  'by title, by tag, by nobody': {
    manifest: `
      concat_file { 'titled': path => '@/titled', tag => 'collected' }
      concat_fragment { 'by title': target => 'titled', content => "1\\n" }
      concat_fragment { 'by path': target => '@/titled', content => "2\\n" }
      concat_fragment { 'by tag': tag => 'collected', content => "3\\n" }
      concat_fragment { 'by none': target => 'elsewhere', content => '4' }
      concat_fragment { 'by no tag': target => 'elsewhere', tag => 'x', content => '5' }`,
  },
  'who waits for a file, and hears of it': {
    manifest: `
      class a {
        concat_file { '@/d/a': notify => Exec['heard'], before => Notify['later'] }
        concat_fragment { 'a': target => '@/d/a', content => 'a', require => Notify['first'] }
        notify { 'first': }
        file { '@/d': ensure => directory }
        exec { 'heard': command => '/bin/true', refreshonly => true }
        notify { 'later': }
        exec { 'of the file': command => '/bin/true', refreshonly => true, subscribe => Concat_file['@/d/a'] }
      }
      include a
      notify { 'after all': require => Class['a'] }`,
  },
  'a file that fails, and who waits for it': {
    manifest: `
      concat_file { '@/none/a': }
      concat_fragment { 'a': target => '@/none/a', content => 'a' }
      notify { 'later': require => Concat_file['@/none/a'] }`,
  },
  'a file that somebody declares, too': {
    manifest: `
      file { '@/a': mode => '0600' }
      concat_file { '@/a': }
      concat_fragment { 'a': target => '@/a', content => 'a' }`,
  },
  "concat's own definitions": {
    manifest: `
      concat { '@/a': warn => true, order => 'numeric', mode => '0600' }
      concat::fragment { 'one': target => '@/a', content => "one\\n", order => '10' }
      concat::fragment { 'two': target => '@/a', content => "two\\n", order => '9' }
      concat { '@/gone': ensure => absent }`,
    files: { gone: 'x' },
  },
  'only what is tagged': {
    manifest: `
      concat_file { '@/a': tag => 'wanted' }
      concat_fragment { 'a': tag => 'wanted', content => 'a' }
      concat_file { '@/b': }
      concat_fragment { 'b': target => '@/b', content => 'b' }`,
    tags: 'wanted',
  },
  'no target': refused("concat_fragment { 'x': content => 'a' }"),
  'no content': refused("concat_fragment { 'x': target => 'a' }"),
  'content twice': refused("concat_fragment { 'x': target => 'a', content => 'a', source => '/a' }"),
  'content that is no text': refused("concat_fragment { 'x': target => 'a', content => 5 }"),
  'an order that is none': refused("concat_fragment { 'x': target => 'a', content => 'a', order => 'a/b' }"),
  'a path that is none': refused("concat_file { 'x': }"),
  'a format that is none': refused("concat_file { '/x': format => xml }"),
  'a mode that is none': refused("concat_file { '/x': mode => 'rw' }"),
  'a backup that is none': refused("concat_file { '/x': backup => 5 }"),
})
