/** Pads a date: `2020-1-2` becomes `2020-01-02`. Returns an invalid date unchanged. */
export function formatIsoDate(text: string): string {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number]
  return isInCalendar(year, month, day) ? `${text.slice(0, 4)}-${padDigits(month)}-${padDigits(day)}` : text
}

/**
 * Formats a time in UTC like Ruby's `Time#iso8601`. Reads a time without a zone as UTC, as in Psych (scalar_scanner.rb,
 * `parse_time`).
 */
export function formatIsoTime(text: string): string {
  const found =
    /^(-?\d{4})-(\d+)-(\d+)(?:[Tt]|\s+)(\d+):(\d\d):(\d\d)(?:\.\d*)?\s*(?:Z|([-+])(\d{1,2}):?(\d\d)?)?$/.exec(text)
  if (!found) return text
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as number[]
  if (!isInCalendar(year!, month!, day!)) return text
  const offset = (Number(found[8] ?? 0) * 60 + Number(found[9] ?? 0)) * (found[7] === '-' ? -1 : 1)
  const date = new Date(0)
  date.setUTCFullYear(year!, month! - 1, day)
  date.setUTCHours(hour!, minute! - offset, second)
  return `${date.toISOString().slice(0, -5)}+00:00`
}

function isInCalendar(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

function padDigits(number: number): string {
  return String(number).padStart(2, '0')
}
