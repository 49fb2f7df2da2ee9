import { generalize } from '../types/generalize.ts'
import { printValue, typeText } from '../types/print.ts'
import { isType } from '../types/type.ts'
import { Binary } from './binary.ts'
import { Callable } from './callable.ts'
import { Hash } from './hash.ts'
import { IteratorValue } from './iterator.ts'
import { quote } from './quote.ts'
import { SemVer, SemVerRange } from './semver.ts'
import { Sensitive } from './sensitive.ts'
import type { Value } from './value.ts'

/** A value as string interpolation shows it: `[a, 1]`, `{a => 1}`, nothing for undef. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`
  if (value instanceof Hash)
    return `{${Array.from(value, ([key, each]) => `${toText(key)} => ${toText(each)}`).join(', ')}}`
  if (isType(value)) return typeText(value)
  if (value instanceof Callable) return value.name
  if (value instanceof IteratorValue) return `Iterator[${typeText(generalize(value.elementType))}]-Value`
  return 'attributes' in value ? printValue(value) : String(value)
}

/** A value as it would be written in code, as `String.new($x, '%p')` does. */
export function toLiteral(value: Value): string {
  if (typeof value === 'string') return quote(value)
  if (value instanceof Sensitive) return `#<${value}>`
  if (value instanceof SemVer) return String(value)
  if (value instanceof SemVerRange) return value.normalized
  if (value instanceof Binary) return `Binary("${value}")`
  if (value instanceof Callable) return value.name
  if (value instanceof IteratorValue) return toLiteral([...value])
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (value instanceof Hash)
    return `{${Array.from(value, ([key, each]) => `${toLiteral(key)} => ${toLiteral(each)}`).join(', ')}}`
  return isType(value) ? typeText(value) : printValue(value)
}
