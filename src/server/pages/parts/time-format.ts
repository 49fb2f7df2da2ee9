import { type Html, html } from '../../../base/text/html.ts'

const second = 1000
const units: readonly (readonly [below: number, length: number, name: string])[] = [
  [90 * second, second, 's'],
  [90 * 60 * second, 60 * second, 'min'],
  [36 * 3600 * second, 3600 * second, 'h'],
  [Number.POSITIVE_INFINITY, 24 * 3600 * second, 'days'],
]

/** A relative time, with the exact time in its title and `datetime` attribute. */
export function renderTime(time: string | number | null | undefined, now: number): Html {
  if (time === null || time === undefined) return html`<span class="none">never</span>`
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return html`${time}`
  const exact = at.toISOString()
  return html`<time datetime="${exact}" title="${formatUtc(exact)}">${formatRelativeTime(now - at.getTime())}</time>`
}

/** Formats a time difference: `4 min ago`, `in 2 h`. */
export function formatRelativeTime(milliseconds: number): string {
  const length = Math.abs(milliseconds)
  if (length < 5 * second) return 'just now'
  const said = formatDuration(length)
  return milliseconds < 0 ? `in ${said}` : `${said} ago`
}

/** Formats a duration: `4 min`, `31 days`. */
export function formatDuration(milliseconds: number): string {
  const [, length, name] = units.find(([below]) => milliseconds < below)!
  return `${Math.round(milliseconds / length)} ${name}`
}

/** Formats a time: `2026-11-20 06:00:00 UTC`. */
export function formatUtc(exact: string): string {
  return `${exact.slice(0, 19).replace('T', ' ')} UTC`
}

/** Formats a whole number with separators: `12,345`. */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US')
}
