import { getTupleSize } from '../../src/language/types/is-assignable.ts'
import { isInstance } from '../../src/language/types/is-instance.ts'
import type { Type } from '../../src/language/values/type.ts'

const texts = [
  'some text',
  'abc',
  '10.1.2.3',
  '10.1.2.3/24',
  '2001:db8::1',
  '2001:db8::/64',
  '/etc/some/path',
  'C:/some/path',
  'http://example.com/x',
  'https://example.com',
  'host.example.com',
  '80',
  '8080',
  '0644',
  'present',
  'a@example.com',
  '1G',
  '00:11:22:33:44:55',
  'P1D',
  'root',
  '1.2.3',
  'YWJj',
  '*',
]

/** An expression whose value is an instance of a type; `undef` where none is known. */
export function sampleOf(type: Type): string {
  switch (type.kind) {
    case 'TypeAlias':
      return sampleOf(type.resolved)
    case 'Optional':
    case 'NotUndef':
      return sampleOf(type.type)
    case 'Sensitive':
      return `Sensitive(${sampleOf(type.type)})`
    case 'Variant':
      return type.types[0] ? sampleOf(type.types[0]) : 'undef'
    case 'Enum':
      return `'${type.values[0] ?? ''}'`
    case 'Array':
      return listOf(Math.max(Number(type.size.from ?? 0), 2), () => sampleOf(type.element))
    case 'Iterable':
      return listOf(2, () => sampleOf(type.type))
    case 'Tuple':
      return `[${type.types
        .slice(0, getTupleSize(type).from ?? 1)
        .map(sampleOf)
        .join(', ')}]`
    case 'Hash':
      return `{ ${sampleOf(type.key)} => ${sampleOf(type.value)} }`
    case 'Struct':
      return `{ ${type.elements.map(({ name, value }) => `'${name}' => ${sampleOf(value)}`).join(', ')} }`
    case 'Integer':
      return String(type.from ?? 3)
    case 'Float':
      return '2.5'
    case 'Boolean':
      return String(type.value ?? true)
    case 'Type':
      return 'Integer'
    default:
      return plain(type)
  }
}

function plain(type: Type): string {
  const text = texts.find((each) => isInstance(type, each))
  if (text !== undefined) return `'${text}'`
  return isInstance(type, 42) ? '42' : 'undef'
}

function listOf(count: number, make: () => string): string {
  return `[${Array.from({ length: count }, make).join(', ')}]`
}
