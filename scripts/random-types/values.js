const integers = [
  '0',
  '1',
  '-1',
  '7',
  '18',
  '-18',
  '255',
  '1000000',
  '4611686018427387904',
  '9223372036854775807',
  '-300',
]
const floats = ['0.0', '1.0', '-1.5', '3.14159', '1e20', '1.0e-5', '123456.789', '-0.5', '1e100', '0.1', '100.0']
const strings = [
  ...[
    "''",
    "'a'",
    "'abc'",
    "'Hello World'",
    "'  x '",
    "'::a::b'",
    "'12'",
    "'0x1F'",
    "'-3.5'",
    "'true'",
    "'no'",
    '"a\\nb"',
  ],
  ...[
    '"it\'s"',
    '"q\\"q"',
    '"\\t"',
    '"\\u{1F600}x"',
    "'éÄß'",
    "'a\\\\b'",
    '"\\u{1}"',
    "'$x'",
    '"a\\\\\\\\b"',
    "'100%'",
  ],
]
const others = [
  ...[
    'undef',
    'default',
    'true',
    'false',
    '/a.*b/',
    '/(?i:x)\\/y/',
    "Sensitive('s')",
    "Binary('aGVsbG8=')",
    "Binary('')",
  ],
  ...[
    "Timestamp('2016-08-23T11:12:13.456789')",
    'Timestamp(0)',
    "Timespan('1-02:03:04.5')",
    'Timespan(-90061)',
    'Timespan(0)',
  ],
  ...[
    "SemVer('1.2.3-rc1+b5')",
    "SemVerRange('>=1.0.0 <2.0.0')",
    "SemVerRange('1.x')",
    "URI('http://u@example.com:81/p?q#f')",
  ],
  ...["Error('m', 'k')", "Deferred('f', [1])", "File['/x']", "Class['a::b']", 'Integer', 'Array[String[1], 1, 2]'],
  ...[
    'Struct[{a => Integer, Optional[b] => String}]',
    "Enum['a', 'b']",
    'Object[{attributes => {a => Integer}}]',
    'Callable[Integer]',
  ],
]

/** A value that has no others in it, as code. */
export function scalar(random) {
  return random.of(random.of([integers, floats, strings, strings, others]))
}

/** A number as code, or text that may be one. */
export function numberLike(random) {
  const texts = [
    "'0'",
    "'010'",
    "'0b101'",
    "'0B11'",
    "'0xFf'",
    "'-0x10'",
    "'+ 7'",
    "'- 12'",
    "'1e3'",
    "'1.5e-3'",
    "'08'",
    "'0b2'",
  ]
  const more = [
    "''",
    "' 1'",
    "'1 '",
    "'1_000'",
    "'-'",
    "'١'",
    "'0o17'",
    "'1.'",
    "'.5'",
    "'Infinity'",
    "'0x'",
    "'1,2'",
    "'--1'",
  ]
  return random.of(
    random.of([integers, floats, texts, more, ['true', 'false', "Timespan('1:30:00')", 'Timestamp(1.5)', 'undef']]),
  )
}

/** Any value as code. */
export function value(random, depth = 3) {
  if (depth === 0 || random.below(5) < 2) return scalar(random)
  const inner = () => value(random, depth - 1)
  if (random.once(2)) return `[${random.some(0, 4, inner).join(', ')}]`
  return hash(random, inner)
}

/** A hash as code, with different keys. */
export function hash(random, inner) {
  const keys = random.once(4)
    ? ['1', 'x', '[1]', '2.5', 'undef', 'true', 'Integer', "'k'"]
    : ['a', 'b', "'c d'", "'long_key'", "'e'"]
  const entries = keys.filter(() => random.once(2)).map((key) => `${key} => ${inner()}`)
  return `{${entries.join(', ')}}`
}
