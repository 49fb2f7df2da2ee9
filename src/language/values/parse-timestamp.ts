import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { type ParsedTime, parseTime } from '../ruby-semantics/time/strptime.ts'
import { parseOffset } from '../ruby-semantics/time/time-zones.ts'
import { Timestamp } from './time.ts'

const withoutZone = ['%FT%T.%N', '%FT%T', '%F %T.%N', '%F %T', '%F']
const withZone = ['%FT%T.%N %Z', '%FT%T %Z', '%F %T.%N %Z', '%F %T %Z', '%F %Z']

/** Parses a point in time. Uses UTC if neither the text nor `timezone` contains a zone. Puppet: time/timestamp.rb. */
export function parseTimestamp(text: string, formats?: string | readonly string[], timezone?: string): Timestamp {
  const zoned = timezone !== undefined && timezone !== ''
  const all = formats ?? (zoned ? withoutZone : [...withZone, ...withoutZone])
  const parsed = typeof all === 'string' ? readByFormat(text, all, zoned) : readByFormats(text, all, zoned)
  const local = toNanoseconds(parsed)
  const zone = zoned ? timezone : parsed.zone
  return new Timestamp(zone === undefined ? local : local - BigInt(Math.round(getZoneOffset(zone) * 1e9)))
}

/** Seconds east of UTC. `current` gives UTC, because results must not depend on the server's time zone. */
function getZoneOffset(zone: string): number {
  if (zone.toLowerCase() === 'current') return 0
  return parseOffset(zone) ?? throwArgumentError(`Illegal timezone '${zone}'`)
}

/**
 * Minutes east of UTC of the zone in which a time is printed; `undefined` for the zone UTC itself. Ruby:
 * `Time#localtime`.
 */
export function getPrintedOffset(zone: string): number | undefined {
  if (zone === '-00:00') return undefined
  const [, sign, hours, minutes] = /^([-+])(\d\d):(\d\d)$/.exec(zone) ?? []
  if (Number(minutes) > 59)
    throwArgumentError(`"+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: ${zone}`)
  const size = Number(hours) * 60 + Number(minutes)
  const offset = sign === undefined ? Math.floor(getZoneOffset(zone) / 60) : sign === '-' ? -size : size
  return Math.abs(offset) >= 24 * 60 ? throwArgumentError('utc_offset out of range') : offset
}

function readByFormat(text: string, format: string, zoned: boolean): ParsedTime {
  const parsed = parseTime(text, format)
  if (!parsed) return throwArgumentError(`Unable to parse '${text}' using format '${format}'`)
  if (zoned && parsed.zone !== undefined)
    throwArgumentError(
      'Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument',
    )
  return parsed
}

function readByFormats(text: string, formats: readonly string[], zoned: boolean): ParsedTime {
  for (const format of formats) {
    const parsed = parseTime(text, format)
    if (parsed && !(zoned && parsed.zone !== undefined)) return parsed
  }
  return throwArgumentError(`Unable to parse '${text}' using any of the formats ${formats.join(', ')}`)
}

/**
 * Nanoseconds since 1970 of a time in UTC. A day or hour out of range carries into the next month
 * or day. Ruby: `Time.utc`.
 */
function toNanoseconds({
  year,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
  nanoseconds = 0n,
}: ParsedTime): bigint {
  if (year === undefined) return throwArgumentError('no implicit conversion of nil into Integer')
  // JavaScript dates end at about this year; Ruby's do not.
  if (Math.abs(year) > 270_000 || (hour === 24 && (minute > 0 || second > 0)))
    throwArgumentError('argument out of range')
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return BigInt(date.getTime()) * 1_000_000n + nanoseconds
}
