import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { PuppetError } from '../../../../src/base/issue.ts'
import type { ExactJson } from '../../../../src/base/json/exact-json.ts'
import { Hash } from '../../../../src/language/values/hash.ts'
import type { Value } from '../../../../src/language/values/value.ts'
import {
  findXmlElement,
  formatXml,
  listXmlElements,
  parseXml,
  readXmlText,
  type XmlElement,
} from '../../../../src/machine/task-scheduler/xml-tree.ts'
import { ManagedResource } from '../../../../src/node/resources/managed-resource.ts'
import {
  taskschedulerApi2,
  win32Taskscheduler,
} from '../../../../src/node/resources/providers/scheduled_task/taskscheduler.ts'
import { isSameTrigger } from '../../../../src/node/resources/providers/scheduled_task/trigger-comparison.ts'
import {
  createTriggerElement,
  type PresentTrigger,
  readTriggers,
} from '../../../../src/node/resources/providers/scheduled_task/trigger-xml.ts'
import { scheduledTask } from '../../../../src/node/resources/types/scheduled-task/scheduled-task.ts'
import {
  canonicalizeTrigger,
  type DeclaredTrigger,
} from '../../../../src/node/resources/types/scheduled-task/trigger.ts'
import { formatLogValue } from '../../../../src/node/resources/value-format.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { questions } from './questions.ts'

interface Answers {
  readonly parse: readonly { readonly error?: string; readonly values?: Readonly<Record<string, unknown>> }[]
  readonly same: readonly boolean[]
  readonly unstored: readonly boolean[]
  readonly create: readonly Readonly<Record<string, unknown>>[]
  readonly change: readonly string[]
}

// `WINDOWS_MODULES` names a folder with the module, which Debian does not have.
const answers = recordedAnswers(import.meta.filename, 'scheduled_task 4.0.3 with Puppet 7.23.0').one<Answers>(
  'all',
  questions,
  () => {
    const folder = process.env['WINDOWS_MODULES']
    if (folder === undefined) throw new Error('set WINDOWS_MODULES to a folder with the module scheduled_task')
    const words = [join(import.meta.dirname, 'ask-module.rb'), join(folder, 'scheduled_task')]
    const env = { ...process.env, TZ: 'Europe/Berlin' }
    return JSON.parse(
      execFileSync('ruby', words, { input: JSON.stringify(questions), encoding: 'utf8', env }),
    ) as Answers
  },
)

function toValue(json: ExactJson): Value {
  if (Array.isArray(json)) return json.map(toValue)
  if (typeof json !== 'object' || json === null) return (json ?? undefined) as Value
  return Hash.from(Object.fromEntries(Object.entries(json).map(([key, each]) => [key, toValue(each)])))
}

/** The values of a resource's properties, or its error. */
function parse({ title = 'x', provider, ...given }: Readonly<Record<string, ExactJson>>) {
  const values = new Map(Object.entries({ command: 'C:\\a.exe', ...given }).map(([key, each]) => [key, toValue(each)]))
  const resource = new ManagedResource(scheduledTask, { title: String(title), values })
  resource.provider = provider === undefined ? taskschedulerApi2 : win32Taskscheduler
  try {
    resource.parse()
  } catch (error) {
    if (error instanceof PuppetError) return { error: error.diagnostic.message }
    throw error
  }
  const shown = resource.properties().filter((name) => name !== 'command')
  return { values: Object.fromEntries(shown.map((name) => [name, resource.value(name)])) }
}

const accounts = new Map()
const comparison = { accounts, compatibility: 2 }

const create = (trigger: DeclaredTrigger): XmlElement =>
  createTriggerElement(canonicalizeTrigger(trigger), { now: new Date(), compatibility: 2, user: '', warn: () => {} })

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(' ')

/** The names of child elements as the bits of COM. */
const toBits = (element: XmlElement | undefined, names: readonly string[]) =>
  element && listXmlElements(element).reduce((bits, { name }) => bits | (1 << names.indexOf(name)), 0)

const readNumber = (element: XmlElement, name: string) => {
  const text = readXmlText(element, name)
  return text === undefined ? undefined : Number(text)
}

/** The properties of a trigger as COM has them, by Microsoft's documentation of both forms. */
function toComProperties(trigger: XmlElement): Readonly<Record<string, unknown>> {
  const calendar = ['ScheduleByDay', 'ScheduleByWeek', 'ScheduleByMonth', 'ScheduleByMonthDayOfWeek']
  const kind = calendar.find((name) => findXmlElement(trigger, name)) ?? trigger.name
  const schedule = findXmlElement(trigger, kind) ?? trigger
  const listOfDays = findXmlElement(schedule, 'DaysOfMonth')
  const monthDays = listOfDays && listXmlElements(listOfDays).map((each) => readXmlText(each))
  const kinds = { TimeTrigger: 1, ScheduleByDay: 2, ScheduleByWeek: 3, ScheduleByMonth: 4, ScheduleByMonthDayOfWeek: 5 }
  const properties = {
    Type: { ...kinds, BootTrigger: 8, LogonTrigger: 9 }[kind],
    Repetition: Object.fromEntries(
      ['Interval', 'Duration'].flatMap((name) => {
        const text = readXmlText(trigger, 'Repetition', name)
        return text === undefined ? [] : [[name, text]]
      }),
    ),
    StartBoundary: readXmlText(trigger, 'StartBoundary'),
    RandomDelay: readXmlText(trigger, 'RandomDelay'),
    Delay: readXmlText(trigger, 'Delay'),
    UserId: kind === 'LogonTrigger' ? (readXmlText(trigger, 'UserId') ?? '') : undefined,
    DaysInterval: readNumber(schedule, 'DaysInterval'),
    WeeksInterval: readNumber(schedule, 'WeeksInterval'),
    DaysOfWeek: toBits(findXmlElement(schedule, 'DaysOfWeek'), days),
    MonthsOfYear: toBits(findXmlElement(schedule, 'Months'), months),
    RunOnLastDayOfMonth: monthDays?.includes('Last'),
    DaysOfMonth: monthDays?.reduce((bits, day) => (day === 'Last' ? bits : bits | (1 << (Number(day) - 1))), 0),
    WeeksOfMonth: readXmlText(schedule, 'Weeks', 'Week') === 'Last' ? 16 : undefined,
  }
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

describe('the type scheduled_task', () => {
  it.each(questions.parse.map((question, index) => [question, answers.parse[index]!] as const))(
    'has the values and messages of the module for %j',
    (question, { error, values }) => {
      const own = parse(question)
      if (error !== undefined) expect(own.error).toBe(error.replace(/^no parameter.*/, '$& on Scheduled_task[x]'))
      else {
        // Triggers in arrays of arrays are flat here.
        const trigger = values?.['trigger']
        expect(own.values).toEqual({ ...values, ...(trigger !== undefined && { trigger: [trigger].flat(3) }) })
      }
    },
  )

  it('rejects values that fail in the module with an error of Ruby', () => {
    expect(parse({ trigger: 'daily' }).error).toContain("A trigger must be a hash, not 'daily'")
    expect(parse({ trigger: { schedule: 'daily', start_time: '0700' } }).error).toContain(
      'no time information in "0700"',
    )
    expect(parse({ trigger: { schedule: 'once', start_time: '7:00', start_date: 'x' } }).error).toContain(
      'out of range',
    )
  })

  it.each([
    ['C:/a/../b c/x.exe', 'C:\\b c\\x.exe'],
    ['\\\\srv\\share\\x.exe', '\\\\srv\\share\\x.exe'],
    ['c:\\A.exe', 'c:\\A.exe'],
  ])('normalizes the command %s', (given, expected) => {
    const resource = new ManagedResource(scheduledTask, { title: 'x', values: new Map([['command', given]]) })
    resource.parse()
    expect(resource.get('command')).toBe(expected)
  })
})

describe('triggers', () => {
  it.each(questions.same.map((pair, index) => [...pair, answers.same[index]] as const))(
    'of %j and %j are compared as in the module',
    (present, wanted, expected) => {
      const own = isSameTrigger(
        present as unknown as PresentTrigger,
        canonicalizeTrigger(wanted as DeclaredTrigger),
        comparison,
      )
      expect(own).toBe(expected)
    },
  )

  it.each(questions.unstored)('of %j and %j are the same, unlike in the module', (present, wanted) => {
    const canonical = canonicalizeTrigger(wanted as DeclaredTrigger)
    expect(isSameTrigger(present as unknown as PresentTrigger, canonical, comparison)).toBe(true)
    expect(answers.unstored).not.toContain(true)
  })

  it('are the same without the delays that Windows XP does not store', () => {
    const [present] = questions.same[0]!
    const wanted = canonicalizeTrigger({ schedule: 'daily', start_time: '7:00', random_delay: 'PT5M' })
    const isSame = (compatibility: number) =>
      isSameTrigger(present as unknown as PresentTrigger, wanted, { accounts, compatibility })
    expect([1, 2].map(isSame)).toEqual([true, false])
  })

  it('are the same with days in another order, and without repetition', () => {
    const [present] = questions.same.find(([{ schedule }]) => schedule === 'weekly')!
    const wanted = { schedule: 'weekly', start_time: '7:00', day_of_week: ['wed', 'mon'], minutes_interval: 0 }
    expect(isSameTrigger(present as unknown as PresentTrigger, canonicalizeTrigger(wanted), comparison)).toBe(true)
  })

  it.each(questions.create.map((trigger, index) => [trigger, answers.create[index]!] as const))(
    'of %j are written as by the module',
    (trigger, expected) => {
      vi.stubEnv('TZ', 'Europe/Berlin')
      const element = create(trigger as DeclaredTrigger)
      vi.unstubAllEnvs()
      expect(toComProperties(element)).toEqual(expected)
    },
  )

  it.each(questions.create)('of %j are the same when they are read again', (trigger) => {
    const [present] = readTriggers(
      parseXml(`<Task><Triggers>${formatXml(create(trigger as DeclaredTrigger))}</Triggers></Task>`),
    )
    expect(isSameTrigger(present!, canonicalizeTrigger(trigger as DeclaredTrigger), comparison)).toBe(true)
  })

  it.each(questions.change.map((pair, index) => [pair, answers.change[index]!] as const))(
    'are logged as by the module',
    ([present, wanted], expected) => {
      expect(`trigger changed ${formatLogValue(present)} to ${formatLogValue([wanted].flat())}`).toBe(expected)
    },
  )
})
