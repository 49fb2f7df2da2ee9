import type { WireTimestamp } from './command.ts'

/**
 * Formats milliseconds since 1970 as a timestamp; `undefined` for years before 0 and after 9999.
 */
export function formatTimestamp(milliseconds: number): WireTimestamp | undefined {
  const date = new Date(milliseconds)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999 ? date.toISOString() : undefined
}

/**
 * Parses a time in any format that PuppetDB accepts. A time without an offset is in UTC.
 * `undefined` if the time is invalid or its year is before 0 or after 9999.
 */
export function parseLooseTime(text: string): WireTimestamp | undefined {
  if (text.length > longest) return undefined
  for (const read of [parseExtendedTime, parseBasicTime, parseMailTime]) {
    const found = read(text)
    if (found !== undefined) return formatTimestamp(found)
  }
  return undefined
}

/** Parses a time in the format of reports: date, time and offset. */
export function parseStrictTime(text: string): WireTimestamp | undefined {
  const [, hours = '0', minutes = '0'] = (text.length <= longest && strictPattern.exec(text)) || []
  const isNear = Number(hours) * 60 + Number(minutes) <= farthestOffset
  return isNear && strictPattern.test(text) ? parseLooseTime(text) : undefined
}

/** Largest offset from UTC in Java, in minutes. */
const farthestOffset = 18 * 60

const longest = 64

const strictPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](\d\d)(?::(\d\d))?)$/i

/**
 * Pattern of an offset from UTC. Its groups contain either `Z`, or the sign, the hours and the
 * minutes.
 */
const offset = '(?:(Z)|([+-])(\\d\\d)(?::?(\\d\\d))?)?'
const date = '([+-]?\\d{1,9})(?:-W(\\d{1,2})(?:-(\\d))?|-(\\d{3})|-(\\d{1,2})(?:-(\\d{1,2}))?)?'
const time = '(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2}))?)?(?:[.,](\\d{1,9}))?'
const extendedPattern = new RegExp(`^(?:${date})?(?:(T| )(?:${time})?${offset})?$`, 'i')
const bareTime = new RegExp(`^${time}${offset}$`, 'i')

/**
 * Parses `2026-11-23T06:32:56.5+01:00` or a shorter form, with week or day of the year, or a time
 * alone.
 */
function parseExtendedTime(text: string): number | undefined {
  if (text === '' || /^\d{8}$/.test(text)) return undefined
  const found = extendedPattern.exec(text)
  if (found && !(found[1] === undefined && found[8] === undefined)) {
    const [, year, week, weekday, ordinal, month, day, between, ...clock] = found
    if (between === ' ' && !isMySqlTime(text)) return undefined
    if (year === undefined) return computeClockTime(clock)
    const days = resolveDay({ year: Number(year), week, weekday, ordinal, month, day })
    return addTimes(days, computeClockTime(clock))
  }
  const alone = bareTime.exec(text)
  return alone ? computeClockTime(alone.slice(1)) : undefined
}

/** True for a time in MySQL's format, which has no offset and no fraction. */
function isMySqlTime(text: string): boolean {
  return /^\d+-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2}$/.test(text)
}

const basicPattern = new RegExp(
  `^(?:(\\d{4})(?:(\\d\\d)(\\d\\d)|(\\d{3})|W(\\d\\d)(\\d)))?(?:T?(\\d\\d)(\\d\\d)(\\d\\d)(?:\\.(\\d{1,9}))?${offset})?$`,
  'i',
)

/** Parses `20261123T063256.000Z`, a format without separators; a time of day requires an offset. */
function parseBasicTime(text: string): number | undefined {
  const found = basicPattern.exec(text)
  if (!found || text === '' || /^\d{7}$/.test(text)) return undefined
  const [, year, month, day, ordinal, week, weekday, hour, minute, second, fraction, ...zone] = found
  const hasZone = zone.some((each) => each !== undefined)
  if ((hour !== undefined) !== hasZone) return undefined
  if (hour !== undefined && year !== undefined && !/t/i.test(text)) return undefined
  const clock = computeClockTime([hour, minute, second, fraction, ...zone])
  if (year === undefined) return clock
  return addTimes(resolveDay({ year: Number(year), week, weekday, ordinal, month, day }), clock)
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const mailPattern = new RegExp(
  `^(${days.join('|')}), (\\d{1,2}) (${months.join('|')}) (\\d{1,9}) (\\d{1,2}):(\\d{1,2}):(\\d{1,2}) ([+-])(\\d\\d):?(\\d\\d)$`,
  'i',
)

/**
 * Parses `Mon, 23 Nov 2026 06:32:56 +0000` (RFC 822). If the day of the week does not match the
 * date, the result is that day within the week of the date, as in Joda-Time.
 */
function parseMailTime(text: string): number | undefined {
  const found = mailPattern.exec(text)
  if (!found) return undefined
  const [, name, day, monthName, year, hour, minute, second, sign, hours, minutes] = found
  const month = String(months.findIndex((each) => each.toLowerCase() === monthName!.toLowerCase()) + 1)
  const start = resolveDay({ year: Number(year), month, day })
  if (start === undefined) return undefined
  const weekday = days.findIndex((each) => each.toLowerCase() === name!.toLowerCase())
  const clock = computeClockTime([hour, minute, second, undefined, undefined, sign, hours, minutes])
  return addTimes(findMonday(start) + weekday * millisecondsOfDay, clock)
}

type Groups = readonly (string | undefined)[]

/** A time of day in milliseconds, minus its offset. */
function computeClockTime([hour, minute, second, fraction, , sign, hours, minutes]: Groups): number | undefined {
  const [h, m, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)]
  const [oh, om] = [Number(hours ?? 0), Number(minutes ?? 0)]
  if (h > 23 || m > 59 || s > 59 || oh > 23 || om > 59) return undefined
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000
  const part = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * unit + 1e-6)
  const away = (oh * 60 + om) * 60_000 * (sign === '-' ? -1 : 1)
  return ((h * 60 + m) * 60 + s) * 1000 + part - away
}

interface Day {
  readonly year: number
  readonly month?: string | undefined
  readonly day?: string | undefined
  readonly ordinal?: string | undefined
  readonly week?: string | undefined
  readonly weekday?: string | undefined
}

const millisecondsOfDay = 86_400_000

/** Start of a day in milliseconds; `undefined` if the calendar does not have that day. */
function resolveDay({ year, month, day, ordinal, week, weekday }: Day): number | undefined {
  if (year < 0 || year > 9999) return undefined
  if (week !== undefined) return resolveWeekDate(year, Number(week), Number(weekday ?? 1))
  if (ordinal !== undefined) {
    const start = computeUtcDay(year, 0, Number(ordinal))
    return Number(ordinal) > 0 && new Date(start).getUTCFullYear() === year ? start : undefined
  }
  const [m, d] = [Number(month ?? 1), Number(day ?? 1)]
  const start = computeUtcDay(year, m - 1, d)
  const made = new Date(start)
  return made.getUTCMonth() === m - 1 && made.getUTCDate() === d && made.getUTCFullYear() === year ? start : undefined
}

/** In ISO 8601, the first week of a year is the week that contains January 4. */
function resolveWeekDate(year: number, week: number, weekday: number): number | undefined {
  const first = findMonday(computeUtcDay(year, 0, 4))
  const start = first + ((week - 1) * 7 + weekday - 1) * millisecondsOfDay
  const isIn = week >= 1 && weekday >= 1 && weekday <= 7 && start < findMonday(computeUtcDay(year + 1, 0, 4))
  return isIn ? start : undefined
}

function findMonday(start: number): number {
  return start - ((new Date(start).getUTCDay() + 6) % 7) * millisecondsOfDay
}

/**
 * Start of a day in UTC, in milliseconds. Does not use `Date.UTC`, which adds 1900 to years below
 * 100.
 */
function computeUtcDay(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime()
}

function addTimes(days: number | undefined, clock: number | undefined): number | undefined {
  return days === undefined || clock === undefined ? undefined : days + clock
}
