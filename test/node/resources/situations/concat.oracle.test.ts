import { liveAnswers } from '../beside-puppet/apply-both.ts'
import { situations } from './situations.ts'

/** A concat with fragments: attributes of the concat, then of each fragment. */
const concat = (attributes: string, ...fragments: readonly string[]) => ({
  manifest: [
    `concat { '@/f': ${attributes} }`,
    ...fragments.map((each, index) => `concat::fragment { 'f${index}': target => '@/f', ${each} }`),
  ].join('\n'),
})
const twoParts = ["content => 'b', order => '20'", "content => 'a', order => '10'"]

situations(liveAnswers, 'concat', ['concat', 'stdlib'], {
  'fragments by order': concat('', ...twoParts),
  'orders of Integer and text': concat(
    '',
    "content => '1', order => 9",
    "content => '2', order => '10'",
    "content => '3', order => 100",
  ),
  'orders in numeric order': concat(
    'order => numeric',
    "content => '1', order => 9",
    "content => '2', order => '10'",
    "content => '3', order => 100",
  ),
  'orders in numeric order that are no numbers': concat(
    'order => numeric',
    "content => '1', order => 'b9'",
    "content => '2', order => 'a10'",
    "content => '3', order => '2-x'",
  ),
  'the same order twice': concat('', "content => '1'", "content => '2'", "content => '0', order => '10'"),
  'orders with leading zeros and letters': concat(
    '',
    "content => '1', order => '001'",
    "content => '2', order => 'A'",
    "content => '3', order => 'a'",
    "content => '4', order => '_'",
  ),
  'an order with a colon, slash or line break': concat('', "content => '1', order => '1:2'"),
  'an order with a slash': concat('', "content => '1', order => '1/2'"),
  'an empty order': concat('', "content => '1', order => ''"),
  'no fragments': concat(''),
  'no fragments, with ensure_newline': concat('ensure_newline => true'),
  ensure_newline: concat(
    'ensure_newline => true',
    "content => 'a', order => 1",
    'content => "b\\n", order => 2',
    "content => '', order => 3",
    "content => 'c', order => 4",
  ),
  'warn => true': concat('warn => true', ...twoParts),
  'warn of a text': concat('warn => "# mine\\n"', ...twoParts),
  'warn of a text without a line break': concat("warn => '# mine'", ...twoParts),
  'an empty warn': concat("warn => ''", ...twoParts),
  'path beside the title': {
    manifest: `
      concat { 'name': path => '@/g' } concat::fragment { 'a': target => 'name', content => 'by name' }
      concat::fragment { 'b': target => '@/g', content => 'by path' }`,
  },
  'a relative path': { manifest: "concat { 'g': } concat::fragment { 'a': target => 'g', content => 'x' }" },
  'a fragment without a target that exists': {
    manifest: "concat::fragment { 'a': target => '@/none', content => 'x' }",
  },
  'a fragment with content and source': concat('', "content => 'x', source => '/etc/hostname'"),
  'a source': { files: { from: 'from a file\n' }, ...concat('', "source => '@/from'", "content => 'x', order => 5") },
  'sources of which the second is there': {
    files: { from: 'second\n' },
    ...concat('', "source => ['@/none', '@/from']"),
  },
  'a source that is missing': concat('', "source => '@/none'"),
  'a mode and an owner': {
    files: { f: 'ab' },
    ...concat("mode => '0600', owner => 'daemon', group => 2", ...twoParts),
  },
  'replace => false': { files: { f: 'old' }, ...concat('replace => false', ...twoParts) },
  'replace => false of a new file': concat('replace => false', ...twoParts),
  'ensure => absent': { files: { f: 'old' }, ...concat('ensure => absent', ...twoParts) },
  'ensure_newline and warn with a file before': {
    files: { f: '# mine\nb' },
    ...concat("ensure_newline => true, warn => '# mine'", "content => 'b'"),
  },
  'force => true': concat('force => true'),
  'backup of another suffix': { files: { f: 'old' }, ...concat("backup => '.bak'", ...twoParts) },
  'backup => false': { files: { f: 'old' }, ...concat('backup => false', ...twoParts) },
  'show_diff => false': { files: { f: 'old' }, ...concat('show_diff => false', ...twoParts) },
  'validate_cmd that refuses': { files: { f: 'old' }, ...concat("validate_cmd => '/bin/grep none %'", ...twoParts) },
  'validate_cmd that agrees': { files: { f: 'old' }, ...concat("validate_cmd => '/bin/grep a %'", ...twoParts) },
  noop: { files: { f: 'old' }, noop: true, ...concat('', ...twoParts) },
  'a fragment that notifies': {
    manifest: `
      concat { '@/f': } ~> notify { 'written': }
      concat::fragment { 'a': target => '@/f', content => 'x' } ~> notify { 'part': }`,
  },
  'a format of JSON': concat(
    'format => json',
    'content => \'{"a": 1, "b": {"c": [1]}}\'',
    'content => \'{"b": {"d": 2}}\'',
  ),
  'a format of pretty JSON': concat(
    "format => 'json-pretty'",
    'content => \'{"a": 1}\'',
    'content => \'{"b": [1, 2]}\'',
  ),
  'a format of JSON arrays': concat("format => 'json-array'", 'content => \'{"a": 1}\'', 'content => \'{"b": 2}\''),
  'a format of YAML': concat('format => yaml', 'content => "a: 1\\n"', 'content => "b:\\n  - x\\n"'),
  'a format of JSON with one key twice': concat('format => json', 'content => \'{"a": 1}\'', 'content => \'{"a": 2}\''),
  'a format of JSON with one key twice, forced': concat(
    'format => json, force => true',
    'content => \'{"a": 1}\'',
    'content => \'{"a": 2}\'',
  ),
  'a format that is unknown': concat('format => toml', "content => 'x'"),
  'a folder that is missing': {
    manifest: "concat { '@/none/f': } concat::fragment { 'a': target => '@/none/f', content => 'x' }",
  },
  'content with other letters': concat('', "content => 'gr\u{fc}n'", "content => '\u{20ac}', order => 5"),
})
