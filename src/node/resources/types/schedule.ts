import type { Value } from '../../../language/values/value.ts'
import {
  createEnumKind,
  createListKind,
  createParsedKind,
  failMunging,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineNamevar, defineParameter, defineType } from '../type.ts'

const times = createParsedKind((value: Value): string => {
  const range = toPlainText(value)
  if (!/^\d{1,2}(?::\d{1,2}){0,2}\s*-\s*\d{1,2}(?::\d{1,2}){0,2}$/.test(range))
    failWithMessage(`Invalid range value '${range}'`)
  for (const time of range.split('-')) {
    const [hour = '', minute = '0', second = '0'] = time.trim().split(':')
    if (Number(hour) > 23) failMunging('range', value, `Invalid hour '${hour}'`)
    if (Number(minute) > 59) failMunging('range', value, `Invalid minute '${minute}'`)
    if (Number(second) > 59) failMunging('range', value, `Invalid second '${second}'`)
  }
  return range
})

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const weekday = createParsedKind((value: Value): number => {
  const given = toPlainText(value).toLowerCase()
  const day = /^[0-6]$/.test(given)
    ? Number(given)
    : days.findIndex((name) => given === name || given === name.slice(0, 3))
  if (day === -1) failWithMessage(`${toPlainText(value)} is not a valid day of the week`)
  return day
})

const repeat = createParsedKind((value: Value): number => {
  const given = toPlainValue(value)
  if (!Number.isInteger(given) && !/^\d+$/.test(String(given))) failWithFormError('Repeat must be a number')
  return Number(given)
})

/** The resource type `schedule`: times at which resources may be managed. */
export const schedule = defineType('schedule', {
  doc: 'Define schedules for Puppet.',
  passive: true,
  appliesTo: 'both',
  attributes: {
    name: defineNamevar(textKind, 'The name of the schedule.'),
    range: defineParameter(createListKind(times), 'The time ranges, such as `2-4` or `22:30 - 6:00`.'),
    periodmatch: defineParameter(
      createEnumKind('number', 'distance'),
      'The start of a period: `number` uses calendar units, `distance` the time since the last run.',
      {
        default: 'distance',
      },
    ),
    period: defineParameter(
      createEnumKind('hourly', 'daily', 'weekly', 'monthly', 'never'),
      'The period in which a resource is managed `repeat` times at most.',
    ),
    repeat: defineParameter(repeat, 'The maximum number of times that a resource is managed in a period.', {
      default: 1,
    }),
    weekday: defineParameter(createListKind(weekday), 'The days of the week.'),
  },
  validate(resource) {
    const match = resource.get('periodmatch')
    if (match === 'distance' || resource.get('repeat') === 1) return
    resource.failAttribute('repeat', `Repeat must be 1 unless periodmatch is 'distance', not '${match}'`)
  },
})

/** A schedule resource. */
export type ScheduleResource = ManagedResource<(typeof schedule)['attributes']>
