import type { ScheduleResource } from '../resources/types/schedule.ts'

const hour = 3_600_000
const periods: Readonly<Record<string, number>> = {
  hourly: hour,
  daily: 24 * hour,
  weekly: 168 * hour,
  monthly: 720 * hour,
}

/** True if the schedule allows a resource to be managed now. `previous`: time of the last check, Unix milliseconds. */
export function isScheduled(schedule: ScheduleResource, previous: number | undefined, now: Date): boolean {
  const weekdays = schedule.get('weekday')
  const ranges = schedule.get('range')
  const isScheduledDay = (day: number) => weekdays === undefined || weekdays.includes(day)
  // A range that includes midnight belongs to the day on which it starts.
  if (!(ranges?.some((range) => isInRange(range, now, isScheduledDay)) ?? isScheduledDay(now.getDay()))) return false
  return isPeriodOver(schedule, previous, now)
}

function isPeriodOver(schedule: ScheduleResource, previous: number | undefined, now: Date): boolean {
  const period = schedule.get('period')
  if (period === undefined) return true
  if (period === 'never') return false
  if (previous === undefined) return true
  if (schedule.get('periodmatch') === 'number') return isNextCalendarPeriod(period, new Date(previous), now)
  const seconds = toUnixSeconds(now.getTime()) - toUnixSeconds(previous)
  return seconds >= Math.floor(periods[period]! / 1000 / (schedule.get('repeat') ?? 1))
}

const toUnixSeconds = (time: number): number => Math.floor(time / 1000)

/** True if the hour, day or month has changed. A week ends after Saturday, or after seven days. */
function isNextCalendarPeriod(period: string, previous: Date, now: Date): boolean {
  if (period === 'weekly')
    return previous.getDay() > now.getDay() || now.getTime() - previous.getTime() > periods['weekly']!
  return getPeriodNumber(period, previous) !== getPeriodNumber(period, now)
}

function getPeriodNumber(period: string, time: Date): number {
  if (period === 'hourly') return time.getHours()
  if (period === 'daily') return time.getDate()
  return time.getMonth()
}

function isInRange(range: string, now: Date, isDay: (day: number) => boolean): boolean {
  const [from = 0, to = 0] = range.split('-').map((each) => parseTimeOfDay(each.trim()))
  const at = now.getHours() * 3600 + now.getMinutes() * 60 + now.getSeconds()
  const today = now.getDay()
  if (from < to) return at >= from && at <= to && isDay(today)
  return at >= from ? isDay(today) : at <= to && isDay((today + 6) % 7)
}

function parseTimeOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
