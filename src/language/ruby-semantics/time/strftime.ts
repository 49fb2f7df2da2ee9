import { throwArgumentError } from '../argument-error.ts'
import { requireBoundedWidth } from '../size-limits.ts'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Names of days and months for `%A` and `%B`. */
export const calendar = { days, months } as const

interface Moment {
  /** Local time, stored in the UTC fields of a Date. */
  readonly local: Date
  readonly nanoseconds: bigint
  /** Minutes east of UTC; absent for the zone UTC itself, the only zone with a name. */
  readonly offset: number | undefined
}

/** Returns the text of a directive, or a number with the width to which it is padded. */
type Directive = (moment: Moment, digits: number | undefined) => string | { value: number; width: number; pad: string }

const createField = (value: number, width: number, pad = '0') => ({ value, width, pad })

const directives: Readonly<Record<string, Directive>> = {
  Y: ({ local }) => String(local.getUTCFullYear()).padStart(4, '0'),
  C: ({ local }) => createField(Math.floor(local.getUTCFullYear() / 100), 2),
  y: ({ local }) => createField(local.getUTCFullYear() % 100, 2),
  m: ({ local }) => createField(local.getUTCMonth() + 1, 2),
  B: ({ local }) => months[local.getUTCMonth()]!,
  b: ({ local }) => months[local.getUTCMonth()]!.slice(0, 3),
  h: ({ local }) => months[local.getUTCMonth()]!.slice(0, 3),
  d: ({ local }) => createField(local.getUTCDate(), 2),
  e: ({ local }) => createField(local.getUTCDate(), 2, ' '),
  j: ({ local }) => createField(computeDayOfYear(local), 3),
  H: ({ local }) => createField(local.getUTCHours(), 2),
  k: ({ local }) => createField(local.getUTCHours(), 2, ' '),
  I: ({ local }) => createField(local.getUTCHours() % 12 || 12, 2),
  l: ({ local }) => createField(local.getUTCHours() % 12 || 12, 2, ' '),
  P: ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm'),
  p: ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM'),
  M: ({ local }) => createField(local.getUTCMinutes(), 2),
  S: ({ local }) => createField(local.getUTCSeconds(), 2),
  L: (moment, digits = 3) => formatFraction(moment, digits),
  N: (moment, digits = 9) => formatFraction(moment, digits),
  Z: ({ offset }) => (offset === undefined ? 'UTC' : ''),
  A: ({ local }) => days[local.getUTCDay()]!,
  a: ({ local }) => days[local.getUTCDay()]!.slice(0, 3),
  u: ({ local }) => createField(local.getUTCDay() || 7, 1),
  w: ({ local }) => createField(local.getUTCDay(), 1),
  G: ({ local }) => String(computeIsoWeek(local).year),
  g: ({ local }) => createField(computeIsoWeek(local).year % 100, 2),
  V: ({ local }) => createField(computeIsoWeek(local).week, 2),
  U: ({ local }) => createField(Math.floor((computeDayOfYear(local) + 6 - local.getUTCDay()) / 7), 2),
  W: ({ local }) => createField(Math.floor((computeDayOfYear(local) + 6 - ((local.getUTCDay() + 6) % 7)) / 7), 2),
  s: ({ nanoseconds }) => String(floorSeconds(nanoseconds)),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
}

const compounds: Readonly<Record<string, string>> = {
  c: '%a %b %e %T %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  v: '%e-%^b-%4Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
}

/** Formats a time like Ruby's `strftime`; `offset` is in minutes east of UTC. */
export function formatTime(nanoseconds: bigint, format: string, offset?: number): string {
  if (/(?:^|[^%])(?:%%)*%[-0-9^#_]*$/.test(format)) throwArgumentError(`invalid format: ${format}`)
  const local = new Date(Number(floorSeconds(nanoseconds)) * 1000 + (offset ?? 0) * 60_000)
  return writeDirectives({ local, nanoseconds, offset }, format)
}

function writeDirectives(moment: Moment, format: string): string {
  return format.replace(
    /%([-0^#_]*)((?:[1-9]\d*)?)(?:(:{0,3})(z)|E([cCxXyY])|O([deHklImMSuUVwWy])|([a-zA-Z%]))/g,
    (all, flags: string, width: string, colons: string | undefined, ...letters: (string | undefined)[]) => {
      const letter = letters.slice(0, 4).find((each) => each !== undefined)!
      const digits = width === '' ? undefined : requireBoundedWidth(Number(width))
      if (letter === 'z') return formatOffset(moment.offset, colons ?? '', flags, digits ?? 0)
      const compound = compounds[letter]
      if (compound !== undefined) {
        const text = writeDirectives(moment, compound)
        const shown = flags.includes('^') ? text.toUpperCase() : text
        const given = /[DxXRT]/.test(letter) ? flags.replace('-', '') : flags
        return padText(shown, given, digits, flags.includes('0') ? '0' : ' ')
      }
      const directive = directives[letter]
      if (!directive) return all
      const text = directive(moment, digits)
      if (typeof text !== 'string') return padNumber(text, flags, digits)
      const isNumber = /[YGs]/.test(letter)
      const blank = flags.includes('0') || (isNumber && !flags.includes('_')) ? '0' : ' '
      return letter === 'N' || letter === 'L' ? text : padText(swapCase(text, flags), flags, digits, blank)
    },
  )
}

function padNumber(
  { value, width, pad }: { value: number; width: number; pad: string },
  flags: string,
  digits?: number,
): string {
  if (flags.includes('-')) return String(value)
  const character = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : pad
  return String(value).padStart(digits ?? width, character)
}

/** Pads a text; the flag `-` disables padding. */
function padText(text: string, flags: string, digits: number | undefined, blank: string): string {
  return flags.includes('-') ? text : text.padStart(digits ?? 0, blank)
}

/** Applies the flag `#`, which swaps the case of upper-case text and converts other text to upper case. */
function swapCase(text: string, flags: string): string {
  if (flags.includes('#')) return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
  return flags.includes('^') ? text.toUpperCase() : text
}

function formatFraction({ nanoseconds }: Moment, digits: number): string {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  return String(rest).padStart(9, '0').padEnd(digits, '0').slice(0, digits)
}

function floorSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / 1_000_000_000n
  return nanoseconds < 0n && nanoseconds % 1_000_000_000n !== 0n ? seconds - 1n : seconds
}

/**
 * Formats an offset: `+0130`, `+01:30`, `+01:30:00`; with three colons, only the parts that are not zero. For the zone
 * UTC itself, `%-z` gives `-0000`.
 */
function formatOffset(given: number | undefined, colons: string, flags: string, width: number): string {
  const offset = given ?? 0
  const size = Math.abs(offset)
  const sign = offset < 0 || (given === undefined && flags.includes('-')) ? '-' : '+'
  const minutes = `${colons ? ':' : ''}${String(size % 60).padStart(2, '0')}`
  const rest = colons === ':::' && size % 60 === 0 ? '' : `${minutes}${colons === '::' ? ':00' : ''}`
  const hours = String(Math.floor(size / 60))
  const least = Math.max(width - 1 - rest.length, 2)
  return flags.includes('_') ? (sign + hours).padStart(least + 1) + rest : sign + hours.padStart(least, '0') + rest
}

function computeDayOfYear(local: Date): number {
  return Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / 86_400_000) + 1
}

function computeIsoWeek(local: Date): { year: number; week: number } {
  const thursday = new Date(local.getTime())
  thursday.setUTCDate(local.getUTCDate() + 4 - (local.getUTCDay() || 7))
  return { year: thursday.getUTCFullYear(), week: Math.ceil(computeDayOfYear(thursday) / 7) }
}
