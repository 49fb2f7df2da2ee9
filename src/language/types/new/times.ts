import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Float } from '../../values/float.ts'
import type { Hash } from '../../values/hash.ts'
import { parseTimestamp } from '../../values/parse-timestamp.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { parseTimespan } from '../../values/timespan-format.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { parseTimespanHash } from '../parse-timespan-hash.ts'
import type { NewFunction } from './new-function.ts'

const types = { Formats: 'Variant[String[2],Array[String[2], 1]]' }
type Formats = string | readonly string[] | undefined
type Seconds = number | bigint | Float

function toNanoseconds(seconds: Seconds): bigint {
  if (seconds instanceof Float) return BigInt(Math.trunc(seconds.value * 1e9))
  return BigInt(seconds) * 1_000_000_000n
}

/** Implements `Timespan.new`. */
export const newTimespan: NewFunction = {
  name: 'new_timespan',
  types,
  dispatches: [
    { parameters: ['Variant[Integer,Float] seconds'], run: ([seconds]) => new Timespan(toNanoseconds(seconds)) },
    {
      parameters: ['String[1] string', 'Formats format?'],
      run: ([text, format]: readonly [string, Formats]) => new Timespan(parseTimespan(text, format)),
    },
    {
      parameters: [
        'Integer days',
        'Integer hours',
        'Integer minutes',
        'Integer seconds',
        'Integer milliseconds?',
        'Integer microseconds?',
        'Integer nanoseconds?',
      ],
      run: (fields: readonly (number | bigint)[]) => new Timespan(combineFields(fields)),
    },
    {
      parameters: ['Struct[{string => String[1], Optional[format] => Formats}] hash_arg'],
      run: ([hash]: readonly Hash[]) => new Timespan(parseTimespanHash(hash!)),
    },
    {
      parameters: [
        `Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] hash_arg`,
      ],
      run: ([hash]: readonly Hash[]) => new Timespan(parseTimespanHash(hash!)),
    },
  ],
}

function combineFields(fields: readonly (number | bigint)[]): bigint {
  const sizes = [24n, 60n, 60n, 1000n, 1000n, 1000n, 1n]
  return sizes.reduce((sum, size, index) => (sum + BigInt(fields[index] ?? 0)) * size, 0n)
}

/** Implements `Timestamp.new`; without arguments, it returns the time supplied by the host. */
export const newTimestamp: NewFunction = {
  name: 'new_timestamp',
  types,
  dispatches: [
    { parameters: [], run: (_, context) => getHostTime(context) },
    { parameters: ['Variant[Integer,Float] seconds'], run: ([seconds]) => new Timestamp(toNanoseconds(seconds)) },
    {
      parameters: ['String[1] string', 'Formats format?', 'String[1] timezone?'],
      run: ([text, format, zone]: readonly [string, Formats, string?]) => parseTimestamp(text, format, zone),
    },
    {
      parameters: [
        'Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}] hash_arg',
      ],
      run: ([hash]: readonly Hash[]) => {
        const getField = (name: string): Value => hash!.get(name)
        return parseTimestamp(
          getField('string') as string,
          toFormats(getField('format')),
          getField('timezone') as string | undefined,
        )
      },
    },
  ],
}

function toFormats(given: Value): Formats {
  return given === DEFAULT ? undefined : (given as Formats)
}

/** Returns the time supplied by the host; throws if there is none. A catalog must not depend on the clock. */
function getHostTime({ host }: CallContext): Timestamp {
  return host.time ?? throwArgumentError('The current time is not available here')
}
