import { Float } from './float.ts'
import { Hash } from './hash.ts'
import { isSame } from './hash-key.ts'
import { compareWithNumber } from './seconds.ts'
import { Timespan, Timestamp } from './time.ts'
import type { Value } from './value.ts'

/**
 * The operator `==`: compares strings without case, numbers by value (`1 == 1.0`), and collections by their elements.
 */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return true
  if (typeof a === 'string') return typeof b === 'string' && foldCase(a) === foldCase(b)
  if (a === undefined || b === undefined) return false
  if (isNumber(a) && isTime(b)) return compareWithNumber(b, a) === 0
  if (isNumber(a)) return isNumber(b) && toNumber(a) === toNumber(b) && (typeof a !== 'bigint' || typeof b !== 'bigint')
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => equals(each, b[index]))
  if (a instanceof Hash)
    return b instanceof Hash && a.size === b.size && [...a].every(([key, value]) => equals(b.get(key), value))
  if (isTime(a)) return equalsTime(a, b)
  return isSame(a, b)
}

/** Folds ASCII letters only, as Ruby's `casecmp` does. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** True for an Integer or a Float. */
export function isNumber(value: Value): value is number | bigint | Float {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float
}

function isTime(value: Value): value is Timestamp | Timespan {
  return value instanceof Timestamp || value instanceof Timespan
}

function toNumber(value: number | bigint | Float): number {
  return value instanceof Float ? value.value : Number(value)
}

function equalsTime(a: Timestamp | Timespan, b: Value): boolean {
  if (isNumber(b)) return compareWithNumber(a, b) === 0
  return a.constructor === (b as object).constructor && a.nanoseconds === (b as Timestamp).nanoseconds
}
