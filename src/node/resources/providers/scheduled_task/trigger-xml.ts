import {
  createXmlElement,
  findXmlElement,
  listXmlElements,
  readXmlText,
  type XmlElement,
} from '../../../../machine/task-scheduler/xml-tree.ts'
import {
  dayNames,
  formatTriggerDate,
  formatTriggerTime,
  monthNumbers,
  parseTaskDuration,
  type Trigger,
  weekNames,
} from '../../types/scheduled-task/trigger.ts'

/** A trigger of a registered task, with the keys of `plumb resource scheduled_task`. */
export interface PresentTrigger extends Omit<Trigger, 'schedule'> {
  schedule: Trigger['schedule']
  enabled: boolean
  /** Number among all triggers of the task, from 0. */
  index: number
}

const dayElements = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const monthElements = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'],
  'December',
]

/** Texts of the element `Week`, in the order of their names. */
const weekTexts = ['1', '2', '3', '4', 'Last']

/** Schedules of the element `CalendarTrigger`. */
const calendarSchedules = ['ScheduleByDay', 'ScheduleByWeek', 'ScheduleByMonth', 'ScheduleByMonthDayOfWeek'] as const

/** Reads the triggers of a task that manifests can declare. Others, such as triggers by an event, are left out. */
export function readTriggers(task: XmlElement): readonly PresentTrigger[] {
  const triggers = findXmlElement(task, 'Triggers')
  return triggers ? listXmlElements(triggers).flatMap((element, index) => readTrigger(element, index) ?? []) : []
}

function readTrigger(element: XmlElement, index: number): PresentTrigger | undefined {
  const schedule = readSchedule(element)
  if (!schedule) return undefined
  const isEvent = schedule.schedule === 'boot' || schedule.schedule === 'logon'
  const boundary = readXmlText(element, 'StartBoundary')?.trim() ?? ''
  const start = parseBoundary(boundary)
  const readMinutes = (name: string): number =>
    Math.trunc((parseTaskDuration(readXmlText(element, 'Repetition', name)?.trim() ?? '') ?? 0) / 60)
  return {
    start_date: start ? formatTriggerDate(start) : '',
    start_time: start ? formatTriggerTime(start) : '',
    enabled: isTrue(readXmlText(element, 'Enabled'), true),
    minutes_interval: readMinutes('Interval'),
    minutes_duration: readMinutes('Duration'),
    disable_time_zone_synchronization: start !== undefined && !hasZone(boundary),
    ...(isEvent
      ? { delay: readXmlText(element, 'Delay')?.trim() ?? '' }
      : { random_delay: readXmlText(element, 'RandomDelay')?.trim() ?? '' }),
    ...schedule,
    index,
  }
}

/** Reads the kind of a trigger and the keys that only this kind has. */
function readSchedule(element: XmlElement): Trigger | undefined {
  if (element.name === 'TimeTrigger') return { schedule: 'once' }
  if (element.name === 'BootTrigger') return { schedule: 'boot' }
  if (element.name === 'LogonTrigger')
    return { schedule: 'logon', user_id: readXmlText(element, 'UserId')?.trim() ?? '' }
  if (element.name !== 'CalendarTrigger') return undefined
  const name = calendarSchedules.find((each) => findXmlElement(element, each))
  const schedule = name && findXmlElement(element, name)
  if (!schedule) return undefined
  const readNumber = (child: string): number => Number.parseInt(readXmlText(schedule, child) ?? '1', 10) || 1
  switch (name) {
    case 'ScheduleByDay':
      return { schedule: 'daily', every: readNumber('DaysInterval') }
    case 'ScheduleByWeek':
      return { schedule: 'weekly', every: readNumber('WeeksInterval'), day_of_week: readDays(schedule) }
    case 'ScheduleByMonth':
      return { schedule: 'monthly', months: readMonths(schedule), on: readDaysOfMonth(schedule) }
    case 'ScheduleByMonthDayOfWeek': {
      const texts = listTexts(schedule, 'Weeks')
      // The module shows one week only, the last one if it is selected.
      const week = texts.includes('Last')
        ? 'last'
        : (weekNames[weekTexts.findIndex((each) => texts.includes(each))] ?? '')
      return {
        schedule: 'monthly',
        months: readMonths(schedule),
        which_occurrence: week,
        day_of_week: readDays(schedule),
      }
    }
  }
}

const listTexts = (schedule: XmlElement, name: string): readonly string[] => {
  const list = findXmlElement(schedule, name)
  return list ? listXmlElements(list).map((each) => readXmlText(each)?.trim() ?? '') : []
}

function listNames(schedule: XmlElement, name: string): readonly string[] | undefined {
  const list = findXmlElement(schedule, name)
  return list && listXmlElements(list).map((each) => each.name)
}

function readDays(schedule: XmlElement): readonly string[] {
  const days = listNames(schedule, 'DaysOfWeek') ?? []
  return dayNames.filter((_, index) => days.includes(dayElements[index]!))
}

/** Without the element `Months`, the task runs in all months. */
function readMonths(schedule: XmlElement): readonly number[] {
  const months = listNames(schedule, 'Months')
  return months ? monthNumbers.filter((number) => months.includes(monthElements[number - 1]!)) : monthNumbers
}

function readDaysOfMonth(schedule: XmlElement): NonNullable<Trigger['on']> {
  const texts = listTexts(schedule, 'DaysOfMonth')
  const numbers = texts.map(Number).filter((day) => Number.isInteger(day) && day >= 1 && day <= 31)
  return [...numbers.sort((a, b) => a - b), ...(texts.includes('Last') ? (['last'] as const) : [])]
}

const hasZone = (boundary: string): boolean => /(?:Z|[+-]\d\d:\d\d)$/.test(boundary)

/** Parses `2026-01-31T07:00:00`, in local time unless it has a zone. */
function parseBoundary(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?$/.test(text)) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** A boolean of a task; `fallback` if the element is missing. */
export function isTrue(text: string | undefined, fallback: boolean): boolean {
  return text === undefined ? fallback : text.trim() === 'true' || text.trim() === '1'
}

/** Values of triggers that depend on the task and on the time. */
export interface TriggerSituation {
  /** The present time. */
  readonly now: Date
  readonly compatibility: number
  /** Name of an account, as it is in the trigger. */
  readonly user: string
  warn(message: string): void
}

/** Creates the element of a trigger. Keys that its kind does not have are left out with a warning, as in the module. */
export function createTriggerElement(trigger: Trigger, situation: TriggerSituation): XmlElement {
  const isEvent = trigger.schedule === 'boot' || trigger.schedule === 'logon'
  const start = formatBoundary(trigger, situation.now)
  const randomDelay = selectDelay('random_delay', trigger, !isEvent, situation)
  const delay = selectDelay('delay', trigger, isEvent, situation)
  const common = [
    createRepetition(trigger),
    start === undefined ? undefined : createXmlElement('StartBoundary', start),
    createXmlElement('Enabled', 'true'),
    randomDelay === undefined ? undefined : createXmlElement('RandomDelay', randomDelay),
  ]
  const end = delay === undefined ? undefined : createXmlElement('Delay', delay)
  switch (trigger.schedule) {
    case 'once':
      return createXmlElement('TimeTrigger', ...common)
    case 'boot':
      return createXmlElement('BootTrigger', ...common, end)
    case 'logon': {
      const user = situation.user === '' ? undefined : createXmlElement('UserId', situation.user)
      return createXmlElement('LogonTrigger', ...common, user, end)
    }
    default:
      return createXmlElement('CalendarTrigger', ...common, createSchedule(trigger))
  }
}

function createRepetition({ minutes_interval = 0, minutes_duration = 0 }: Trigger): XmlElement | undefined {
  if (minutes_interval <= 0 && minutes_duration === 0) return undefined
  return createXmlElement(
    'Repetition',
    minutes_interval > 0 ? createXmlElement('Interval', `PT${minutes_interval}M`) : undefined,
    minutes_duration === 0 ? undefined : createXmlElement('Duration', `PT${minutes_duration}M`),
  )
}

function createSchedule(trigger: Trigger): XmlElement {
  const every = String(trigger.every ?? 1)
  if (trigger.schedule === 'daily') return createXmlElement('ScheduleByDay', createXmlElement('DaysInterval', every))
  const days = createDays(trigger.day_of_week ?? dayNames)
  if (trigger.schedule === 'weekly')
    return createXmlElement('ScheduleByWeek', createXmlElement('WeeksInterval', every), days)
  const months = createXmlElement(
    'Months',
    ...monthElements
      .filter((_, index) => (trigger.months ?? monthNumbers).includes(index + 1))
      .map((each) => createXmlElement(each)),
  )
  if (!trigger.on) {
    const week = weekTexts[(weekNames as readonly string[]).indexOf(trigger.which_occurrence ?? '')]!
    return createXmlElement(
      'ScheduleByMonthDayOfWeek',
      createXmlElement('Weeks', createXmlElement('Week', week)),
      days,
      months,
    )
  }
  const texts = trigger.on.map((day) => (day === 'last' ? 'Last' : String(day)))
  return createXmlElement(
    'ScheduleByMonth',
    createXmlElement('DaysOfMonth', ...[...new Set(texts)].map((text) => createXmlElement('Day', text))),
    months,
  )
}

const createDays = (days: readonly string[]): XmlElement =>
  createXmlElement(
    'DaysOfWeek',
    ...dayElements.filter((_, index) => days.includes(dayNames[index]!)).map((each) => createXmlElement(each)),
  )

/** The time from which a trigger is active: today if it has no date, undefined if it has neither date nor time. */
function formatBoundary(trigger: Trigger, now: Date): string | undefined {
  const { start_date: date, start_time: time = '00:00' } = trigger
  if (date === undefined && trigger.start_time === undefined) return undefined
  const [year, month, day] = (date ?? formatTriggerDate(now)).split('-').map(Number) as [number, number, number]
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  const start = new Date(year, month - 1, day, hour, minute)
  const pad = (number: number, length = 2) => String(number).padStart(length, '0')
  const local = `${pad(start.getFullYear(), 4)}-${pad(start.getMonth() + 1)}-${pad(start.getDate())}T${formatTriggerTime(start)}:00`
  if (trigger.disable_time_zone_synchronization === true) return local
  const offset = -start.getTimezoneOffset()
  const hours = Math.floor(Math.abs(offset) / 60)
  return `${local}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(Math.abs(offset) % 60)}`
}

/** A delay, if the kind of the trigger and the task support it. */
function selectDelay(
  key: 'random_delay' | 'delay',
  trigger: Trigger,
  isSupported: boolean,
  { compatibility, warn }: TriggerSituation,
): string | undefined {
  const delay = trigger[key]
  if (delay === undefined || delay === '') return undefined
  if (compatibility >= 2 && isSupported) return delay
  const why =
    compatibility < 2 ? 'compatibility level is less than 2' : `it is not supported for ${trigger.schedule} triggers`
  warn(`Ignoring '${key}' property because ${why}. The ${key} property will not be set.`)
  return undefined
}
