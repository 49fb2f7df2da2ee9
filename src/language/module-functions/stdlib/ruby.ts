import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseLeadingInteger, truncateNumber } from '../../ruby-semantics/numbers/number-parsing.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { toText } from '../../types/printing/text.ts'
import { getRubyClassName } from '../../types/ruby-class.ts'
import { Float } from '../../values/float.ts'
import { isType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'

/** Ruby class of a value in a 3.x function, where references are resources. */
export function getLegacyClass(value: Value): string {
  return isType(value) && (value.kind === 'Resource' || value.kind === 'Class')
    ? 'Puppet::Resource'
    : getRubyClassName(value)
}

/** Throws an error with the message of Ruby's NoMethodError. */
export function failNoMethod(method: string, value: Value): never {
  return throwArgumentError(
    `undefined method \`${method}' for ${inspectValue(value)}${value === undefined || typeof value !== 'object' ? `:${getRubyClassName(value)}` : `:${getLegacyClass(value)}`}`,
  )
}

/** Throws Ruby's error for a value that is not a string but is used as one. */
export function failNotString(value: Value): never {
  const kind = value === undefined ? 'nil' : typeof value === 'boolean' ? String(value) : getLegacyClass(value)
  return throwArgumentError(`no implicit conversion of ${kind} into String`)
}

/** Converts a value of a 3.x function to text, like Ruby's `to_s`; references are resources. */
export function toLegacyText(value: Value): string {
  return getLegacyClass(value) === 'Puppet::Resource' ? toText(value).replaceAll("'", '') : formatAsString(value)
}

/** Converts a value to an integer, like Ruby's `to_i`. */
export function toInteger(value: Value): number | bigint {
  if (value === undefined) return 0
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'string') return parseLeadingInteger(value)
  return value instanceof Float ? truncateNumber(value.value) : failNoMethod('to_i', value)
}

/** Ruby's `Array()`: an array is returned unchanged; undef gives an empty array. */
export function toArray(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : [value]
}
