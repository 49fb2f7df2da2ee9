import { throwArgumentError } from '../argument-error.ts'
import { normalizeInteger } from './integer.ts'

/** Ruby's `String#to_i`: returns the integer at the start of the text, or zero. */
export function parseLeadingInteger(text: string): number | bigint {
  const digits = /^\s*([-+]?\d+(?:_\d+)*)/.exec(text)?.[1]
  return digits === undefined ? 0 : normalizeInteger(BigInt(digits.replaceAll('_', '').replace(/^\+/, '')))
}

/** Truncates a number toward zero. Throws for infinite numbers and NaN, as Ruby does. */
export function truncateNumber(value: number): number | bigint {
  if (!Number.isFinite(value))
    return throwArgumentError(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity')
  return normalizeInteger(Math.trunc(value) + 0)
}

/** Ruby's `String#to_f`: returns the number at the start of the text, or zero. */
export function parseLeadingFloat(text: string): number {
  const digits =
    /^\s*([-+]?(?:\d+(?:_\d+)*)?(?:(?<=\d)\.\d+(?:_\d+)*|(?<!\d)\.\d+(?:_\d+)*)?(?:(?<=\d)[eE][-+]?\d+)?)/.exec(
      text,
    )?.[1]
  return Number(digits?.replaceAll('_', '') || 0)
}

/** Ruby's `Float()` of a string; `undefined` if Ruby rejects it. */
export function parseStrictFloat(text: string): number | undefined {
  const bare = text.trim()
  if (
    /^[-+]?\d+(_\d+)*(\.\d+(_\d+)*)?([eE][-+]?\d+(_\d+)*)?$/.test(bare) ||
    /^[-+]?\.\d+(_\d+)*([eE][-+]?\d+)?$/.test(bare)
  )
    return Number(bare.replaceAll('_', ''))
  const hex = /^([-+]?)(0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*)$/.exec(bare)
  return hex ? Number(hex[2]!.replaceAll('_', '')) * (hex[1] === '-' ? -1 : 1) : undefined
}

/** Ruby's `Integer()` of a string; `undefined` if Ruby rejects it. */
export function parseStrictInteger(text: string): number | bigint | undefined {
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
