import { refuse } from '../ruby-semantics/argument-error.ts'
import { foldCase, isNumber } from './equals.ts'
import { Float } from './float.ts'
import { compareWithNumber, toSeconds } from './seconds.ts'
import { SemVer } from './semver.ts'
import { Timespan, Timestamp } from './time.ts'
import { Default, type Value } from './value.ts'

/**
 * Compares two values and returns a negative number, zero or a positive number. Throws RUNTIME_ERROR with Puppet's
 * reason.
 */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'string') {
    if (typeof b !== 'string') return refuse('A String is not comparable to a non String')
    return order(foldCase(a), foldCase(b))
  }
  if (isNumber(a)) {
    if (isNumber(b)) return order(plain(a), plain(b))
    if (b instanceof Timespan || b instanceof Timestamp) return order(plain(a), toSeconds(b))
    return refuse('A Numeric is not comparable to non Numeric')
  }
  if (a instanceof Timespan) {
    if (b instanceof Timespan) return order(a.nanoseconds, b.nanoseconds)
    if (isNumber(b)) return compareWithNumber(a, b)
    return refuse('Timespans are only comparable to Timespans, Integers, and Floats')
  }
  if (a instanceof Timestamp) {
    if (b instanceof Timestamp) return order(a.nanoseconds, b.nanoseconds)
    if (isNumber(b)) return compareWithNumber(a, b)
    return refuse('Timestamps are only comparable to Timestamps, Integers, and Floats')
  }
  if (a instanceof SemVer)
    return b instanceof SemVer ? SemVer.compare(a, b) : refuse('Versions not comparable to non Versions')
  if (a instanceof Default) return b instanceof Default ? 0 : refuse('Symbol not comparable to non Symbol')
  return refuse('Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable')
}

function order<Comparable extends string | number | bigint>(a: Comparable, b: Comparable): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function plain(value: number | bigint | Float): number | bigint {
  return value instanceof Float ? value.value : value
}
