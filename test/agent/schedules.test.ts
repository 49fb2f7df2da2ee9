import { describe, expect, it } from 'vitest'
import { isScheduled } from '../../src/agent/schedules.ts'
import type { Value } from '../../src/language/values/value.ts'
import { ManagedResource } from '../../src/resources/managed-resource.ts'
import { schedule } from '../../src/resources/types/schedule.ts'

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
})
