import { sql } from 'kysely'
import type { Sql } from './entity.ts'

/**
 * Formats a UTC time like PostgreSQL's `to_char`, for use in SQLite. `milliseconds` is the time
 * since 1970; the format may be, for example, `FMDay, DD Mon YYYY`.
 */
export function formattedTime(milliseconds: Sql, format: string): Sql {
  const parts = piecesOf(format).map((piece) =>
    typeof piece === 'string' ? sql`${piece}` : pieceSql(piece, milliseconds),
  )
  return parts.length === 0
    ? sql`null`
    : sql`(case when ${milliseconds} is not null then ${sql.join(parts, sql` || `)} end)`
}

/** A pattern in a format, with its prefix and suffix. */
interface Piece {
  readonly part: Part
  /** `FM`: without padding by spaces and zeros. */
  readonly bare: boolean
  /** `TH` or `th`: with an ordinal suffix. */
  readonly ordinal: string | undefined
}

function piecesOf(format: string): (string | Piece)[] {
  const pieces: (string | Piece)[] = []
  for (let at = 0; at < format.length; ) {
    const prefix = /^(?:FM|fm|TM|tm|FX|fx)/.exec(format.slice(at, at + 2))?.[0] ?? ''
    const name = names.find((each) => format.startsWith(each, at + prefix.length))
    const part = name === undefined ? undefined : partOf(name)
    if (part && name !== undefined) {
      at += prefix.length + name.length
      const ordinal = part.kind === 'number' ? /^(?:TH|th)/.exec(format.slice(at, at + 2))?.[0] : undefined
      at += ordinal?.length ?? 0
      pieces.push({ part, bare: prefix.toUpperCase() === 'FM', ordinal })
    } else {
      const { text, end } = plainAt(format, at + prefix.length)
      if (text !== '') pieces.push(text)
      at = end
    }
  }
  return pieces
}

/** Reads literal text: a character, or the text in quotation marks. */
function plainAt(format: string, from: number): { text: string; end: number } {
  if (format.startsWith('\\"', from)) return { text: '"', end: from + 2 }
  if (format[from] !== '"') return { text: format[from] ?? '', end: from + 1 }
  let text = ''
  let at = from + 1
  for (; at < format.length && format[at] !== '"'; at++) {
    if (format[at] === '\\' && at + 1 < format.length) at++
    text += format[at]
  }
  return { text, end: at + 1 }
}

type Part =
  | { readonly kind: 'number'; readonly sql: (time: Time) => Sql; readonly width: number }
  | { readonly kind: 'names'; readonly sql: (time: Time) => Sql; readonly names: readonly string[]; width: number }
  | { readonly kind: 'text'; readonly sql: (time: Time) => Sql }

/** A time, from which the patterns compute their values. */
interface Time {
  readonly milliseconds: Sql
  /** A number formatted by `strftime`. */
  number(format: string, ...modifiers: readonly string[]): Sql
}

function pieceSql({ part, bare, ordinal }: Piece, milliseconds: Sql): Sql {
  const seconds = sql`((${milliseconds} - ((${milliseconds} % 1000) + 1000) % 1000) / 1000)`
  const value = part.sql({
    milliseconds,
    number: (format, ...modifiers) => {
      const each = modifiers.map((modifier) => sql`, ${sql.lit(modifier)}`)
      return sql`cast(strftime(${sql.lit(format)}, ${seconds}, 'unixepoch'${sql.join(each, sql``)}) as integer)`
    },
  })
  if (part.kind === 'text') return value
  if (part.kind === 'number') {
    const digits =
      bare || part.width === 0 ? sql`cast(${value} as text)` : sql`printf(${sql.lit(`%0${part.width}d`)}, ${value})`
    return ordinal === undefined ? digits : sql`(${digits} || ${ending(value, ordinal)})`
  }
  const cases = part.names.map(
    (name, at) => sql`when ${sql.lit(at)} then ${sql.lit(bare ? name : name.padEnd(part.width))}`,
  )
  return sql`(case ${value} ${sql.join(cases, sql` `)} end)`
}

function ending(value: Sql, letters: string): Sql {
  const cased = (text: string) => sql.lit(letters === 'TH' ? text.toUpperCase() : text)
  return sql`(case when ${value} / 10 % 10 = 1 then ${cased('th')} when ${value} % 10 = 1 then ${cased('st')}
    when ${value} % 10 = 2 then ${cased('nd')} when ${value} % 10 = 3 then ${cased('rd')} else ${cased('th')} end)`
}

const number = (of: (time: Time) => Sql, width: number): Part => ({ kind: 'number', sql: of, width })
const simple = (format: string, width: number) => number((time) => time.number(format), width)
const text = (of: (time: Time) => Sql): Part => ({ kind: 'text', sql: of })

/**
 * SQLite modifiers that move a date to the Thursday of its ISO week, which determines the week's
 * year. `weekday` only moves forward, so the date is first moved three days back.
 */
const thursday = ['-3 days', 'weekday 4'] as const
const isoYear = (time: Time) => time.number('%Y', ...thursday)
const isoWeek = (time: Time) => sql`((${time.number('%j', ...thursday)} - 1) / 7 + 1)`
const isoDay = (time: Time) => sql`((${time.number('%w')} + 6) % 7 + 1)`
const year = (time: Time) => time.number('%Y')
const hour12 = (time: Time) => sql`((${time.number('%H')} + 11) % 12 + 1)`
const fraction = (digits: number) =>
  text(({ milliseconds }) => {
    const all = sql`printf('%03d', (${milliseconds} % 1000 + 1000) % 1000) || '000'`
    return sql`substr(${all}, 1, ${sql.lit(digits)})`
  })

const numbers: Readonly<Record<string, Part>> = {
  'Y,YYY': text((time) => sql`printf('%d,%03d', ${year(time)} / 1000, ${year(time)} % 1000)`),
  YYYY: number(year, 4),
  YYY: number((time) => sql`(${year(time)} % 1000)`, 3),
  YY: number((time) => sql`(${year(time)} % 100)`, 2),
  Y: number((time) => sql`(${year(time)} % 10)`, 1),
  IYYY: number(isoYear, 4),
  IYY: number((time) => sql`(${isoYear(time)} % 1000)`, 3),
  IY: number((time) => sql`(${isoYear(time)} % 100)`, 2),
  IDDD: number((time) => sql`((${isoWeek(time)} - 1) * 7 + ${isoDay(time)})`, 3),
  ID: number(isoDay, 0),
  IW: number(isoWeek, 2),
  I: number((time) => sql`(${isoYear(time)} % 10)`, 1),
  DDD: simple('%j', 3),
  DD: simple('%d', 2),
  D: number((time) => sql`(${time.number('%w')} + 1)`, 0),
  HH24: simple('%H', 2),
  HH12: number(hour12, 2),
  HH: number(hour12, 2),
  MI: simple('%M', 2),
  MM: simple('%m', 2),
  MS: fraction(3),
  US: fraction(6),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((digits) => [`FF${digits}`, fraction(digits)])),
  SSSSS: number((time) => sql`(${time.number('%s')} % 86400 + 86400) % 86400`, 0),
  SSSS: number((time) => sql`(${time.number('%s')} % 86400 + 86400) % 86400`, 0),
  SS: simple('%S', 2),
  WW: number((time) => sql`((${time.number('%j')} - 1) / 7 + 1)`, 2),
  W: number((time) => sql`((${time.number('%d')} - 1) / 7 + 1)`, 0),
  CC: number((time) => sql`((${year(time)} + 99) / 100)`, 2),
  J: number((time) => sql`(${time.number('%s')} / 86400 + 2440588)`, 0),
  Q: number((time) => sql`((${time.number('%m')} + 2) / 3)`, 0),
  TZH: text(() => sql`'+00'`),
  TZM: text(() => sql`'00'`),
  OF: text(() => sql`'+00'`),
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const romans = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

const weekday = (time: Time) => time.number('%w')
const month = (time: Time) => sql`(${time.number('%m')} - 1)`
const half = (time: Time) => sql`(${time.number('%H')} / 12)`
const era = () => sql`0`

/** Patterns for words: in capitals, in lower case, or with an initial capital. */
const words: Readonly<Record<string, Part>> = {
  ...cased('Day', weekday, days, 9),
  ...cased(
    'Dy',
    weekday,
    days.map((name) => name.slice(0, 3)),
    3,
  ),
  ...cased('Month', month, months, 9),
  ...cased(
    'Mon',
    month,
    months.map((name) => name.slice(0, 3)),
    3,
  ),
  ...cased('RM', month, romans, 4),
  ...cased('AM', half, ['AM', 'PM'], 2),
  ...cased('PM', half, ['AM', 'PM'], 2),
  ...cased('A.M.', half, ['A.M.', 'P.M.'], 4),
  ...cased('P.M.', half, ['A.M.', 'P.M.'], 4),
  ...cased('AD', era, ['AD'], 2),
  ...cased('BC', era, ['AD'], 2),
  ...cased('A.D.', era, ['A.D.'], 4),
  ...cased('B.C.', era, ['A.D.'], 4),
  ...cased('TZ', era, ['UTC'], 3),
}

function cased(name: string, of: (time: Time) => Sql, all: readonly string[], width: number): Record<string, Part> {
  const part = (change: (text: string) => string): Part => ({ kind: 'names', sql: of, names: all.map(change), width })
  return {
    [name.toLowerCase()]: part((text) => text.toLowerCase()),
    [name]: part((text) => text),
    [name.toUpperCase()]: part((text) => text.toUpperCase()),
  }
}

/** Finds a pattern by name; numeric patterns may be in lower case. */
function partOf(name: string): Part | undefined {
  return words[name] ?? numbers[name] ?? numbers[name.toUpperCase()]
}

const names = [
  ...Object.keys(words),
  ...Object.keys(numbers),
  ...Object.keys(numbers).map((name) => name.toLowerCase()),
].sort((a, b) => b.length - a.length)
