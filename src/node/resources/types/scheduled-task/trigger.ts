import { parseLocalDate } from '../../../../language/ruby-semantics/time/local-date.ts'
import type { Value } from '../../../../language/values/value.ts'
import { inspectPlainValue, type PlainValue, toPlainValue } from '../../attribute-kinds.ts'
import { failWithMessage } from '../../issues.ts'
import { formatLogValue } from '../../value-format.ts'
import { toRubyInteger } from './ruby-integer.ts'

/** A trigger as a manifest declares it. */
export type DeclaredTrigger = Readonly<Record<string, PlainValue>>

/** Times and events that start a task. Keys that a manifest does not give are missing. */
export interface Trigger {
  schedule: 'once' | 'daily' | 'weekly' | 'monthly' | 'boot' | 'logon'
  /** `2026-1-31`, in local time. */
  start_date?: string
  /** `07:00`, in local time. */
  start_time?: string
  every?: number
  day_of_week?: readonly string[]
  months?: readonly number[]
  on?: readonly (number | 'last')[]
  which_occurrence?: string
  minutes_interval?: number
  minutes_duration?: number
  /** Account whose logon starts the task; empty for all accounts. */
  user_id?: string
  random_delay?: string
  delay?: string
  disable_time_zone_synchronization?: PlainValue
}

/** Days in the order of the task scheduler. */
export const dayNames = ['sun', 'mon', 'tues', 'wed', 'thurs', 'fri', 'sat'] as const

/** Names of weeks in a month. */
export const weekNames = ['first', 'second', 'third', 'fourth', 'last'] as const

/** Numbers of months. */
export const monthNumbers: readonly number[] = Array.from({ length: 12 }, (_, index) => index + 1)

const daysOfMonth: readonly PlainValue[] = [...Array.from({ length: 31 }, (_, index) => index + 1), 'last']

const schedules = ['once', 'daily', 'weekly', 'monthly', 'boot', 'logon']

const knownKeys = [
  ...['index', 'enabled', 'schedule', 'start_date', 'start_time', 'every', 'months', 'on', 'which_occurrence'],
  ...['day_of_week', 'minutes_interval', 'minutes_duration', 'user_id', 'disable_time_zone_synchronization'],
  ...['random_delay', 'delay'],
]

/** Keys of listed triggers that no manifest can set. */
const readOnlyKeys = ['index', 'enabled']

/** Minutes in which a trigger repeats if it has an interval only. */
const minutesOfDay = 1440

const earliestDate = new Date(1753, 0, 1)

/** Validates a trigger of a manifest, with the messages of the module. */
export function parseTrigger(value: Value): DeclaredTrigger {
  const trigger = toPlainValue(value)
  if (typeof trigger !== 'object' || trigger === null || Array.isArray(trigger) || trigger instanceof Uint8Array)
    return failWithMessage(`A trigger must be a hash, not ${formatLogValue(trigger)}`)
  const declared = trigger as DeclaredTrigger
  const readOnly = readOnlyKeys.find((key) => Object.hasOwn(declared, key))
  if (readOnly !== undefined)
    failWithMessage(
      `Validate method failed for class trigger: '${readOnly}' is read-only on scheduled_task triggers and should be removed ('${readOnly}' is usually provided in puppet resource scheduled_task).`,
    )
  canonicalizeTrigger(declared)
  return declared
}

/** A valid trigger in the form in which triggers are compared. Throws the messages of the module. */
export function canonicalizeTrigger(declared: DeclaredTrigger): Trigger {
  const given = withLowerCaseKeys(declared)
  const unknown = [...given.keys()].filter((key) => !knownKeys.includes(key))
  if (unknown.length > 0) failWithMessage(`Unknown trigger option(s): ${formatLogValue(unknown)}`)
  const schedule = given.get('schedule')
  if (!schedules.includes(schedule as string)) failWithMessage(`Unknown schedule type: ${inspectPlainValue(schedule)}`)
  const trigger: Trigger = { schedule: schedule as Trigger['schedule'] }
  readStartTime(given, trigger)
  checkSchedule(given, trigger)
  if (given.has('every')) trigger.every = readEvery(given.get('every'))
  const days = readList(given, 'day_of_week', dayNames)
  if (days) trigger.day_of_week = days as string[]
  const months = readList(given, 'months', monthNumbers)
  if (months) trigger.months = months as number[]
  const on = readList(given, 'on', daysOfMonth)
  if (on) trigger.on = on as Trigger['on'] & {}
  const [week] = readList(given, 'which_occurrence', weekNames) ?? []
  if (week !== undefined) trigger.which_occurrence = String(week)
  readRepetition(given, trigger)
  readStartDate(given, trigger)
  for (const key of ['random_delay', 'delay'] as const)
    if (given.has(key)) trigger[key] = readDelay(key, given.get(key))
  if (given.has('user_id')) trigger.user_id = String(given.get('user_id'))
  const zone = given.get('disable_time_zone_synchronization')
  if (zone !== undefined) trigger.disable_time_zone_synchronization = zone
  return trigger
}

/** Undefined values count as not given; an undefined user stands for all users. */
function withLowerCaseKeys(declared: DeclaredTrigger): Map<string, PlainValue> {
  const entries = Object.entries(declared).map(([key, value]) => [key.toLowerCase(), value] as const)
  return new Map(
    entries.flatMap(([key, value]) => {
      if (value !== null) return [[key, value]]
      return key === 'user_id' ? [[key, '']] : []
    }),
  )
}

function readStartTime(given: ReadonlyMap<string, PlainValue>, trigger: Trigger): void {
  if (!given.has('start_time')) {
    if (trigger.schedule === 'boot' || trigger.schedule === 'logon') return
    failWithMessage("Must specify 'start_time' when defining a trigger")
  }
  const text = String(given.get('start_time'))
  const time = parseLocalDate(text)
  if (!time)
    failWithMessage(
      /^\s*\d+:\d/.test(text)
        ? `Invalid start_time value: ${text}`
        : `no time information in ${inspectPlainValue(text)}`,
    )
  trigger.start_time = formatTriggerTime(time)
}

/** Checks the keys that the kinds of schedules need. */
function checkSchedule(given: ReadonlyMap<string, PlainValue>, { schedule }: Trigger): void {
  if (schedule === 'once' && !given.has('start_date'))
    failWithMessage("Must specify 'start_date' when defining a one-time trigger")
  if (schedule !== 'monthly') return
  const byWeek = ['day_of_week', 'which_occurrence']
  if (given.has('on')) {
    if (byWeek.some((key) => given.has(key)))
      failWithMessage(
        "Neither 'day_of_week' nor 'which_occurrence' can be specified when creating a monthly date-based trigger",
      )
  } else if (byWeek.some((key) => given.has(key))) {
    if (Array.isArray(given.get('which_occurrence')))
      failWithMessage('which_occurrence cannot be specified as an array')
    const missing = byWeek.find((key) => !given.has(key))
    if (missing !== undefined)
      failWithMessage(`${missing} must be specified when creating a monthly day-of-week based trigger`)
  } else {
    const keys = [...given.keys()].sort().join(', ')
    failWithMessage(`Don't know how to create a 'monthly' schedule with the options: ${keys}`)
  }
}

function readEvery(value: PlainValue | undefined): number {
  const every = toRubyInteger(value)
  return typeof every === 'number' ? every : failWithMessage(`Invalid every value: ${String(value)}`)
}

function readList(
  given: ReadonlyMap<string, PlainValue>,
  key: string,
  valid: readonly PlainValue[],
): readonly PlainValue[] | undefined {
  if (!given.has(key)) return undefined
  const list = ([given.get(key)] as unknown[]).flat(Number.POSITIVE_INFINITY) as PlainValue[]
  const unknown = list.filter((each) => !valid.includes(each))
  if (unknown.length > 0) failWithMessage(`Unknown ${key} values(s): ${inspectPlainValue(unknown)}`)
  return list
}

function readRepetition(given: ReadonlyMap<string, PlainValue>, trigger: Trigger): void {
  const read = (key: string): number | undefined => {
    if (!given.has(key)) return undefined
    const number = toRubyInteger(given.get(key))
    return typeof number === 'number' ? number : failWithMessage(number)
  }
  const duration = read('minutes_duration')
  const interval = read('minutes_interval')
  if (duration !== undefined && duration !== 0 && duration <= (interval ?? -1))
    failWithMessage('minutes_duration must be an integer greater than minutes_interval and equal to or greater than 0')
  if (duration !== undefined) trigger.minutes_duration = duration
  if (interval === undefined) return
  if (interval < 0) failWithMessage('minutes_interval must be an integer greater or equal to 0')
  if (interval > 0 && interval >= (duration ?? minutesOfDay))
    failWithMessage('minutes_interval cannot be set without minutes_duration also being set to a number greater than 0')
  trigger.minutes_interval = interval
  // The module gives a trigger without repetition a duration, too, with which Windows rejects the task.
  if (interval > 0) trigger.minutes_duration = duration ?? minutesOfDay
}

function readStartDate(given: ReadonlyMap<string, PlainValue>, trigger: Trigger): void {
  if (!given.has('start_date')) return
  const date = parseLocalDate(`${String(given.get('start_date'))} 00:00`) ?? failWithMessage('argument out of range')
  if (date < earliestDate) failWithMessage(`start_date must be on or after ${formatTriggerDate(earliestDate)}`)
  trigger.start_date = formatTriggerDate(date)
}

function readDelay(key: string, value: PlainValue | undefined): string {
  const delay = String(value)
  if (delay !== '' && parseTaskDuration(delay) === undefined)
    failWithMessage(`Invalid ${key} value: ${delay}. Must be in ISO8601 duration format (e.g., PT15M for 15 minutes).`)
  return delay
}

const durationPattern = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

const daysOfYear = 365.2422

/** Seconds of a duration such as `PT15M`; undefined if it is invalid. A month is a twelfth of a year. */
export function parseTaskDuration(text: string): number | undefined {
  const found = durationPattern.exec(text)
  if (!found) return undefined
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const allDays = (years + months / 12) * daysOfYear + days
  return Math.trunc(((allDays * 24 + hours) * 60 + minutes) * 60 + seconds)
}

/** `2026-1-31`, as in listed triggers. */
export const formatTriggerDate = (date: Date): string =>
  `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`

/** `07:05` */
export const formatTriggerTime = (date: Date): string =>
  `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
