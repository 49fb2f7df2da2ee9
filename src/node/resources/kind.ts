import { fail } from '../../base/issue.ts'
import { ownValue } from '../../base/own-value.ts'
import { Binary } from '../../language/values/binary.ts'
import { Float } from '../../language/values/float.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { complain, complainAboutForm, issues } from './issues.ts'

/** The data type of an attribute: validates and converts a value, or throws. */
export interface Kind<Result> {
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
export type Plain = string | number | boolean | null | Uint8Array | readonly Plain[] | { readonly [key: string]: Plain }

/** The value as JSON-like data. Integers above 2^53 lose precision; no attribute needs such integers. */
export function plain(value: Value): Plain {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === undefined) return null
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Float) return value.value
  if (value instanceof Binary) return value.bytes
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Hash) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]))
  return String(value)
}

/** Throws Puppet's error for a value that `munge` cannot convert. */
export function failMunging(name: string, value: Value, why: string): never {
  return complain(mungingFailed(name, value, why))
}

/** The error message for a value that cannot be converted. */
export function mungingFailed(name: string, value: Value, why: string): string {
  return `Munging failed for value ${inspect(plain(value))} in class ${name}: ${why}`
}

/** A value in the notation of Ruby's `inspect`, for messages. */
export function inspect(value: unknown): string {
  if (value === undefined || value === null) return 'nil'
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inspect).join(', ')}]`
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return `{${Object.entries(value)
      .map(([key, each]) => `${inspect(key)}=>${inspect(each)}`)
      .join(', ')}}`
  return String(value)
}

/** Any text; numbers and booleans are converted to text. */
export const text: Kind<string> = { parse: (value) => String(plain(value)) }

/** Text, or bytes that are not UTF-8. */
export const textOrBytes: Kind<string> = { ...text, bytes: true }

/** Any value as plain data. */
export const anything: Kind<Plain> = { parse: plain }

/** An integer, or text that contains one. */
export const integer: Kind<number> = {
  parse(value) {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : plain(value)
    if (typeof number !== 'number' || !Number.isInteger(number))
      fail(issues.INVALID_VALUE, { value: inspect(plain(value)), valid: 'Valid values match /^\\d+$/.' })
    return number
  },
}

/** `true`, `false`, or Puppet's other names for them (Puppet: Coercion.boolean). */
export const boolean: Kind<boolean> = {
  values: ['true', 'false', 'yes', 'no'],
  parse(value) {
    if (value === true || value === 'true' || value === 'yes') return true
    if (value === false || value === 'false' || value === 'no') return false
    return fail(issues.INVALID_VALUE, { value: inspect(plain(value)), valid: 'Valid values are true, false, yes, no.' })
  },
}

/**
 * A boolean for attributes that Puppet validates separately, with an error that does not list the
 * permitted values.
 */
export const coercedBoolean: Kind<boolean> = {
  ...boolean,
  munges: true,
  parse: (value) =>
    boolean.values?.includes(String(plain(value)))
      ? boolean.parse(value)
      : complainAboutForm('expected a boolean value'),
}

/** Only `true` and `false`. */
export const trueOrFalse: Kind<boolean> = {
  values: ['true', 'false'],
  parse: (value) => oneOf('true', 'false').parse(value) === 'true',
}

/** One of several words; `true` and `false` count as words. */
export function oneOf<const Words extends readonly string[]>(...words: Words): Kind<Words[number]> {
  return {
    values: words,
    parse(value) {
      const word = String(plain(value))
      if (!words.includes(word))
        fail(issues.INVALID_VALUE, { value: inspect(plain(value)), valid: `Valid values are ${words.join(', ')}.` })
      return word
    },
  }
}

/** Adds aliases for some values. */
export function withAliases<Result>(kind: Kind<Result>, aliases: Readonly<Record<string, string>>): Kind<Result> {
  return { ...kind, parse: (value) => kind.parse(ownValue(aliases, String(value)) ?? value) }
}

/** Text that matches a pattern. */
export function matching(pattern: RegExp): Kind<string> {
  return {
    parse(value) {
      const word = String(plain(value))
      if (!pattern.test(word))
        fail(issues.INVALID_VALUE, { value: inspect(plain(value)), valid: `Valid values match ${pattern}.` })
      return word
    },
  }
}

/** A list of values; a single value becomes a list of one. */
export function listOf<Result>(kind: Kind<Result>): Kind<readonly Result[]> {
  return {
    list: true,
    ...(kind.values && { values: kind.values }),
    parse: (value) =>
      (Array.isArray(value) ? (value.flat(Number.POSITIVE_INFINITY) as Value[]) : [value]).map(kind.parse),
  }
}

/** A value converted by `parse`. */
export function parsedBy<Result>(parse: (value: Value) => Result): Kind<Result> {
  return { parse }
}

/** An absolute path, normalized and without a trailing slash. */
export const absolutePath: Kind<string> = {
  parse(value) {
    const path = String(plain(value))
    if (!path.startsWith('/')) fail(issues.NOT_ABSOLUTE, { path })
    return tidyPath(path)
  },
}

/** An absolute path, unchanged. */
export const fullPath: Kind<string> = {
  parse(value) {
    const path = String(plain(value))
    if (!path.startsWith('/')) fail(issues.NOT_ABSOLUTE, { path })
    return path
  },
}

/** Normalizes a path: `/a//b/../c/` becomes `/a/c`. */
export function tidyPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/**
 * True for a string that is not UTF-8, or an array with one. Most attributes reject such strings,
 * as they become names, commands or patterns.
 */
export function hasOtherBytes(value: Value): boolean {
  return Array.isArray(value) ? value.some(hasOtherBytes) : typeof value === 'string' && !value.isWellFormed()
}
