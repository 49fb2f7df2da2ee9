import { userInfo } from 'node:os'
import type { Value } from '../../../language/values/value.ts'
import {
  type AttributeKind,
  anyKind,
  createListKind,
  createParsedKind,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** Attributes for the times of a job, in the field order of a crontab. */
export const timeFields = ['minute', 'hour', 'monthday', 'month', 'weekday'] as const

const steps = /^(?:\*\/\d+|\d+-\d+|\d+-\d+\/\d+)$/

/** Values of a time field: numbers within limits, ranges, steps and names; `absent` and `*` match any time. */
function createTimeKind(field: string, [lowest, highest]: readonly [number, number], names: readonly string[] = []) {
  const parseTimeValue = (value: Value): string => {
    const given = toPlainText(value)
    if (given === 'absent' || given === '*') return 'absent'
    if (steps.test(given)) return given
    const word = given.toLowerCase()
    const index = names.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word)))
    if (index >= 0) return String(index + lowest)
    if (/^\d+$/.test(given) && Number(given) >= lowest && Number(given) <= highest) return given
    const why = `${given} is not a valid ${field}`
    return failWithMessage(
      `Munging failed for value ${inspectPlainValue(toPlainValue(value))} in class ${field}: ${why}`,
    )
  }
  const many: AttributeKind<'absent' | readonly string[]> = {
    list: true,
    parse(value) {
      const all = createListKind({ parse: parseTimeValue }).parse(value)
      return all[0] === 'absent' ? 'absent' : all
    },
  }
  return many
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = 'january february march april may june july august september october november december'.split(' ')

const specials = ['reboot', 'yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly', 'absent']

const special = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (!specials.includes(given)) failWithMessage(`Invalid special schedule ${inspectPlainValue(toPlainValue(value))}`)
  return given
})

const setting = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  const isSetting = given.split('\n').some((line) => /^\s*\w+\s*=/.test(line))
  if (!isSetting && given !== 'absent')
    failWithMessage(`Invalid environment setting ${inspectPlainValue(toPlainValue(value))}`)
  return given
})

/** The resource type `cron`: commands that run at set times. */
export const cron = defineType('cron', {
  doc: 'Installs and manages cron jobs.',
  attributes: {
    ensure: defineEnsure('`present` adds the job to the crontab, `absent` removes it.'),
    command: defineProperty(
      createParsedKind((value: Value) => textKind.parse(value).trim()),
      'The command to run.',
    ),
    special: defineProperty(special, 'A keyword such as `reboot` or `daily` instead of times; `absent` removes it.'),
    minute: defineProperty(createTimeKind('minute', [0, 59]), 'The minutes, from 0 to 59; a value or an array.'),
    hour: defineProperty(createTimeKind('hour', [0, 23]), 'The hour, from 0 to 23.'),
    weekday: defineProperty(
      createTimeKind('weekday', [0, 7], weekdays),
      'The day of the week, from 0 (or 7, Sunday) to 6, or its name.',
    ),
    month: defineProperty(createTimeKind('month', [1, 12], months), 'The month, from 1 to 12, or its name.'),
    monthday: defineProperty(createTimeKind('monthday', [1, 31]), 'The day of the month, from 1 to 31.'),
    environment: defineProperty(createListKind(setting), 'Environment variables of the command, as `NAME=value`.', {
      inSync: (is, should) =>
        Array.isArray(is) && JSON.stringify([...is].sort()) === JSON.stringify([...should].sort()),
      showWanted: (should) => should.join(','),
    }),
    user: defineProperty(textKind, 'The owner of the crontab. Default: the user in `target`.'),
    target: defineProperty(textKind, 'The name of the crontab. Default: the user.', {
      default: (resource) => String(resource.value('user') ?? userInfo().username),
    }),
    name: defineNamevar(textKind, 'The name of the job, which is stored in a comment of the crontab.'),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: { user: (resource) => [resource.get('user')] },
  validate(resource) {
    if (['absent', undefined].includes(resource.get('special'))) return
    for (const field of ['minute', 'hour', 'weekday', 'monthday', 'month'] as const)
      if (!['absent', undefined].includes(resource.get(field) as string | undefined))
        failWithMessage(`${resource.reference} cannot specify both a special schedule and a value for ${field}`)
  },
})

/** A cron job. */
export type CronResource = ManagedResource<(typeof cron)['attributes']>
