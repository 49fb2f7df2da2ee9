import { Float } from './float.ts'
import type { Timespan, Timestamp } from './time.ts'

const nanosecondsInSecond = 1_000_000_000n

/** Converts a time to seconds, rounded to the nearest double. */
export function toSeconds({ nanoseconds }: Timestamp | Timespan): number {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const digits = String(size).padStart(10, '0')
  return Number(`${nanoseconds < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`)
}

/** Converts a time to whole seconds, rounded down. */
export function toWholeSeconds({ nanoseconds }: Timestamp | Timespan): bigint {
  const part = nanoseconds % nanosecondsInSecond
  return nanoseconds / nanosecondsInSecond - (part < 0n ? 1n : 0n)
}

/**
 * Compares a time with a number. An Integer is compared with the time's whole seconds. Puppet: pops/time/timespan.rb.
 */
export function compareWithNumber(time: Timestamp | Timespan, number: number | bigint | Float): number {
  if (number instanceof Float) return Math.sign(toSeconds(time) - number.value)
  const whole = toWholeSeconds(time)
  return whole < number ? -1 : whole > number ? 1 : 0
}
