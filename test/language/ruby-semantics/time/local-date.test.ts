import { execFileSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { parseLocalDate } from '../../../../src/language/ruby-semantics/time/local-date.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'

const dates = [
  ...['2026-11-21', '2026-11-21 10:00', '2026-1-2 9:05:07', '2026/11/21', '20261121', '20261121 10:00:05'],
  ...['21.11.2026', '2-1-2026', '01/02/2026', '0:0:0 1-1-1970', '10:00 2026-11-21', '2026-11-31', '2026-02-30'],
  ...['21 Nov 2026', 'Nov 21, 2026 10:00:05', '21 november 2026 23:59', '2026-11-21T10:00:05', '2026-11-21T10:00:05Z'],
  ...['2026-11-21 10:00:05 +0200', '2026-11-21 10:00:05 -05:30', '2026-11-21T10:00+02:00', '2026-11-21 10:00 UTC'],
  ...['2026-11-21 10:30 pm', '2026-11-21 12:05:09AM', '2026-11-21 7pm', '12 am 2026-11-21', '2026-11-21 12:00PM'],
]
const bad = ['', 'soon', '2026-13-01', '2026-11-32', '2026-11-21 25:00', '2026-11-21 10:61', '21 Foo 2026', '0/1/2026']

const ruby = recordedAnswers(import.meta.filename, 'Ruby 3.1')

it.each(['UTC', 'America/New_York'])('reads dates as Ruby does, in %s', (zone) => {
  const code = "require 'time'; ARGV.each { |each| puts((Time.parse(each).to_i rescue 'bad')) }"
  const theirs = ruby.one(zone, [code, dates], () =>
    execFileSync('ruby', ['-e', code, ...dates], { encoding: 'utf8', env: { ...process.env, TZ: zone } })
      .trim()
      .split('\n'),
  )
  vi.stubEnv('TZ', zone)
  const ours = dates.map((each) => String((parseLocalDate(each)?.getTime() ?? Number.NaN) / 1000))
  vi.unstubAllEnvs()
  expect(Object.fromEntries(dates.map((each, at) => [each, ours[at]]))).toEqual(
    Object.fromEntries(dates.map((each, at) => [each, theirs[at]])),
  )
})

it('takes a time alone for one of today', () => {
  const now = new Date(2026, 10, 21, 15, 30)
  expect(parseLocalDate('10:00', now)).toEqual(new Date(2026, 10, 21, 10, 0))
  expect(parseLocalDate('11:20 PM', now)).toEqual(new Date(2026, 10, 21, 23, 20))
})

it.each(bad)('does not guess what %j may be', (text) => {
  expect(parseLocalDate(text)).toBeUndefined()
})
