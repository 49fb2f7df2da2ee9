import { throwIssue } from '../../base/issue.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { formatAsString } from '../../language/types/printing/ruby-text.ts'
import { Binary } from '../../language/values/binary.ts'
import { Float } from '../../language/values/float.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { isAbsolutePath, normalizePath } from '../../machine/windows/machine-path.ts'
import { failWithFormError, failWithMessage, issues } from './issues.ts'

/** The data type of an attribute: validates and converts a value, or throws. */
export interface AttributeKind<Result> {
  parse(value: Value): Result
  /** True if an array is one value, not a list of alternatives. */
  readonly list?: true
  /** True if an error reports a failed conversion and contains the value (Puppet: `munge`). */
  readonly munges?: true
  /** True to accept strings that are not UTF-8. */
  readonly bytes?: true
  /** All permitted values, if they are a finite list. */
  readonly values?: readonly string[]
}

/** Parsed values of attributes. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue }

/** The value as JSON-like data. Integers above 2^53 lose precision; no attribute needs such integers. */
export function toPlainValue(value: Value): PlainValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === undefined) return null
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Float) return value.value
  if (value instanceof Binary) return value.bytes
  if (Array.isArray(value)) return value.map(toPlainValue)
  if (value instanceof Hash)
    return Object.fromEntries([...value].map(([key, each]) => [formatAsString(key), toPlainValue(each)]))
  return formatAsString(value)
}

/** Throws Puppet's error for a value that `munge` cannot convert. */
export function failMunging(name: string, value: Value, why: string): never {
  return failWithMessage(formatMungingError(name, value, why))
}

/** The error message for a value that cannot be converted. */
export function formatMungingError(name: string, value: Value, why: string): string {
  return `Munging failed for value ${inspectPlainValue(toPlainValue(value))} in class ${name}: ${why}`
}

/** A value in the notation of Ruby's `inspect`, for messages. */
export function inspectPlainValue(value: unknown): string {
  if (value === undefined || value === null) return 'nil'
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inspectPlainValue).join(', ')}]`
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return `{${Object.entries(value)
      .map(([key, each]) => `${inspectPlainValue(key)}=>${inspectPlainValue(each)}`)
      .join(', ')}}`
  return String(value)
}

/** Any text; numbers and booleans are converted to text. */
export const textKind: AttributeKind<string> = { parse: toPlainText }

/** A value as text, like Ruby's `to_s`. */
export function toPlainText(value: Value): string {
  return value instanceof Hash ? inspectPlainValue(toPlainValue(value)) : String(toPlainValue(value))
}

/** Text, or bytes that are not UTF-8. */
export const textOrBytes: AttributeKind<string> = { ...textKind, bytes: true }

/** Accepts any value, and converts it to plain data. */
export const anyKind: AttributeKind<PlainValue> = { parse: toPlainValue }

/** An integer, or text that contains one. */
export const integerKind: AttributeKind<number> = {
  parse(value) {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : toPlainValue(value)
    if (typeof number !== 'number' || !Number.isInteger(number))
      throwIssue(issues.INVALID_VALUE, {
        value: inspectPlainValue(toPlainValue(value)),
        valid: 'Valid values match /^\\d+$/.',
      })
    return number
  },
}

/** `true`, `false`, or Puppet's other names for them (Puppet: Coercion.boolean). */
export const booleanKind: AttributeKind<boolean> = {
  values: ['true', 'false', 'yes', 'no'],
  parse(value) {
    if (value === true || value === 'true' || value === 'yes') return true
    if (value === false || value === 'false' || value === 'no') return false
    return throwIssue(issues.INVALID_VALUE, {
      value: inspectPlainValue(toPlainValue(value)),
      valid: 'Valid values are true, false, yes, no.',
    })
  },
}

/**
 * A boolean for attributes that Puppet validates separately, with an error that does not list the
 * permitted values.
 */
export const coercedBoolean: AttributeKind<boolean> = {
  ...booleanKind,
  munges: true,
  parse: (value) =>
    booleanKind.values?.includes(toPlainText(value))
      ? booleanKind.parse(value)
      : failWithFormError('expected a boolean value'),
}

/** Only `true` and `false`. */
export const trueOrFalse: AttributeKind<boolean> = {
  values: ['true', 'false'],
  parse: (value) => createEnumKind('true', 'false').parse(value) === 'true',
}

/** One of several words; `true` and `false` count as words. */
export function createEnumKind<const Words extends readonly string[]>(...words: Words): AttributeKind<Words[number]> {
  return {
    values: words,
    parse(value) {
      const word = toPlainText(value)
      if (!words.includes(word))
        throwIssue(issues.INVALID_VALUE, {
          value: inspectPlainValue(toPlainValue(value)),
          valid: `Valid values are ${words.join(', ')}.`,
        })
      return word
    },
  }
}

/** Adds aliases for some values. */
export function addAliases<Result>(
  kind: AttributeKind<Result>,
  aliases: Readonly<Record<string, string>>,
): AttributeKind<Result> {
  return { ...kind, parse: (value) => kind.parse(getOwnValue(aliases, String(value)) ?? value) }
}

/** Text that matches a pattern. */
export function createPatternKind(pattern: RegExp): AttributeKind<string> {
  return {
    parse(value) {
      const word = toPlainText(value)
      if (!pattern.test(word))
        throwIssue(issues.INVALID_VALUE, {
          value: inspectPlainValue(toPlainValue(value)),
          valid: `Valid values match ${pattern}.`,
        })
      return word
    },
  }
}

/** A list of values; a single value becomes a list of one. */
export function createListKind<Result>(kind: AttributeKind<Result>): AttributeKind<readonly Result[]> {
  return {
    list: true,
    ...(kind.values && { values: kind.values }),
    parse: (value) =>
      (Array.isArray(value) ? (value.flat(Number.POSITIVE_INFINITY) as Value[]) : [value]).map(kind.parse),
  }
}

/** A value converted by `parse`. */
export function createParsedKind<Result>(parse: (value: Value) => Result): AttributeKind<Result> {
  return { parse }
}

/** An absolute path, normalized and without a trailing slash. */
export const absolutePath: AttributeKind<string> = {
  parse(value) {
    const path = toPlainText(value)
    if (!isAbsolutePath(path)) throwIssue(issues.NOT_ABSOLUTE, { path })
    return normalizePath(path)
  },
}

/** An absolute path, unchanged. */
export const fullPath: AttributeKind<string> = {
  parse(value) {
    const path = toPlainText(value)
    if (!isAbsolutePath(path)) throwIssue(issues.NOT_ABSOLUTE, { path })
    return path
  },
}

/**
 * True for a string that is not UTF-8, or an array with one. Most attributes reject such strings,
 * as they become names, commands or patterns.
 */
export function hasInvalidUtf8(value: Value): boolean {
  return Array.isArray(value) ? value.some(hasInvalidUtf8) : typeof value === 'string' && !value.isWellFormed()
}
