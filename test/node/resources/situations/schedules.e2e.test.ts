import { recordedAnswers } from '../../../support/recorded-answers.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** A schedule and a file that has it, applied twice. */
const schedule = (attributes: string, more: Partial<ApplyCase> = {}): ApplyCase => ({
  manifest: `schedule { 's': ${attributes} } file { '@/f': content => 'a', schedule => 's' } notify { 'n': schedule => 's' }`,
  ...more,
})

// No case depends on the hour or the day at which it runs.
situations(puppet, 'schedules', [], {
  'period of each word': {
    manifest: ['hourly', 'daily', 'weekly', 'monthly', 'never']
      .map(
        (period) => `schedule { '${period}x': period => ${period} } notify { '${period}': schedule => '${period}x' }`,
      )
      .join('\n'),
  },
  'the schedules that are always there': `
    notify { 'a': schedule => hourly } notify { 'b': schedule => daily } notify { 'c': schedule => never } notify { 'd': schedule => puppet }
    notify { 'e': schedule => weekly } notify { 'f': schedule => monthly }`,
  'a schedule that is missing': "notify { 'a': schedule => 'none-such' }",
  'a schedule of undef': "notify { 'a': schedule => undef }",
  'an empty schedule': schedule(''),
  'the whole day': schedule("range => '0:00 - 23:59:59'"),
  'the whole day without blanks': schedule("range => '0-24'"),
  'several ranges': schedule("range => ['0:00 - 11:59:59', '12:00 - 23:59:59']"),
  'a range over midnight': schedule("range => '12:00 - 11:59'"),
  'a range that is wrong': schedule("range => 'noon - 14'"),
  'a range without an end': schedule("range => '2'"),
  'a range with a minute of 60': schedule("range => '2:60 - 4'"),
  'a range with an hour of 25': schedule("range => '2 - 25'"),
  'a range that begins where it ends': schedule("range => '2:00 - 2:00'"),
  'every weekday by name': schedule("weekday => ['Mon', 'Tuesday', 'wed', 'THU', 'Friday', 'Saturday', 'Sunday']"),
  'every weekday by number': schedule("weekday => ['0', '1', '2', '3', '4', '5', '6']"),
  'a weekday of Integer': schedule('weekday => [0, 1, 2, 3, 4, 5, 6]'),
  'a weekday that is wrong': schedule("weekday => 'Someday'"),
  'a weekday of 7': schedule("weekday => '7'"),
  'a period that is wrong': schedule('period => yearly'),
  'a repeat of two': schedule('period => daily, repeat => 2'),
  'a repeat of three with periodmatch distance': schedule('period => daily, repeat => 3, periodmatch => distance'),
  'a repeat with periodmatch number': schedule('period => daily, repeat => 2, periodmatch => number'),
  'a repeat that is wrong': schedule("period => daily, repeat => 'often'"),
  'a repeat of text': schedule("period => daily, repeat => '2', periodmatch => distance"),
  'periodmatch number': schedule('period => weekly, periodmatch => number'),
  'periodmatch that is wrong': schedule('period => daily, periodmatch => week'),
  'period never and a range': schedule("period => never, range => '0 - 24'"),
  'an attribute that is unknown': schedule("days => 'Mon'"),
  ensure: schedule('ensure => present'),
  'noop and then a run': {
    manifest: [
      "schedule { 's': period => daily } notify { 'n': schedule => 's', noop => true }",
      "schedule { 's': period => daily } notify { 'n': schedule => 's' }",
    ],
  },
  'a failure and then a run': {
    manifest: [
      "schedule { 's': period => daily } exec { '/bin/false': schedule => 's' }",
      "schedule { 's': period => daily } exec { '/bin/false': schedule => 's' }",
    ],
  },
  'a resource that is not due and its dependents': `
    notify { 'first': schedule => never } -> notify { 'second': }
    notify { 'third': schedule => never } ~> exec { '/bin/true': refreshonly => true }
    notify { 'fourth': } ~> exec { '/bin/echo': refreshonly => true, schedule => never }`,
  'a class and a defined type with a schedule': `
    class c { notify { 'in c': } } class { 'c': schedule => never }
    define d { notify { "in d": } } d { 'x': schedule => never }`,
  'a schedule of a default': "Notify { schedule => never } notify { 'a': } notify { 'b': schedule => daily }",
})
