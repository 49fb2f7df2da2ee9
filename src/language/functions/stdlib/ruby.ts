import { rubyClass } from '../../types/ruby-class.ts'
import { isType } from '../../types/type.ts'
import { refuse } from '../../values/argument-error.ts'
import { Float } from '../../values/float.ts'
import { normalizeInteger } from '../../values/integer.ts'
import { toText } from '../../values/print.ts'
import type { Value } from '../../values/value.ts'
import { rubyInspect, rubyText } from '../ruby-text.ts'

/** The class of a value as a 3.x function sees it: references are resources. */
export function classOf(value: Value): string {
  return isType(value) && (value.kind === 'Resource' || value.kind === 'Class') ? 'Puppet::Resource' : rubyClass(value)
}

/** Throws what Ruby says of a method that a value has not. */
export function noMethod(method: string, value: Value): never {
  return refuse(
    `undefined method \`${method}' for ${rubyInspect(value)}${value === undefined || typeof value !== 'object' ? `:${rubyClass(value)}` : `:${classOf(value)}`}`,
  )
}

/** Throws what Ruby says where it wants a text and gets another value. */
export function noText(value: Value): never {
  const kind = value === undefined ? 'nil' : typeof value === 'boolean' ? String(value) : classOf(value)
  return refuse(`no implicit conversion of ${kind} into String`)
}

/** A value's text as Ruby's `to_s` gives it in a 3.x function: references are resources there. */
export function textOf(value: Value): string {
  return classOf(value) === 'Puppet::Resource' ? toText(value).replaceAll("'", '') : rubyText(value)
}

/** Ruby's `String#to_i`: the number at the beginning, or zero. */
export function integerAtStart(text: string): number | bigint {
  const digits = /^\s*([-+]?\d+(?:_\d+)*)/.exec(text)?.[1]
  return digits === undefined ? 0 : normalizeInteger(BigInt(digits.replaceAll('_', '').replace(/^\+/, '')))
}

/** Ruby's `to_i`. */
export function toInteger(value: Value): number | bigint {
  if (value === undefined) return 0
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'string') return integerAtStart(value)
  return value instanceof Float ? wholeOf(value.value) : noMethod('to_i', value)
}

/** The integer towards zero. Ruby has none for what is not finite. */
export function wholeOf(value: number): number | bigint {
  if (!Number.isFinite(value)) return refuse(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity')
  return normalizeInteger(Math.trunc(value) + 0)
}

/** Ruby's `String#to_f`: the number at the beginning, or zero. */
export function floatAtStart(text: string): Float {
  const digits =
    /^\s*([-+]?(?:\d+(?:_\d+)*)?(?:(?<=\d)\.\d+(?:_\d+)*|(?<!\d)\.\d+(?:_\d+)*)?(?:(?<=\d)[eE][-+]?\d+)?)/.exec(
      text,
    )?.[1]
  return new Float(Number(digits?.replaceAll('_', '') || 0))
}

/** Ruby's `Float()` of a text; `undefined` where it refuses. */
export function strictFloat(text: string): number | undefined {
  const bare = text.trim()
  if (
    /^[-+]?\d+(_\d+)*(\.\d+(_\d+)*)?([eE][-+]?\d+(_\d+)*)?$/.test(bare) ||
    /^[-+]?\.\d+(_\d+)*([eE][-+]?\d+)?$/.test(bare)
  )
    return Number(bare.replaceAll('_', ''))
  const hex = /^([-+]?)(0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*)$/.exec(bare)
  return hex ? Number(hex[2]!.replaceAll('_', '')) * (hex[1] === '-' ? -1 : 1) : undefined
}

/** Ruby's `Integer()` of a text; `undefined` where it refuses. */
export function strictInteger(text: string): number | bigint | undefined {
  const found =
    /^\s*([-+]?)(0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*|0[bB][01]+(?:_[01]+)*|0[dD]\d+(?:_\d+)*|0[oO]?_?[0-7]+(?:_[0-7]+)*|0|[1-9]\d*(?:_\d+)*)\s*$/.exec(
      text,
    )
  if (!found) return undefined
  const [, sign, written] = found as unknown as [string, string, string]
  const digits = written.replaceAll('_', '').toLowerCase()
  const size = /^0[xb]/.test(digits)
    ? BigInt(digits)
    : /^0d/.test(digits)
      ? BigInt(digits.slice(2))
      : /^0o?[0-7]+$/.test(digits)
        ? BigInt(`0o${digits.replace(/^0o?/, '')}`)
        : BigInt(digits)
  return normalizeInteger(sign === '-' ? -size : size)
}

/** The texts with which Ruby's `Regexp.escape` writes a text. */
export function escapeRegexp(text: string): string {
  return text.replace(
    /[[\]{}()|\-*.\\?+^$# \t\f\v\n\r]/g,
    (found) =>
      `\\${({ '\t': 't', '\f': 'f', '\v': 'v', '\n': 'n', '\r': 'r' } as Record<string, string>)[found] ?? found}`,
  )
}

/** A value as an array: itself if it is one, nothing for undef. Ruby's `Array()`. */
export function arrayOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : [value]
}
