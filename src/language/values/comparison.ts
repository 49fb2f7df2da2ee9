import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { foldCase, isNumericValue } from './equality.ts'
import { Float } from './float.ts'
import { SemVer } from './semver.ts'
import { Timespan, Timestamp } from './time.ts'
import { compareWithNumber, toSeconds } from './time-seconds.ts'
import { Default, type Value } from './value.ts'

/**
 * Compares two values and returns a negative number, zero or a positive number. Throws RUNTIME_ERROR with Puppet's
 * reason.
 */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string') {
    if (typeof b !== 'string') return throwArgumentError('A String is not comparable to a non String')
    return comparePrimitives(foldCase(a), foldCase(b))
  }
  if (isNumericValue(a)) {
    if (isNumericValue(b)) return comparePrimitives(toPlainNumber(a), toPlainNumber(b))
    if (b instanceof Timespan || b instanceof Timestamp) return comparePrimitives(toPlainNumber(a), toSeconds(b))
    return throwArgumentError('A Numeric is not comparable to non Numeric')
  }
  if (a instanceof Timespan) {
    if (b instanceof Timespan) return comparePrimitives(a.nanoseconds, b.nanoseconds)
    if (isNumericValue(b)) return compareWithNumber(a, b)
    return throwArgumentError('Timespans are only comparable to Timespans, Integers, and Floats')
  }
  if (a instanceof Timestamp) {
    if (b instanceof Timestamp) return comparePrimitives(a.nanoseconds, b.nanoseconds)
    if (isNumericValue(b)) return compareWithNumber(a, b)
    return throwArgumentError('Timestamps are only comparable to Timestamps, Integers, and Floats')
  }
  if (a instanceof SemVer)
    return b instanceof SemVer ? SemVer.compare(a, b) : throwArgumentError('Versions not comparable to non Versions')
  if (a instanceof Default) return b instanceof Default ? 0 : throwArgumentError('Symbol not comparable to non Symbol')
  return throwArgumentError('Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable')
}

function comparePrimitives<Comparable extends string | number | bigint>(a: Comparable, b: Comparable): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function toPlainNumber(value: number | bigint | Float): number | bigint {
  return value instanceof Float ? value.value : value
}
