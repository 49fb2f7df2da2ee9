import { refuse } from '../../ruby-semantics/argument-error.ts'
import { compareTexts } from '../../ruby-semantics/text/compare.ts'
import { rubyInspect } from '../../types/printing/ruby-text.ts'
import { rubyClass } from '../../types/ruby-class.ts'
import { Float } from '../../values/float.ts'
import { isSame } from '../../values/hash-key.ts'
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
  return isSame(a, b) ? 0 : undefined
}

/** Ruby's `<=>`. Throws if the values cannot be compared. */
export function orderAsRuby(a: Value, b: Value): number {
  const order = compareAsRuby(a, b)
  if (order !== undefined) return order
  const other = typeof b === 'object' && b !== null && !(b instanceof Float) ? rubyClass(b) : plainName(b)
  const message = `comparison of ${rubyClass(a)} with ${other} failed`
  return refuse(message)
}

/** Converts a block's result to the order of two values. Throws if the result is not a number. */
export function toOrder(answer: Value, a: Value, b: Value): number {
  if (typeof answer === 'number' || typeof answer === 'bigint') return Number(answer)
  if (answer instanceof Float) return answer.value
  const [one, other] = answer === undefined ? [rubyClass(a), rubyClass(b)] : [rubyClass(answer), '0']
  return refuse(`comparison of ${one} with ${other} failed`)
}

/** Ruby's `==`: compares numbers by value regardless of type, and strings with case. */
export function rubyEquals(a: Value, b: Value): boolean {
  return isSame(a, b) || compareAsRuby(a, b) === 0
}

/** Name of a value in Ruby's messages: the class of a string, the `inspect` text of other values. */
function plainName(value: Value): string {
  return typeof value === 'string' ? 'String' : rubyInspect(value)
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
