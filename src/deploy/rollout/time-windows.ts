import { throwIssue } from '../../base/issue.ts'
import { rolloutIssues } from './rollout-issues.ts'
import type { TimeWindow } from './rollout-plan.ts'

/** Names of days, in the order of their numbers. */
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const everyDay: readonly number[] = dayNames.map((_, day) => day)

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const dayMinutes = 24 * 60

/**
 * Parses `[DAYS] HH:MM-HH:MM [ZONE]`. Days are names, ranges and lists, such as `Mon-Thu` or `Mon,Wed`: the days on
 * which the window begins. A window whose end is before its start ends on the next day. Throws ROLLOUT_WINDOW.
 */
export function parseTimeWindow(text: string): TimeWindow {
  const fail = (why: string) => throwIssue(rolloutIssues.ROLLOUT_WINDOW, { given: text, why })
  const words = text.trim().split(/\s+/)
  const at = words.findIndex((word) => /^\d/.test(word))
  if (at < 0 || at > 1 || words.length > at + 2) return fail('expected DAYS HH:MM-HH:MM ZONE')
  const [from, to, ...rest] = words[at]!.split('-').map(parseMinutes)
  if (from === undefined || to === undefined || rest.length > 0 || from === dayMinutes)
    return fail(`'${words[at]!.slice(0, 20)}' is not a time such as 09:00-16:00`)
  if (from === to) return fail('its start and its end are equal; 00:00-24:00 is the whole day')
  const days = at === 0 ? everyDay : parseDays(words[0]!)
  if (days === undefined) return fail(`'${words[0]!.slice(0, 40)}' contains no days such as Mon-Fri or Sat,Sun`)
  const timeZone = words[at + 1] ?? 'UTC'
  if (!isTimeZone(timeZone)) return fail(`'${timeZone.slice(0, 40)}' is not a time zone such as Europe/Paris`)
  return { days, from, to, timeZone }
}

/** Returns the minutes since midnight; undefined for an invalid time. */
function parseMinutes(text: string): number | undefined {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  const minutes = Number(hour) * 60 + Number(minute)
  return Number(minute) < 60 && minutes <= dayMinutes ? minutes : undefined
}

function parseDays(text: string): readonly number[] | undefined {
  const days = new Set<number>()
  for (const part of text.toLowerCase().split(',')) {
    const [first, last = first, ...rest] = part
      .split('-')
      .map((name) => dayNames.indexOf(name as (typeof dayNames)[number]))
    if (first === undefined || last === undefined || first < 0 || last < 0 || rest.length > 0) return undefined
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day)
      if (day === last) break
    }
  }
  return [...days].sort((a, b) => a - b)
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns true if a window contains the time, or if there are no windows. */
export function isInWindow(windows: readonly TimeWindow[], nowMs: number): boolean {
  return windows.length === 0 || windows.some((window) => contains(window, createLocalClock(window.timeZone)(nowMs)))
}

/**
 * Returns the first time from now on that a window contains, which is now without windows. Undefined if no window
 * contains a time in the next two weeks, such as 02:30 on the day on which clocks skip this time.
 */
export function nextWindow(windows: readonly TimeWindow[], nowMs: number): number | undefined {
  if (isInWindow(windows, nowMs)) return nowMs
  const starts = windows.flatMap((window) => findNextStart(window, nowMs) ?? [])
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/** Local time: the day since 1970, the day of the week, and minutes since midnight. */
interface LocalTime {
  readonly date: number
  readonly day: number
  readonly minutes: number
}

type LocalClock = (timeMs: number) => LocalTime

function contains({ days, from, to }: TimeWindow, { day, minutes }: LocalTime): boolean {
  if (from < to) return days.includes(day) && from <= minutes && minutes < to
  return (days.includes(day) && from <= minutes) || (days.includes((day + 6) % 7) && minutes < to)
}

/** Returns a function that converts a time to local time. A formatter takes longer to create than to use. */
function createLocalClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn', era: undefined },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  })
  return (timeMs) => {
    const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]))
    const date = Date.UTC(parts['year']!, parts['month']! - 1, parts['day']!) / dayMs
    // 1970 began on a Thursday.
    return { date, day: (date + 4) % 7, minutes: parts['hour']! * 60 + parts['minute']! }
  }
}

/** Days in which a start is searched: two weeks contain each weekday with and without a change of the clocks. */
const searchedDays = 15

function findNextStart(window: TimeWindow, nowMs: number): number | undefined {
  const clock = createLocalClock(window.timeZone)
  const toLocalMinutes = (timeMs: number) => {
    const { date, minutes } = clock(timeMs)
    return date * dayMinutes + minutes
  }
  const { date: today } = clock(nowMs)
  const holds = (timeMs: number) => timeMs > nowMs && contains(window, clock(timeMs))
  for (let date = today - 1; date <= today + searchedDays; date++) {
    const wall = date * dayMinutes + window.from
    // The offset from UTC before and after a change of the clocks on this day.
    const found = [-dayMs, dayMs]
      .map(
        (shift) => wall * minuteMs - (toLocalMinutes(wall * minuteMs + shift) * minuteMs - (wall * minuteMs + shift)),
      )
      .filter(holds)
    // Clocks that skip the start of the window enter it at the change.
    if (found.length > 0) return rewind(Math.min(...found), holds)
  }
  return undefined
}

/** Returns the first of the consecutive minutes that the window contains. */
function rewind(timeMs: number, holds: (timeMs: number) => boolean): number {
  let first = timeMs
  while (holds(first - minuteMs)) first -= minuteMs
  return first
}
