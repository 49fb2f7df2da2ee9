import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { parseTimestamp } from '../../values/parse-timestamp.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { parseTimespan } from '../../values/timespan-format.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { parseTimespanHash } from '../parse-timespan-hash.ts'
import { getRubyClassName } from '../ruby-class.ts'

/** Converts a bound of Timestamp or Timespan to nanoseconds. */
export function toTimeBound(kind: 'Timestamp' | 'Timespan', given: Value): bigint | undefined {
  if (given === undefined || given === DEFAULT) return undefined
  if (given instanceof (kind === 'Timestamp' ? Timestamp : Timespan)) return given.nanoseconds
  if (typeof given === 'number' || typeof given === 'bigint') return BigInt(given) * 1_000_000_000n
  if (given instanceof Float) return BigInt(Math.trunc(given.value * 1e9))
  if (typeof given === 'string') return kind === 'Timestamp' ? parseTimestamp(given).nanoseconds : parseTimespan(given)
  if (given instanceof Hash && kind === 'Timespan') return parseTimespanHash(given)
  const message = `Unable to create a Puppet::Pops::Time::${kind} from a ${getRubyClassName(given)}`
  return throwArgumentError(message)
}
