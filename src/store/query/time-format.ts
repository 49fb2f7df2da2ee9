import { sql } from 'kysely'
import type { Sql } from './entity.ts'

/**
 * Formats a UTC time like PostgreSQL's `to_char`, for use in SQLite. `milliseconds` is the time
 * since 1970; the format may be, for example, `FMDay, DD Mon YYYY`.
 */
export function buildTimeFormatSql(milliseconds: Sql, format: string): Sql {
  const parts = parseFormat(format).map((piece) =>
    typeof piece === 'string' ? sql`${piece}` : buildPieceSql(piece, milliseconds),
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

function parseFormat(format: string): (string | Piece)[] {
  const pieces: (string | Piece)[] = []
  for (let at = 0; at < format.length; ) {
    const prefix = /^(?:FM|fm|TM|tm|FX|fx)/.exec(format.slice(at, at + 2))?.[0] ?? ''
    const name = names.find((each) => format.startsWith(each, at + prefix.length))
    const part = name === undefined ? undefined : findPart(name)
    if (part && name !== undefined) {
      at += prefix.length + name.length
      const ordinal = part.kind === 'number' ? /^(?:TH|th)/.exec(format.slice(at, at + 2))?.[0] : undefined
      at += ordinal?.length ?? 0
      pieces.push({ part, bare: prefix.toUpperCase() === 'FM', ordinal })
    } else {
      const { text, end } = readLiteral(format, at + prefix.length)
      if (text !== '') pieces.push(text)
      at = end
    }
  }
  return pieces
}

/** Reads literal text: a character, or the text in quotation marks. */
function readLiteral(format: string, from: number): { text: string; end: number } {
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

/** The time to format, from which the format patterns compute their values. */
interface Time {
  readonly milliseconds: Sql
  /** A number formatted by `strftime`. */
  number(format: string, ...modifiers: readonly string[]): Sql
}

function buildPieceSql({ part, bare, ordinal }: Piece, milliseconds: Sql): Sql {
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
    return ordinal === undefined ? digits : sql`(${digits} || ${buildOrdinalSuffix(value, ordinal)})`
  }
  const cases = part.names.map(
    (name, at) => sql`when ${sql.lit(at)} then ${sql.lit(bare ? name : name.padEnd(part.width))}`,
  )
  return sql`(case ${value} ${sql.join(cases, sql` `)} end)`
}

function buildOrdinalSuffix(value: Sql, letters: string): Sql {
  const applyLetterCase = (text: string) => sql.lit(letters === 'TH' ? text.toUpperCase() : text)
  return sql`(case when ${value} / 10 % 10 = 1 then ${applyLetterCase('th')} when ${value} % 10 = 1 then ${applyLetterCase('st')}
    when ${value} % 10 = 2 then ${applyLetterCase('nd')} when ${value} % 10 = 3 then ${applyLetterCase('rd')} else ${applyLetterCase('th')} end)`
}

const createNumberPart = (of: (time: Time) => Sql, width: number): Part => ({ kind: 'number', sql: of, width })
const createSimplePart = (format: string, width: number) => createNumberPart((time) => time.number(format), width)
const createTextPart = (of: (time: Time) => Sql): Part => ({ kind: 'text', sql: of })

/**
 * SQLite modifiers that move a date to the Thursday of its ISO week, which determines the week's
 * year. `weekday` only moves forward, so the date is first moved three days back.
 */
const thursday = ['-3 days', 'weekday 4'] as const
const getIsoYear = (time: Time) => time.number('%Y', ...thursday)
const getIsoWeek = (time: Time) => sql`((${time.number('%j', ...thursday)} - 1) / 7 + 1)`
const getIsoDay = (time: Time) => sql`((${time.number('%w')} + 6) % 7 + 1)`
const getYear = (time: Time) => time.number('%Y')
const getHour12 = (time: Time) => sql`((${time.number('%H')} + 11) % 12 + 1)`
const createFractionPart = (digits: number) =>
  createTextPart(({ milliseconds }) => {
    const all = sql`printf('%03d', (${milliseconds} % 1000 + 1000) % 1000) || '000'`
    return sql`substr(${all}, 1, ${sql.lit(digits)})`
  })

const numbers: Readonly<Record<string, Part>> = {
  'Y,YYY': createTextPart((time) => sql`printf('%d,%03d', ${getYear(time)} / 1000, ${getYear(time)} % 1000)`),
  YYYY: createNumberPart(getYear, 4),
  YYY: createNumberPart((time) => sql`(${getYear(time)} % 1000)`, 3),
  YY: createNumberPart((time) => sql`(${getYear(time)} % 100)`, 2),
  Y: createNumberPart((time) => sql`(${getYear(time)} % 10)`, 1),
  IYYY: createNumberPart(getIsoYear, 4),
  IYY: createNumberPart((time) => sql`(${getIsoYear(time)} % 1000)`, 3),
  IY: createNumberPart((time) => sql`(${getIsoYear(time)} % 100)`, 2),
  IDDD: createNumberPart((time) => sql`((${getIsoWeek(time)} - 1) * 7 + ${getIsoDay(time)})`, 3),
  ID: createNumberPart(getIsoDay, 0),
  IW: createNumberPart(getIsoWeek, 2),
  I: createNumberPart((time) => sql`(${getIsoYear(time)} % 10)`, 1),
  DDD: createSimplePart('%j', 3),
  DD: createSimplePart('%d', 2),
  D: createNumberPart((time) => sql`(${time.number('%w')} + 1)`, 0),
  HH24: createSimplePart('%H', 2),
  HH12: createNumberPart(getHour12, 2),
  HH: createNumberPart(getHour12, 2),
  MI: createSimplePart('%M', 2),
  MM: createSimplePart('%m', 2),
  MS: createFractionPart(3),
  US: createFractionPart(6),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((digits) => [`FF${digits}`, createFractionPart(digits)])),
  SSSSS: createNumberPart((time) => sql`(${time.number('%s')} % 86400 + 86400) % 86400`, 0),
  SSSS: createNumberPart((time) => sql`(${time.number('%s')} % 86400 + 86400) % 86400`, 0),
  SS: createSimplePart('%S', 2),
  WW: createNumberPart((time) => sql`((${time.number('%j')} - 1) / 7 + 1)`, 2),
  W: createNumberPart((time) => sql`((${time.number('%d')} - 1) / 7 + 1)`, 0),
  CC: createNumberPart((time) => sql`((${getYear(time)} + 99) / 100)`, 2),
  J: createNumberPart((time) => sql`(${time.number('%s')} / 86400 + 2440588)`, 0),
  Q: createNumberPart((time) => sql`((${time.number('%m')} + 2) / 3)`, 0),
  TZH: createTextPart(() => sql`'+00'`),
  TZM: createTextPart(() => sql`'00'`),
  OF: createTextPart(() => sql`'+00'`),
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const romans = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

const getWeekday = (time: Time) => time.number('%w')
const getMonth = (time: Time) => sql`(${time.number('%m')} - 1)`
const getDayHalf = (time: Time) => sql`(${time.number('%H')} / 12)`
const getEra = () => sql`0`

/** Format patterns for words: in capitals, in lower case, or with an initial capital. */
const words: Readonly<Record<string, Part>> = {
  ...applyLetterCase('Day', getWeekday, days, 9),
  ...applyLetterCase(
    'Dy',
    getWeekday,
    days.map((name) => name.slice(0, 3)),
    3,
  ),
  ...applyLetterCase('Month', getMonth, months, 9),
  ...applyLetterCase(
    'Mon',
    getMonth,
    months.map((name) => name.slice(0, 3)),
    3,
  ),
  ...applyLetterCase('RM', getMonth, romans, 4),
  ...applyLetterCase('AM', getDayHalf, ['AM', 'PM'], 2),
  ...applyLetterCase('PM', getDayHalf, ['AM', 'PM'], 2),
  ...applyLetterCase('A.M.', getDayHalf, ['A.M.', 'P.M.'], 4),
  ...applyLetterCase('P.M.', getDayHalf, ['A.M.', 'P.M.'], 4),
  ...applyLetterCase('AD', getEra, ['AD'], 2),
  ...applyLetterCase('BC', getEra, ['AD'], 2),
  ...applyLetterCase('A.D.', getEra, ['A.D.'], 4),
  ...applyLetterCase('B.C.', getEra, ['A.D.'], 4),
  ...applyLetterCase('TZ', getEra, ['UTC'], 3),
}

function applyLetterCase(
  name: string,
  of: (time: Time) => Sql,
  all: readonly string[],
  width: number,
): Record<string, Part> {
  const createPart = (change: (text: string) => string): Part => ({
    kind: 'names',
    sql: of,
    names: all.map(change),
    width,
  })
  return {
    [name.toLowerCase()]: createPart((text) => text.toLowerCase()),
    [name]: createPart((text) => text),
    [name.toUpperCase()]: createPart((text) => text.toUpperCase()),
  }
}

/**
 * Returns the format pattern with this name, such as `YYYY`. The names of numeric patterns may be
 * in lower case.
 */
function findPart(name: string): Part | undefined {
  return words[name] ?? numbers[name] ?? numbers[name.toUpperCase()]
}

const names = [
  ...Object.keys(words),
  ...Object.keys(numbers),
  ...Object.keys(numbers).map((name) => name.toLowerCase()),
].sort((a, b) => b.length - a.length)
