import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { compareTexts } from '../../ruby-semantics/text/compare.ts'
import { inspectValue } from '../../types/printing/ruby-text.ts'
import { getRubyClassName } from '../../types/ruby-class.ts'
import { Float } from '../../values/float.ts'
import { isSameKey } from '../../values/hash-key.ts'
import { SemVer } from '../../values/semver.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import type { Value } from '../../values/value.ts'

/** Ruby's `<=>`: negative, zero or positive; `undefined` if the values cannot be compared. */
export function compareAsRuby(a: Value, b: Value): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  const left = toNumber(a)
  const right = toNumber(b)
  if (left !== undefined && right !== undefined) return left < right ? -1 : left > right ? 1 : 0
  if (Array.isArray(a) && Array.isArray(b)) return compareArrays(a, b)
  if (a instanceof SemVer && b instanceof SemVer) return Math.sign(SemVer.compare(a, b))
  if (isTime(a) && isTime(b) && a.constructor === b.constructor) return compareTimes(a, b)
  return isSameKey(a, b) ? 0 : undefined
}

/** Ruby's `<=>`. Throws if the values cannot be compared. */
export function requireRubyOrder(a: Value, b: Value): number {
  const order = compareAsRuby(a, b)
  if (order !== undefined) return order
  const other = typeof b === 'object' && b !== null && !(b instanceof Float) ? getRubyClassName(b) : getRubyLabel(b)
  const message = `comparison of ${getRubyClassName(a)} with ${other} failed`
  return throwArgumentError(message)
}

/** Converts a block's result to the order of two values. Throws if the result is not a number. */
export function toOrder(answer: Value, a: Value, b: Value): number {
  if (typeof answer === 'number' || typeof answer === 'bigint') return Number(answer)
  if (answer instanceof Float) return answer.value
  const [one, other] =
    answer === undefined ? [getRubyClassName(a), getRubyClassName(b)] : [getRubyClassName(answer), '0']
  return throwArgumentError(`comparison of ${one} with ${other} failed`)
}

/** Ruby's `==`: compares numbers by value regardless of type, and strings with case. */
export function isRubyEqual(a: Value, b: Value): boolean {
  return isSameKey(a, b) || compareAsRuby(a, b) === 0
}

/** Name of a value in Ruby's messages: the class of a string, the `inspect` text of other values. */
function getRubyLabel(value: Value): string {
  return typeof value === 'string' ? 'String' : inspectValue(value)
}

function toNumber(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof Float ? value.value : undefined
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number | undefined {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compareAsRuby(a[at], b[at])
    if (order !== 0) return order
  }
  return Math.sign(a.length - b.length)
}

function isTime(value: Value): value is Timestamp | Timespan {
  return value instanceof Timestamp || value instanceof Timespan
}

function compareTimes(a: Timestamp | Timespan, b: Timestamp | Timespan): number {
  return a.nanoseconds < b.nanoseconds ? -1 : a.nanoseconds > b.nanoseconds ? 1 : 0
}
