import { scalar } from './values.js'

const plain =
  `Any Scalar ScalarData Data RichData Numeric Integer Float String Boolean Undef Default Collection Array Hash Tuple
  Struct Enum Pattern Regexp Variant Optional NotUndef Type Callable Sensitive Iterable Iterator Init SemVer SemVerRange
  Timestamp Timespan Binary URI Runtime CatalogEntry Resource Class Object Error Deferred TypeSet`.split(/\s+/)

const simple = [
  ...[
    'Integer[1]',
    'Integer[0, 10]',
    'Integer[default, 5]',
    'Float[0.0, 2.0]',
    'String[1]',
    'String[2, 5]',
    "Enum['a', 'abc']",
  ],
  ...["Enum['A', true]", 'Pattern[/^a/]', 'Pattern[/b$/, /^1/]', 'Regexp[/a.*b/]', 'Boolean[true]', 'Collection[1, 2]'],
  ...[
    "Timestamp['2000-01-01', default]",
    "Timespan['0', '1-00:00:00']",
    "SemVer['>=1.0.0']",
    "URI['http://example.com']",
  ],
  ...[
    "Class['a::b']",
    "File['/x']",
    'File',
    "Resource['notify']",
    'Callable[Integer]',
    'Callable[0, 0]',
    'Callable[[String], Integer]',
  ],
  ...[
    'Callable[String, 1, 3]',
    'Callable[Integer, Callable[String]]',
    "Runtime['ruby', 'Symbol']",
    "Error['k']",
    "Optional['a']",
    "NotUndef['a']",
  ],
]

/** A type as code. */
export function type(random, depth = 2) {
  if (depth === 0 || random.once(3)) return random.of(random.once(2) ? plain : simple)
  const inner = () => type(random, depth - 1)
  const size = () => random.of(['', '', ', 1', ', 0, 1', ', 2, 3', ', default, 2'])
  switch (random.below(12)) {
    case 0:
      return `Array[${inner()}${size()}]`
    case 1:
      return `Hash[${inner()}, ${inner()}${size()}]`
    case 2:
      return `Tuple[${random.some(1, 3, inner).join(', ')}${size()}]`
    case 3:
      return `Struct[{${struct(random, inner)}}]`
    case 4:
    case 5:
      return `Variant[${random.some(1, 3, inner).join(', ')}]`
    case 6:
      return `Optional[${inner()}]`
    case 7:
      return `NotUndef[${inner()}]`
    case 8:
      return `Type[${inner()}]`
    case 9:
      return `${random.of(['Iterable', 'Iterator', 'Sensitive', 'Init'])}[${inner()}]`
    case 10:
      return `Callable[${random.some(1, 2, inner).join(', ')}]`
    default:
      return `Type[${scalarType(random)}]`
  }
}

function scalarType(random) {
  return random.once(2) ? random.of(simple) : random.of(plain)
}

function struct(random, inner) {
  const keys = ['a', 'b', "'c d'", 'Optional[long_key]', 'Optional[e]', 'NotUndef[f]']
  const entries = keys.filter(() => random.once(3)).map((key) => `${key} => ${inner()}`)
  return entries.join(', ') || `z => ${scalar(random).startsWith('I') ? 'Integer' : 'Any'}`
}
