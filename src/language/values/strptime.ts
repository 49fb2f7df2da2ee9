import { literalPattern } from '../../base/literal-pattern.ts'
import { calendar } from './strftime.ts'

/** What was read from a text that says a time. */
export interface ParsedTime {
  readonly nanoseconds: bigint
  /** Minutes east of UTC; `undefined` when the text does not say. */
  readonly offset: number | undefined
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'dayOfYear'
interface Reading {
  readonly fields: Map<Field, number>
  fraction: bigint
  offset: number | undefined
  afternoon: boolean | undefined
  epoch: bigint | undefined
}

const named = (names: readonly string[]) =>
  names
    .flatMap((name) => [name, name.slice(0, 3)])
    .sort((a, b) => b.length - a.length)
    .join('|')
const zone = '[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?|[A-Za-z]+(?:[+-]\\d{1,2}(?::?\\d{2})?)?'

interface Directive {
  readonly pattern: string
  read(text: string, reading: Reading): void
}

const field = (name: Field, pattern = '\\s?\\d{1,2}', change = (value: number) => value): Directive => ({
  pattern,
  read: (text, { fields }) => fields.set(name, change(Number(text))),
})
const ignored = (pattern: string): Directive => ({ pattern, read: () => undefined })
const monthName: Directive = {
  pattern: named(calendar.months),
  read: (text, { fields }) => {
    const month = calendar.months.findIndex((each) => each.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase())
    fields.set('month', month + 1)
  },
}
const half: Directive = {
  pattern: '[AaPp]\\.?[Mm]\\.?',
  read: (text, reading) => {
    reading.afternoon = /^p/i.test(text)
  },
}
const fractionOf: Directive = {
  pattern: '\\d+',
  read: (text, reading) => {
    reading.fraction = BigInt(text.slice(0, 9).padEnd(9, '0'))
  },
}
const zoneOf: Directive = {
  pattern: zone,
  read: (text, reading) => {
    reading.offset = offsetOf(text) ?? 0
  },
}

const directives: Readonly<Record<string, Directive>> = {
  Y: field('year', '[+-]?\\d+?(?!\\d)|[+-]?\\d{4}'),
  y: field('year', '\\d{1,2}', (value) => value + (value < 69 ? 2000 : 1900)),
  m: field('month'),
  d: field('day'),
  e: field('day'),
  j: field('dayOfYear', '\\d{1,3}'),
  H: field('hour'),
  k: field('hour'),
  I: field('hour'),
  l: field('hour'),
  M: field('minute'),
  S: field('second'),
  B: monthName,
  b: monthName,
  h: monthName,
  A: ignored(named(calendar.days)),
  a: ignored(named(calendar.days)),
  u: ignored('[1-7]'),
  w: ignored('[0-6]'),
  P: half,
  p: half,
  L: fractionOf,
  N: fractionOf,
  z: zoneOf,
  Z: zoneOf,
  s: {
    pattern: '-?\\d+',
    read: (text, reading) => {
      reading.epoch = BigInt(text)
    },
  },
}

const compounds: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
}

/** Reads a time by a format of Ruby's `strptime`; `undefined` when the text is not of that form, or says more. */
export function strptime(text: string, format: string): ParsedTime | undefined {
  const readers: Directive[] = []
  const found = new RegExp(`^${patternOf(format, readers)}$`, 'i').exec(text)
  if (!found) return undefined
  const reading: Reading = {
    fields: new Map(),
    fraction: 0n,
    offset: undefined,
    afternoon: undefined,
    epoch: undefined,
  }
  for (const [index, reader] of readers.entries()) reader.read(found[index + 1]!, reading)
  return timeOf(reading)
}

/** Minutes east of UTC of a zone's name or offset; `undefined` for one that is not known. */
export function offsetOf(name: string): number | undefined {
  const known = zones[name.toUpperCase()] ?? militaryZone(name.toUpperCase())
  if (known !== undefined) return known * 60
  const found = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?\d{2})?$/i.exec(name)
  if (!found) return undefined
  const size = Number(found[2]) * 60 + Number(found[3] ?? 0)
  return found[1] === '-' ? -size : size
}

/** `A` to `M` without `J` lie east, `N` to `Y` west. */
function militaryZone(letter: string): number | undefined {
  const east = 'ABCDEFGHIKLM'.indexOf(letter)
  const west = 'NOPQRSTUVWXY'.indexOf(letter)
  if (letter.length !== 1 || (east < 0 && west < 0)) return undefined
  return east >= 0 ? east + 1 : -west - 1
}

const zones: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  UT: 0,
  Z: 0,
  WET: 0,
  BST: 1,
  CET: 1,
  MET: 1,
  WEST: 1,
  CEST: 2,
  EET: 2,
  MEST: 2,
  EEST: 3,
  MSK: 3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  JST: 9,
}

function patternOf(format: string, readers: Directive[]): string {
  return format.replace(/%[-0^#_]*\d*:{0,2}([a-zA-Z%+])|\s+|[\s\S]/g, (all, letter: string | undefined) => {
    if (letter === undefined) return /^\s/.test(all) ? '\\s*' : literalPattern(all)
    if (letter === '%') return '%'
    if (letter === 'n' || letter === 't') return '\\s*'
    const compound = compounds[letter]
    if (compound !== undefined) return patternOf(compound, readers)
    const directive = directives[letter]
    if (!directive) return literalPattern(all)
    readers.push(directive)
    return `(${directive.pattern})`
  })
}

function timeOf({ fields, fraction, offset, afternoon, epoch }: Reading): ParsedTime | undefined {
  if (epoch !== undefined) return { nanoseconds: epoch * 1_000_000_000n + fraction, offset }
  const get = (name: Field, otherwise: number) => fields.get(name) ?? otherwise
  let hour = get('hour', 0)
  if (afternoon !== undefined) hour = (hour % 12) + (afternoon ? 12 : 0)
  const month = get('month', 1)
  const day = get('day', 1)
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || get('minute', 0) > 59 || get('second', 0) > 60)
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(get('year', 1970), month - 1, fields.has('dayOfYear') ? get('dayOfYear', 1) : day)
  date.setUTCHours(hour, get('minute', 0), get('second', 0))
  return { nanoseconds: BigInt(date.getTime()) * 1_000_000n + fraction, offset }
}
