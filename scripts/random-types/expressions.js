import { format, formatMap } from './formats.js'
import { Random } from './random.js'
import { type } from './types.js'
import { numberLike, scalar, value } from './values.js'

/** Expressions of types, their values, and what `new` makes of others; the same seed gives the same ones. */
export function randomTypeExpressions(seed, count) {
  const random = new Random(seed)
  const makers = Object.values(families)
  return Array.from({ length: count }, (_, index) => makers[index % makers.length](random))
}

/** What is generated, by name: each makes one expression. */
const families = {
  'string-formats': (random) => `String(${value(random)}, '${format(random)}')`,
  'string-format-maps': (random) => `String(${value(random)}, ${formatMap(random)})`,
  numbers: (random) => {
    const kind = random.of(['Integer', 'Float', 'Numeric'])
    const radix =
      kind === 'Integer' && random.once(2)
        ? `, ${random.of(['2', '8', '10', '16', 'default', '3', 'undef', "'x'"])}`
        : ''
    const abs = random.once(4) ? `, ${random.of(['true', 'false', '1'])}` : ''
    if (random.once(6)) {
      const more = [radix && `radix => ${radix.slice(2)}`, abs && `abs => ${abs.slice(2)}`].filter(Boolean)
      return `${kind}({from => ${[numberLike(random), ...more].join(', ')}})`
    }
    return `${kind}(${numberLike(random)}${radix}${abs})`
  },
  booleans: (random) =>
    `Boolean(${random.of([scalar(random), "'TRUE'", "'Yes'", "'n'", "'t'", '0', '1.0', '0.0', "'y'", "'f'", "'off'"])})`,
  timespans: (random) => timespan(random),
  timestamps: (random) => timestamp(random),
  binaries: (random) => {
    const text = random.of(["'aGVsbG8='", "'aGVsbG8'", "'a-_b'", "'YQ'", '"é"', "'*'", "''", '"aGVs\\nbG8="', "'abc'"])
    const how = random.once(3) ? '' : `, '${random.of(['%b', '%u', '%B', '%s', '%r', '%x'])}'`
    const made = random.once(4)
      ? `Binary([${random.some(0, 3, () => random.of(['1', '255', '256', '-1', "'a'"])).join(', ')}])`
      : `Binary(${text}${how})`
    return random.once(2) ? `String(${made}, '${format(random, 'bBusptTs')}')` : made
  },
  arrays: (random) => `Array(${value(random)}${random.of(['', '', ', true', ', false', ', 1'])})`,
  hashes: (random) =>
    `Hash(${random.once(2) ? value(random) : tree(random)}${random.of(['', '', ', tree', ', hash_tree', ', x'])})`,
  'structs-and-tuples': (random) =>
    `${random.of(['Tuple[Integer, String]', 'Tuple[Integer, 1, 3]', 'Struct[{a => Integer, Optional[b] => Any}]', 'Hash[String, Integer]', 'Array[Integer, 1]', 'Collection'])}.new(${value(random)})`,
  versions: (random) => version(random),
  uris: (random) => uri(random),
  'types-of-values': (random) =>
    `type(${value(random)}${random.of(['', ", 'reduced'", ", 'generalized'", ", 'detailed'", ", 'x'"])})`,
  'printed-types': (random) => type(random, 3),
  instances: (random) => `${value(random)} =~ ${type(random)}`,
  assignable: (random) => `${type(random)} ${random.of(['<', '<=', '>', '>=', '==', '!='])} ${type(random)}`,
  assertions: (random) => `assert_type(${type(random)}, ${value(random)})`,
  'types-of-types': (random) => `type(${type(random)})`,
  inits: (random) =>
    `Init[${random.of(['Integer', 'Integer, 16', 'String', "String, '%d'", 'Float', 'Array', 'Hash', 'Timestamp', 'Boolean'])}].new(${value(random, 1)})`,
  sprintf: (random) =>
    `sprintf('${format(random, 'sspdxXobBeEfgGaAcui')}', ${random.once(2) ? numberLike(random) : scalar(random)})`,
  quoting: (random) =>
    `String(${random.of(['[$s]', '$s', '{$s => $s}', '{a => [$s]}']).replaceAll('$s', text(random))}, '${random.of(['%p', '%#p', '%s', '%#s', '%a', '%h'])}')`,
}

function text(random) {
  const pieces = ['a', "'", '\\"', '\\\\\\\\', '\\n', '\\t', '\\$', '\\u{7}', ' ', 'é', '\\u{1F600}', '{', '%']
  return `"${random.some(0, 5, () => random.of(pieces)).join('')}"`
}

function tree(random) {
  const path = () => `[${random.some(0, 3, () => random.of(['a', 'b', '0', '1', '2', "'x'"])).join(', ')}]`
  return `[${random.some(0, 4, () => `[${path()}, ${value(random, 1)}]`).join(', ')}]`
}

const spanFormats = [
  '%D-%H:%M:%S',
  '%H:%M:%S',
  '%M:%S',
  '%S',
  '%D',
  '%s',
  '%D-%H:%M:%S.%N',
  '%H:%M:%S.%L',
  '%-H:%_M',
  '%3N',
  '%%',
  '%x',
  '%S.%-N',
  '%D days',
]

function timespan(random) {
  const texts = [
    "'1-02:03:04'",
    "'02:03:04.567'",
    "'3:4'",
    "'-5'",
    "'1:2:3.04'",
    "'90'",
    "'x'",
    "'25:00:00'",
    "'1-1-1'",
    "''",
  ]
  const plain = () =>
    random.of([
      ...texts,
      '3600',
      '-1.5',
      '0',
      '1e5',
      'Timespan(5)',
      '{days => 1, hours => 2}',
      '{seconds => -5, negative => true}',
      '{string => "5", format => "%S"}',
      '1, 2, 3, 4',
      '1, 2, 3, 4, 5, 6, 7',
      '{nanoseconds => 5}',
      'true',
    ])
  const made = random.once(3) ? `Timespan(${random.of(texts)}, '${random.of(spanFormats)}')` : `Timespan(${plain()})`
  switch (random.below(5)) {
    case 0:
      return `strftime(${made}, '${random.of(spanFormats)}')`
    case 1:
      return `${made} ${random.of(['+', '-', '*', '/', '%'])} ${random.of(['2', '1.5', "Timespan('0:30')", '0'])}`
    case 2:
      return `${random.of(['Integer', 'Float', 'String', 'Numeric'])}(${made})`
    case 3:
      return `${made} ${random.of(['<', '==', '>='])} ${random.of(['Timespan(90)', '90', '90.0', "'90'"])}`
    default:
      return made
  }
}

const stampFormats = [
  '%Y-%m-%d',
  '%F %T',
  '%Y-%m-%dT%H:%M:%S.%L',
  '%s',
  '%c',
  '%D',
  '%e %b %y',
  '%A %j %U',
  '%I:%M %p',
  '%z %Z',
  '%G-W%V-%u',
  '%-d/%-m',
  '%10N',
  '%3N',
  '%^a %#B',
  '%x %X',
  '%n%t%%',
  '%C %h',
  '%:z',
  '%10Y',
  '%_5d',
  '%+',
  '%Q',
  '%k %l',
  '%w',
  '%R',
  '%r',
  '%E',
]

function timestamp(random) {
  const texts = [
    "'2016-08-23T11:12:13.456'",
    "'2016-08-23T11:12:13 CEST'",
    "'2016-08-23'",
    "'2016-08-23T11:12:13+02:00'",
    "'x'",
    "'2016-13-01'",
    "'2016-08-23 11:12'",
    "'1:2'",
    "'2016-02-30'",
  ]
  const zones = ['', '', ", 'UTC'", ", '+02:00'", ", 'PST'", ", 'x'"]
  const made = random.once(3)
    ? `Timestamp(${random.of(texts)}, '${random.of(stampFormats)}'${random.of(zones)})`
    : `Timestamp(${random.of([...texts, '0', '1.5', '-1', '1e9', '1471950733', '{string => "2016-08-23", format => "%F"}', '{string => "2016"}', 'true', "'2016-08-23', ['%D', '%F']"])})`
  switch (random.below(5)) {
    case 0:
    case 1:
      return `strftime(${made}, '${random.of(stampFormats)}'${random.of(zones)})`
    case 2:
      return `${made} ${random.of(['+', '-', '<', '=='])} ${random.of(['60', '1.5', "Timespan('1-00:00:00')", 'Timestamp(0)'])}`
    case 3:
      return `${random.of(['Integer', 'Float', 'String'])}(${made})`
    default:
      return made
  }
}

function version(random) {
  const versions = [
    "'1.2.3'",
    "'1.2.3-rc.1'",
    "'1.2'",
    "'01.2.3'",
    "'1.2.3+b.5'",
    "'v1.2.3'",
    '1, 2, 3',
    '1, 2, 3, rc',
    "1, 2, 3, 'rc.1', b5",
    '{major => 1, minor => 2, patch => 3}',
    '-1, 0, 0',
    "''",
  ]
  const ranges = [
    "'>=1.0.0'",
    "'1.x'",
    "'~1.2'",
    "'^1.2.3'",
    "'1.0.0 - 2.0.0'",
    "'>1 <3'",
    "'*'",
    "'x'",
    "'<2.0.0 || >=3'",
    "'=1.2.3'",
    "''",
    "'1.2.3, 2.0.0'",
    "SemVer('1.0.0'), SemVer('2.0.0')",
    "'>=1.2.3-rc1'",
    "'~> 1.2'",
    'default, default',
    "{min => '1.0.0', max => '2.0.0', exclude_max => true}",
  ]
  const made = random.once(2) ? `SemVer(${random.of(versions)})` : `SemVerRange(${random.of(ranges)})`
  switch (random.below(4)) {
    case 0:
      return `SemVer(${random.of(versions)}) ${random.of(['=~', '!~'])} SemVer[${random.of(ranges)}]`
    case 1:
      return `SemVer(${random.of(versions)}) ${random.of(['<', '==', '>='])} SemVer(${random.of(versions)})`
    case 2:
      return `String(${made}, '${format(random, 'sp')}')`
    default:
      return made
  }
}

function uri(random) {
  const texts = [
    "'http://example.com'",
    "'http://u:p@Example.com:80/a/b?c=d#e'",
    "'mailto:a@b'",
    "'/path/x'",
    "'//host/x'",
    "'file:///etc'",
    "'x y'",
    "''",
    "'https://[::1]:8443/'",
    "'urn:a:b'",
    "'HTTP://x'",
    "'?q'",
    "'#f'",
    "'http://a b'",
    "'ftp://x:21/'",
  ]
  const hashes = [
    '{scheme => http, host => x}',
    "{scheme => 'https', host => 'x', port => 8443, path => '/a'}",
    '{path => x}',
    "{scheme => mailto, opaque => 'a@b'}",
    '{}',
    '{foo => 1}',
    "{scheme => http, host => x, query => 'a=b', fragment => f, userinfo => u}",
  ]
  const made = `URI(${random.once(3) ? random.of(hashes) : random.of(texts)})`
  switch (random.below(5)) {
    case 0:
      return `${made}.${random.of(['scheme', 'host', 'port', 'path', 'query', 'fragment', 'userinfo', 'opaque'])}`
    case 1:
      return `type(${made})`
    case 2:
      return `${made} =~ URI[${random.once(2) ? random.of(texts) : random.of(hashes)}]`
    case 3:
      return `${made} + ${random.of(texts)}`
    default:
      return made
  }
}
