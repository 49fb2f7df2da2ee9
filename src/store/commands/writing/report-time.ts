import { defineIssues, throwIssue } from '../../../base/issue.ts'

const issues = defineIssues({
  REPORT_TIME: { text: (a: { time: string }) => `no time information in ${JSON.stringify(a.time.slice(0, 100))}` },
})

const pattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)? ?(Z|[+-]\d\d:?\d\d)$/

/**
 * Formats a time from a report with milliseconds, keeping its offset. Ruby: `Time#iso8601(3)`,
 * which rounds down. Throws REPORT_TIME.
 */
export function formatWireTime(time: string): string {
  return addSeconds(time, 0)
}

/** Returns the time `seconds` later, with the same offset. Uses the exact binary value of `seconds`, as Ruby does. */
export function addSeconds(time: string, seconds: number): string {
  const [, date, clock, fraction = '', zone] = pattern.exec(time) ?? throwIssue(issues.REPORT_TIME, { time })
  const whole = Date.parse(`${date}T${clock}Z`)
  if (Number.isNaN(whole)) throwIssue(issues.REPORT_TIME, { time })
  const nanoseconds = BigInt(whole) * million + BigInt(fraction.padEnd(9, '0'))
  const offset = zone === 'Z' || zone!.includes(':') ? zone! : `${zone!.slice(0, 3)}:${zone!.slice(3)}`
  return new Date(Number(addNanoseconds(nanoseconds, seconds))).toISOString().replace('Z', offset)
}

const million = 1_000_000n

/** Returns the sum of nanoseconds and seconds in milliseconds, rounded down. */
function addNanoseconds(nanoseconds: bigint, seconds: number): bigint {
  if (!Number.isFinite(seconds)) return nanoseconds / million
  let scale = 1n
  let mantissa = seconds
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    scale *= 2n
  }
  return (nanoseconds * scale + BigInt(mantissa) * 1000n * million) / (million * scale)
}
