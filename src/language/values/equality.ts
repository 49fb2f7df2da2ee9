import { Float } from './float.ts'
import { Hash } from './hash.ts'
import { isSameKey } from './hash-key.ts'
import { Timespan, Timestamp } from './time.ts'
import { compareWithNumber } from './time-seconds.ts'
import type { Value } from './value.ts'

/**
 * The operator `==`: compares strings without case, numbers by value (`1 == 1.0`), and collections by their elements.
 */
export function isEqualValue(a: Value, b: Value): boolean {
  if (a === b) return true
  if (typeof a === 'string') return typeof b === 'string' && foldCase(a) === foldCase(b)
  if (a === undefined || b === undefined) return false
  if (isNumericValue(a) && isTime(b)) return compareWithNumber(b, a) === 0
  if (isNumericValue(a))
    return isNumericValue(b) && toNumber(a) === toNumber(b) && (typeof a !== 'bigint' || typeof b !== 'bigint')
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isEqualValue(each, b[index]))
  if (a instanceof Hash)
    return b instanceof Hash && a.size === b.size && [...a].every(([key, value]) => isEqualValue(b.get(key), value))
  if (isTime(a)) return isEqualTime(a, b)
  return isSameKey(a, b)
}

/** Folds ASCII letters only, as Ruby's `casecmp` does. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** True for an Integer or a Float. */
export function isNumericValue(value: Value): value is number | bigint | Float {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float
}

function isTime(value: Value): value is Timestamp | Timespan {
  return value instanceof Timestamp || value instanceof Timespan
}

function toNumber(value: number | bigint | Float): number {
  return value instanceof Float ? value.value : Number(value)
}

function isEqualTime(a: Timestamp | Timespan, b: Value): boolean {
  if (isNumericValue(b)) return compareWithNumber(a, b) === 0
  return a.constructor === (b as object).constructor && a.nanoseconds === (b as Timestamp).nanoseconds
}
