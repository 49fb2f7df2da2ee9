import { Binary } from '../../values/binary.ts'
import { Callable } from '../../values/callable.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import { quote } from '../../values/quote.ts'
import { SemVer, SemVerRange } from '../../values/semver.ts'
import { Sensitive } from '../../values/sensitive.ts'
import { isType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { collectBounded, joinBounded } from '../../values/value-size-limits.ts'
import { generalizeType } from '../generalize.ts'
import { printValue, printWithDefinition } from './print.ts'

/** Text of a value in string interpolation: `[a, 1]`, `{a => 1}`, empty for undef. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${joinBounded(mapItems(value, toText), ', ')}]`
  if (value instanceof Hash)
    return `{${joinBounded(
      mapItems(value, ([key, each]) => `${toText(key)} => ${toText(each)}`),
      ', ',
    )}}`
  if (isType(value)) return printWithDefinition(value)
  if (value instanceof Callable) return value.name
  if (value instanceof IteratorValue) return `Iterator[${printWithDefinition(generalizeType(value.elementType))}]-Value`
  return 'attributes' in value ? printValue(value) : String(value)
}

/** Text of a value as code, like `String.new($x, '%p')`. */
export function toLiteral(value: Value): string {
  if (typeof value === 'string') return quote(value)
  if (value instanceof Sensitive) return `#<${value}>`
  if (value instanceof SemVer) return String(value)
  if (value instanceof SemVerRange) return value.normalized
  if (value instanceof Binary) return `Binary("${value}")`
  if (value instanceof Callable) return value.name
  if (value instanceof IteratorValue) return toLiteral(collectBounded(value))
  if (Array.isArray(value)) return `[${joinBounded(mapItems(value, toLiteral), ', ')}]`
  if (value instanceof Hash)
    return `{${joinBounded(
      mapItems(value, ([key, each]) => `${toLiteral(key)} => ${toLiteral(each)}`),
      ', ',
    )}}`
  return isType(value) ? printWithDefinition(value) : printValue(value)
}

function* mapItems<Item>(items: Iterable<Item>, write: (item: Item) => string): Generator<string> {
  for (const item of items) yield write(item)
}
