import { describe, expect, it } from 'vitest'
import { isInWindow, nextWindow, parseTimeWindow } from '../../../src/deploy/rollout/time-windows.ts'

const at = (text: string) => Date.parse(text)
const windowsOf = (...texts: readonly string[]) => texts.map(parseTimeWindow)
const format = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

describe('the text of a window', () => {
  it.each([
    ['Mon-Thu 09:00-16:00 Europe/Paris', [1, 2, 3, 4], 540, 960, 'Europe/Paris'],
    ['fri-mon 9:00-24:00', [0, 1, 5, 6], 540, 1440, 'UTC'],
    ['Mon,Wed 22:00-02:00 America/New_York', [1, 3], 1320, 120, 'America/New_York'],
    ['Mon-Tue,Sat 00:00-00:30 UTC', [1, 2, 6], 0, 30, 'UTC'],
    ['08:15-08:45 Australia/Lord_Howe', [0, 1, 2, 3, 4, 5, 6], 495, 525, 'Australia/Lord_Howe'],
    ['  Sun   00:00-24:00  ', [0], 0, 1440, 'UTC'],
    ['Mon-Mon 10:00-11:00', [1], 600, 660, 'UTC'],
  ])('%s', (text, days, from, to, timeZone) => {
    expect(parseTimeWindow(text)).toEqual({ days, from, to, timeZone })
  })

  it.each([
    ['', 'expected DAYS HH:MM-HH:MM ZONE'],
    ['Mon', 'expected DAYS HH:MM-HH:MM ZONE'],
    ['Mon Tue 09:00-10:00', 'expected DAYS HH:MM-HH:MM ZONE'],
    ['09:00-10:00 UTC UTC', 'expected DAYS HH:MM-HH:MM ZONE'],
    ['Mon 09:00', "'09:00' is not a time such as 09:00-16:00"],
    ['Mon 9-17', "'9-17' is not a time"],
    ['Mon 09:60-10:00', "'09:60-10:00' is not a time"],
    ['Mon 09:00-24:01', "'09:00-24:01' is not a time"],
    ['Mon 24:00-10:00', "'24:00-10:00' is not a time"],
    ['Mon 09:00-10:00-11:00', 'is not a time'],
    ['Mon 09:00-09:00', 'its start and its end are equal'],
    ['Mon-Xyz 09:00-10:00', "'Mon-Xyz' contains no days"],
    ['Mon-Tue-Wed 09:00-10:00', 'contains no days'],
    [', 09:00-10:00', 'contains no days'],
    ['Mon 09:00-10:00 Europe/Atlantis', "'Europe/Atlantis' is not a time zone such as Europe/Paris"],
    ['Mon 09:00-10:00 ../../etc', 'is not a time zone'],
  ])('%j is rejected', (text, why) => {
    expect(() => parseTimeWindow(text)).toThrow(why)
  })
})

// 2026-11-23 is a Monday.
describe('a time', () => {
  it.each([
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-23T07:59:59Z', false],
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-23T08:00:00Z', true],
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-23T14:59:59Z', true],
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-23T15:00:00Z', false],
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-27T10:00:00Z', false],
    // Summer time.
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-07-06T07:00:00Z', true],
    ['Mon 22:00-02:00 UTC', '2026-11-23T23:00:00Z', true],
    ['Mon 22:00-02:00 UTC', '2026-11-24T01:59:00Z', true],
    ['Mon 22:00-02:00 UTC', '2026-11-24T02:00:00Z', false],
    ['Mon 22:00-02:00 UTC', '2026-11-23T01:00:00Z', false],
    ['Sat 22:00-02:00 UTC', '2026-11-29T01:00:00Z', true],
    ['Mon 00:00-24:00 Asia/Kolkata', '2026-11-22T18:30:00Z', true],
    ['Mon 00:00-24:00 Asia/Kolkata', '2026-11-23T18:30:00Z', false],
    ['Fri-Mon 10:00-11:00', '2026-11-22T10:30:00Z', true],
    ['Fri-Mon 10:00-11:00', '2026-11-24T10:30:00Z', false],
  ])('%s contains %s: %s', (window, time, isInside) => {
    expect(isInWindow(windowsOf(window), at(time))).toBe(isInside)
  })

  it('is in a window if there are none', () => {
    expect(isInWindow([], at('2026-11-23T03:00:00Z'))).toBe(true)
    expect(nextWindow([], 12_345)).toBe(12_345)
  })
})

describe('the next window', () => {
  it.each<[string, string, string | undefined]>([
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-23T10:00:01.500Z', '2026-11-23T10:00:01.500Z'],
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-23T05:00:01.500Z', '2026-11-23T08:00:00.000Z'],
    ['Mon-Thu 09:00-16:00 Europe/Paris', '2026-11-26T15:00:00Z', '2026-11-30T08:00:00.000Z'],
    ['Mon 22:00-02:00 UTC', '2026-11-24T02:00:00Z', '2026-11-30T22:00:00.000Z'],
    ['Mon 09:00-09:01 UTC', '2026-11-23T09:01:00Z', '2026-11-30T09:00:00.000Z'],
    ['Mon-Fri 00:00-24:00 America/New_York', '2026-11-22T12:00:00Z', '2026-11-23T05:00:00.000Z'],
    // Clocks go forward from 02:00 to 03:00 on 2026-03-29 in Paris: the hour is skipped, and a window may begin in it.
    ['Sun 09:00-10:00 Europe/Paris', '2026-03-28T20:00:00Z', '2026-03-29T07:00:00.000Z'],
    ['Sun 02:30-04:00 Europe/Paris', '2026-03-28T20:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['Sun 02:15-02:45 Europe/Paris', '2026-03-28T20:00:00Z', '2026-04-05T00:15:00.000Z'],
    ['02:15-02:45 Europe/Paris', '2026-03-28T20:00:00Z', '2026-03-30T00:15:00.000Z'],
    // Clocks go back from 03:00 to 02:00 on 2026-10-25: 02:30 is there twice.
    ['Sun 02:30-02:45 Europe/Paris', '2026-10-24T20:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['Sun 02:30-02:45 Europe/Paris', '2026-10-25T00:50:00Z', '2026-10-25T01:30:00.000Z'],
    ['Sun 02:30-02:45 Europe/Paris', '2026-10-25T01:50:00Z', '2026-11-01T01:30:00.000Z'],
    ['Sun 23:00-05:00 Europe/Paris', '2026-10-25T20:00:00Z', '2026-10-25T22:00:00.000Z'],
    // Half an hour on Lord Howe Island, and a change at midnight in Beirut.
    ['Sun 02:10-03:00 Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-03T15:30:00.000Z'],
    ['Sun 00:00-01:30 Asia/Beirut', '2026-03-28T12:00:00Z', '2026-03-28T22:00:00.000Z'],
    // Samoa skipped 2011-12-30, a Friday.
    ['Fri 10:00-11:00 Pacific/Apia', '2011-12-29T23:00:00Z', '2012-01-05T20:00:00.000Z'],
  ])('%s from %s is %s', (window, now, start) => {
    expect(format(nextWindow(windowsOf(window), at(now)))).toBe(start)
  })

  it('is the first of several', () => {
    const windows = windowsOf('Wed 10:00-11:00 UTC', 'Tue 23:00-24:00 America/New_York', 'Tue 10:00-11:00 Asia/Tokyo')
    expect(format(nextWindow(windows, at('2026-11-24T02:00:00Z')))).toBe('2026-11-25T04:00:00.000Z')
  })

  it('contains its start, and nothing between', () => {
    const windows = windowsOf('Mon-Thu 09:17-16:00 Europe/Paris', 'Sat 23:30-00:15 America/St_Johns')
    for (let hour = 0; hour < 24 * 400; hour += 61) {
      const now = at('2026-01-01T00:03:00Z') + hour * 3_600_000
      const next = nextWindow(windows, now)!
      expect(isInWindow(windows, next)).toBe(true)
      if (next > now) expect(isInWindow(windows, Math.max(now, next - 60_000))).toBe(false)
      for (let time = now; time < next; time += 3_600_000) expect(isInWindow(windows, time)).toBe(false)
    }
  })
})
