import { parseStrictInteger } from '../../../../language/ruby-semantics/numbers/number-parsing.ts'
import { inspectPlainValue, type PlainValue } from '../../attribute-kinds.ts'

/** The integer of a value, as `Integer()` of Ruby returns it. A string is the error message. */
export function toRubyInteger(value: PlainValue | undefined): number | string {
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value !== 'string') return `can't convert ${describeKind(value)} into Integer`
  const number = parseStrictInteger(value)
  return number === undefined ? `invalid value for Integer(): ${inspectPlainValue(value)}` : Number(number)
}

function describeKind(value: PlainValue | undefined): string {
  if (value === undefined || value === null) return 'nil'
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'Array' : 'Hash'
}
