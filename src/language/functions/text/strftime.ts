import { throwIssue } from '../../../base/issue.ts'
import { formatTime as formatTimestamp } from '../../ruby-semantics/time/strftime.ts'
import { getPrintedOffset } from '../../values/parse-timestamp.ts'
import type { Timespan, Timestamp } from '../../values/time.ts'
import { formatTimespan } from '../../values/timespan-format.ts'
import { defineFunction } from '../definition/define-function.ts'
import { functionIssues } from '../definition/issues.ts'

/** `strftime`: formats a Timestamp or a Timespan; their directives differ. Throws NO_CLOCK without either. */
export const strftime = defineFunction('strftime', 'Formats a Timestamp or a Timespan.', {
  'Timespan $time_object, String $format': (span: Timespan, format: string) => formatTimespan(span.nanoseconds, format),
  'Timestamp $time_object, String $format, String $timezone?': (time: Timestamp, format: string, zone?: string) =>
    formatTimestamp(time.nanoseconds, format, zone ? getPrintedOffset(zone) : undefined),
  // In Puppet, this signature formats the server's current time (deprecated since 4.8). Here a
  // catalog never depends on the clock.
  'String $format, String $timezone?': () => throwIssue(functionIssues.NO_CLOCK, {}),
})
