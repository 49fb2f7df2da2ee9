import type { ScheduleResource } from '../resources/types/schedule.ts'

const hour = 3_600_000
const periods: Readonly<Record<string, number>> = {
  hourly: hour,
  daily: 24 * hour,
  weekly: 168 * hour,
  monthly: 720 * hour,
}

/** True when a schedule lets a resource be managed now; `previous` is the time of the last check (milliseconds). */
export function isScheduled(schedule: ScheduleResource, previous: number | undefined, now: Date): boolean {
  const weekdays = schedule.get('weekday')
  if (weekdays && !weekdays.includes(now.getDay())) return false
  const ranges = schedule.get('range')
  if (ranges && !ranges.some((range) => isInRange(range, now))) return false
  return isPeriodOver(schedule, previous, now)
}

function isPeriodOver(schedule: ScheduleResource, previous: number | undefined, now: Date): boolean {
  const period = schedule.get('period')
  if (period === undefined) return true
  if (period === 'never') return false
  if (previous === undefined) return true
  if (schedule.get('periodmatch') === 'number') return numberOf(period, new Date(previous)) !== numberOf(period, now)
  return now.getTime() - previous >= periods[period]! / (schedule.get('repeat') ?? 1)
}

function numberOf(period: string, time: Date): number {
  if (period === 'hourly') return time.getHours()
  if (period === 'daily') return time.getDate()
  if (period === 'monthly') return time.getMonth()
  return Math.floor((time.getTime() / (24 * hour) + 4) / 7)
}

function isInRange(range: string, now: Date): boolean {
  const [from = 0, to = 0] = range.split('-').map((each) => secondsOf(each.trim()))
  const at = now.getHours() * 3600 + now.getMinutes() * 60 + now.getSeconds()
  return from <= to ? at >= from && at <= to : at >= from || at <= to
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
