import { describe, expect, it } from 'vitest'
import type { Value } from '../../../src/language/values/value.ts'
import { isScheduled } from '../../../src/node/agent/schedules.ts'
import { ManagedResource } from '../../../src/node/resources/managed-resource.ts'
import { schedule } from '../../../src/node/resources/types/schedule.ts'

function made(values: Readonly<Record<string, Value>>) {
  const resource = new ManagedResource(schedule, { title: 's', values: new Map(Object.entries(values)) })
  resource.parse()
  return resource
}

/** A Wednesday. */
const now = new Date(2026, 10, 18, 3, 30)
const ago = (minutes: number) => now.getTime() - minutes * 60_000

describe('a schedule', () => {
  it.each<[Record<string, Value>, number | undefined, boolean]>([
    [{}, undefined, true],
    [{ period: 'never' }, undefined, false],
    [{ period: 'hourly' }, undefined, true],
    [{ period: 'hourly' }, ago(59), false],
    [{ period: 'hourly' }, ago(61), true],
    [{ period: 'hourly', repeat: 2 }, ago(31), true],
    [{ period: 'hourly', periodmatch: 'number' }, ago(31), true],
    [{ period: 'hourly', periodmatch: 'number' }, ago(29), false],
    [{ range: '2-4' }, undefined, true],
    [{ range: '4:00 - 6:00' }, undefined, false],
    [{ range: '22:00 - 4:00' }, undefined, true],
    [{ range: ['5-6', '3:15 - 3:45'] }, undefined, true],
    [{ weekday: 'Wednesday' }, undefined, true],
    [{ weekday: ['Mon', 0] }, undefined, false],
  ])('%j, last looked at %s: %s', (values, previous, expected) => {
    expect(isScheduled(made(values), previous, now)).toBe(expected)
  })

  // The answers of real Puppet 7.23.
  it.each<[Record<string, Value>, previous: readonly number[] | undefined, at: readonly number[], boolean]>([
    [{ range: '22:00 - 4:00', weekday: 'Tuesday' }, undefined, [2026, 11, 18, 3, 30], true],
    [{ range: '22:00 - 4:00', weekday: 'Wednesday' }, undefined, [2026, 11, 18, 3, 30], false],
    [{ range: '22:00 - 4:00', weekday: 'Wednesday' }, undefined, [2026, 11, 18, 23, 0], true],
    [{ range: '3:00 - 4:00', weekday: 'Wednesday' }, undefined, [2026, 11, 18, 3, 30], true],
    [{ range: '3:00 - 4:00', weekday: 'Tuesday' }, undefined, [2026, 11, 18, 3, 30], false],
    [{ range: '2:00 - 2:00' }, undefined, [2026, 11, 18, 3, 30], true],
    [{ range: '2:00 - 2:00', weekday: 'Tuesday' }, undefined, [2026, 11, 18, 1, 0], true],
    [{ range: '2:00 - 2:00', weekday: 'Tuesday' }, undefined, [2026, 11, 18, 3, 0], false],
    [{ period: 'weekly', periodmatch: 'number' }, [2026, 11, 14, 23, 0], [2026, 11, 15, 1, 0], true],
    [{ period: 'weekly', periodmatch: 'number' }, [2026, 11, 15, 1, 0], [2026, 11, 21, 23, 0], false],
    [{ period: 'weekly', periodmatch: 'number' }, [2026, 12, 31, 1, 0], [2027, 1, 1, 1, 0], false],
    [{ period: 'daily', repeat: 7 }, [2026, 11, 18, 0, 0], [2026, 11, 18, 3, 25, 42], true],
  ])('%j, last looked at %j, at %j: %s', (values, previous, at, expected) => {
    const time = ([year = 0, month = 1, ...rest]: readonly number[]) =>
      new Date(year, month - 1, ...(rest as [number, number, number]))
    expect(isScheduled(made(values), previous && time(previous).getTime(), time(at))).toBe(expected)
  })
})
