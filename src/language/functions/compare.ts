import { compareTexts } from '../ruby-semantics/text/compare.ts'
import { getLabel } from '../types/printing/label.ts'
import { Float } from '../values/float.ts'
import type { SemVer } from '../values/semver.ts'
import type { Timespan } from '../values/time.ts'
import { compareWithNumber } from '../values/time-seconds.ts'
import type { Value } from '../values/value.ts'
import { compareAsRuby } from './collections/ruby-compare.ts'
import { defineFunction } from './definition/define-function.ts'

/** `compare`: ignores ASCII case unless the third argument is false. Compares a time with a number of seconds. */
export const compare = defineFunction(
  'compare',
  'Compares two numbers, strings, versions or times; returns -1, 0 or 1.',
  {
    'Numeric $a, Numeric $b': (a: Value, b: Value) => compareAsRuby(a, b)!,
    'String $a, String $b, Boolean $ignore_case?': (a: string, b: string, ignoreCase = true) =>
      ignoreCase ? compareTexts(lowerAscii(a), lowerAscii(b)) : compareTexts(a, b),
    'SemVer $a, SemVer $b': (a: SemVer, b: SemVer) => compareAsRuby(a, b)!,
    'Numeric $a, Variant[Timespan, Timestamp] $b': compareTimes,
    'Timestamp $a, Variant[Timestamp, Numeric] $b': compareTimes,
    'Timespan $a, Variant[Timespan, Numeric] $b': compareTimes,
  },
  {
    types: { Comparable: 'Variant[String, SemVer, Numeric, Timespan, Timestamp]' },
    mismatch: {
      'Comparable $a, Comparable $b, Any *$ignore_case': (a: Value, b: Value, [ignoreCase, ...more]: Value[]) => {
        if ((ignoreCase !== undefined || more.length > 0) && (typeof a !== 'string' || typeof b !== 'string'))
          return 'compare(): The third argument (ignore case) can only be used when comparing strings'
        if (more.length > 0) return `compare(): Accepts at most 3 arguments, got ${3 + more.length}`
        if (ignoreCase !== undefined)
          return `compare(): The third argument (ignore case) must be a Boolean. Got ${getLabel(ignoreCase)}`
        return (
          'compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). ' +
          `Got ${getLabel(a)} and ${getLabel(b)}`
        )
      },
      'Any $a, Any $b, Any *$ignore_case': (a: Value, b: Value) =>
        'compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp ' +
        `can be compared. Got ${getLabel(a)} and ${getLabel(b)}`,
    },
  },
)

/** A time and a whole number are compared by whole seconds. Puppet: pops/time/timespan.rb. */
function compareTimes(a: Value, b: Value): number {
  if (!isNumber(a) && !isNumber(b)) return compareAsRuby(a, b)!
  return isNumber(a) ? -compareWithNumber(b as Timespan, a) : compareWithNumber(a as Timespan, b as number)
}

function isNumber(value: Value): value is number | bigint | Float {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float
}

/** Converts ASCII letters to lower case, like Ruby's `casecmp`. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
