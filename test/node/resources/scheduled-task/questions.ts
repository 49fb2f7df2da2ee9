import type { ExactJson } from '../../../../src/base/json/exact-json.ts'

type Attributes = Readonly<Record<string, ExactJson>>

const daily = { schedule: 'daily', start_time: '7:00' }
const once = { schedule: 'once', start_time: '7:00' }
const weekly = { schedule: 'weekly', start_time: '7:00' }
const monthly = { schedule: 'monthly', start_time: '7:00' }

/** Attributes of resources. */
const resources: readonly Attributes[] = [
  {},
  { compatibility: '2' },
  { compatibility: 7 },
  { compatibility: 2, user: 'bob', description: 'x', arguments: 'a b', enabled: false },
  { command: 'foo.exe' },
  { command: '%SystemRoot%\\x.exe' },
  { working_dir: 'foo' },
  { working_dir: 'C:/a/b/' },
  { enabled: 'maybe' },
  { ensure: 'running' },
  { title: 'a\\b' },
  { title: 'a\\b', compatibility: 2 },
  { title: 'a\\b', provider: 'win32_taskscheduler' },
  { title: 'a', compatibility: 2, provider: 'win32_taskscheduler' },
  { unknown: 1 },
]

/** Triggers, valid and invalid. */
const triggers: readonly ExactJson[] = [
  [],
  {},
  { schedule: 'hourly' },
  { schedule: 'daily' },
  { Schedule: 'daily', START_TIME: '7:05' },
  ...['25:00', 'abc', '', '7pm', '11:20 PM', '7:00:30'].map((time) => ({ ...daily, start_time: time })),
  { ...daily, index: 1 },
  { ...daily, enabled: true },
  { ...daily, foo: 1, bar: 2 },
  ...['x', '0x10', 0, '', 1.5].map((every) => ({ ...daily, every })),
  once,
  ...['2018-1-1', '1752-12-31', 'Jan 5 2018', '2018-02-30', '1/5/2018'].map((date) => ({ ...once, start_date: date })),
  ...[['mon', 'tue'], 'all', 'mon', ['mon', ['sun']]].map((days) => ({ ...weekly, day_of_week: days })),
  monthly,
  { ...monthly, on: [0, 32, 'last', 'first'] },
  { ...monthly, on: [1], day_of_week: 'mon' },
  { ...monthly, on: ['1'] },
  { ...monthly, on: 1, months: [13, 'a'] },
  { ...monthly, day_of_week: 'mon' },
  { ...monthly, which_occurrence: 'first' },
  { ...monthly, which_occurrence: ['first'], day_of_week: 'mon' },
  { ...monthly, which_occurrence: 'fifth', day_of_week: 'mon' },
  { ...monthly, which_occurrence: 'last', day_of_week: ['mon'], months: 12 },
  { ...daily, minutes_interval: 60, minutes_duration: 30 },
  { ...daily, minutes_interval: 60, minutes_duration: 0 },
  ...[-1, 0, 1440, '60', 'y', 1.5].map((minutes) => ({ ...daily, minutes_interval: minutes })),
  ...['x', -5, 0, 60].map((minutes) => ({ ...daily, minutes_duration: minutes })),
  ...['15', 'PT15M', 'P', 'P1Y2M3DT4H5M6S', 'PT', ''].map((delay) => ({ ...daily, random_delay: delay })),
  ...['1M', '', 'PT1M'].map((delay) => ({ schedule: 'boot', delay })),
  { schedule: 'boot', random_delay: 'PT5M' },
  [{ schedule: 'boot' }, [{ schedule: 'logon' }]],
  { ...daily, disable_time_zone_synchronization: 'x' },
]

const present = {
  start_date: '2018-1-1',
  start_time: '07:00',
  enabled: true,
  minutes_interval: 0,
  minutes_duration: 0,
  disable_time_zone_synchronization: false,
  random_delay: '',
  index: 0,
}
const presentDaily = { ...present, schedule: 'daily', every: 1 }
const presentWeekly = { ...present, schedule: 'weekly', every: 1, day_of_week: ['mon', 'wed'] }
const allMonths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const { random_delay: _, ...presentEvent } = { ...present, delay: '' }

/** Pairs of a present and a desired trigger. */
const pairs: readonly (readonly [present: Attributes, wanted: Attributes])[] = [
  [presentDaily, daily],
  [presentDaily, { ...daily, start_time: '7am', every: '1' }],
  [{ ...presentDaily, every: 2 }, daily],
  [
    { ...presentDaily, every: 2 },
    { ...daily, every: 1 },
  ],
  [{ ...presentDaily, enabled: false }, daily],
  [presentDaily, { ...daily, start_date: '2018-01-01' }],
  [presentDaily, { ...daily, start_date: '2018-01-02' }],
  [presentDaily, { ...daily, start_time: '7:01' }],
  [
    { ...presentDaily, minutes_interval: 60, minutes_duration: 1440 },
    { ...daily, minutes_interval: 60 },
  ],
  [
    { ...presentDaily, minutes_interval: 60, minutes_duration: 720 },
    { ...daily, minutes_interval: '60', minutes_duration: '720' },
  ],
  [{ ...presentDaily, minutes_interval: 60, minutes_duration: 720 }, daily],
  [presentDaily, { ...daily, minutes_interval: 0, minutes_duration: 0 }],
  [presentWeekly, { ...weekly, day_of_week: ['mon', 'wed'] }],
  [presentWeekly, { ...weekly, day_of_week: 'mon' }],
  [
    { ...presentWeekly, day_of_week: ['mon'] },
    { ...weekly, day_of_week: 'mon' },
  ],
  [
    { ...present, schedule: 'monthly', months: [1, 2], on: [1, 'last'] },
    { ...monthly, on: [1, 'last'], months: [1, 2] },
  ],
  [
    { ...present, schedule: 'monthly', months: allMonths, on: [1] },
    { ...monthly, on: 1 },
  ],
  [
    { ...present, schedule: 'monthly', months: allMonths, which_occurrence: 'last', day_of_week: ['fri'] },
    { ...monthly, which_occurrence: 'last', day_of_week: 'fri' },
  ],
  [
    { ...presentDaily, random_delay: 'PT15M' },
    { ...daily, random_delay: 'PT15M' },
  ],
  [
    { ...presentDaily, random_delay: 'PT1H' },
    { ...daily, random_delay: 'PT60M' },
  ],
  [presentDaily, { ...daily, disable_time_zone_synchronization: true }],
  [presentDaily, { ...daily, disable_time_zone_synchronization: false }],
  [presentDaily, { ...once, start_date: '2018-1-1' }],
  [{ ...presentEvent, schedule: 'boot' }, { schedule: 'boot' }],
  [presentDaily, { ...daily, minutes_duration: 60 }],
]

/** Pairs that differ only in keys that Windows does not store for the kind of the trigger. */
const unstored: typeof pairs = [
  [
    { ...presentEvent, schedule: 'boot' },
    { schedule: 'boot', random_delay: 'PT5M' },
  ],
  [
    { ...presentEvent, schedule: 'logon', start_date: '', start_time: '', user_id: '' },
    { schedule: 'logon', disable_time_zone_synchronization: true },
  ],
  [
    { ...present, schedule: 'monthly', months: allMonths, on: [1] },
    { ...monthly, on: 1, every: 2 },
  ],
  [presentDaily, { ...daily, delay: 'PT5M', day_of_week: 'mon', months: 1, on: 1 }],
]

const july = { start_date: '2018-7-1' }

/** Triggers to write. */
const created: readonly Attributes[] = [
  { ...once, start_date: '2018-01-01', start_time: '23:20' },
  { ...daily, ...july, every: '3' },
  { ...daily, ...july, disable_time_zone_synchronization: true, minutes_interval: 60 },
  { ...weekly, ...july, minutes_interval: 60, minutes_duration: 720, random_delay: 'PT5M' },
  { ...weekly, ...july, day_of_week: ['sat', 'mon'], every: 2 },
  { ...monthly, ...july, on: [1, 'last'], months: [1, 12] },
  { ...monthly, ...july, which_occurrence: 'last', day_of_week: ['fri', 'mon'] },
  { schedule: 'boot', delay: 'PT5M' },
  { schedule: 'boot', ...july },
  { ...daily, ...july, schedule: 'logon' },
  { ...daily, ...july, delay: 'PT5M' },
]

/** Questions for the module. */
export const questions = {
  parse: [...resources, ...triggers.map((trigger): Attributes => ({ trigger }))],
  same: pairs,
  unstored,
  create: created,
  change: [
    [
      [presentDaily, presentWeekly],
      [daily, { ...monthly, on: [1, 'last'] }],
    ],
    [[], daily],
  ] as const,
}
