/** Date for people, such as `2031-11-20 13:43:51 UTC`. */
export function formatUtcDate(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const dayMs = 86_400_000
let lastDay = Number.NaN
let lastDate = ''

/**
 * Formats milliseconds like `toISOString`, `2031-11-20T13:43:51.007Z`; several times faster for
 * times on the same day.
 */
export function formatIsoTimestamp(time: number): string {
  const day = Math.floor(time / dayMs)
  if (day !== lastDay) {
    lastDate = new Date(time).toISOString().slice(0, -'13:43:51.007Z'.length)
    lastDay = day
  }
  const ms = Math.trunc(time - day * dayMs)
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ]
  return `${lastDate}${padTwoDigits(hours)}:${padTwoDigits(minutes)}:${padTwoDigits(seconds)}.${padThreeDigits(ms % 1000)}Z`
}

function padTwoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}

function padThreeDigits(number: number): string {
  return number < 100 ? `0${padTwoDigits(number)}` : String(number)
}
