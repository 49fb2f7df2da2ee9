import { calendar } from './strftime.ts'

/** Fields found in a text; missing fields are absent. */
export interface ParsedTime {
  readonly year?: number
  readonly month?: number
  readonly day?: number
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
  /** Nanoseconds in addition to the whole second. */
  readonly nanoseconds?: bigint
  /** Zone as written in the text. */
  readonly zone?: string
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'century' | 'yearCentury' | 'afternoon' | 'other'

/**
 * Parses a time by a format, like Ruby (ext/date/date_strptime.c); `undefined` if the format does not match the whole
 * text.
 */
export function parseTime(text: string, format: string): ParsedTime | undefined {
  const reader = new Reader(text)
  return reader.read(format) && reader.isAtEnd ? reader.time() : undefined
}

const compounds: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  n: ' ',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  t: ' ',
  v: '%e-%b-%Y',
  X: '%H:%M:%S',
  x: '%m/%d/%y',
  '+': '%a %b %e %H:%M:%S %Z %Y',
}

/**
 * Numeric directives: field, number of digits, minimum, maximum, and whether a space can replace
 * the first digit.
 */
const numbers: Readonly<Record<string, readonly [Field, number, number, number, boolean?]>> = {
  d: ['day', 2, 1, 31, true],
  e: ['day', 2, 1, 31, true],
  g: ['other', 2, 0, 99],
  H: ['hour', 2, 0, 24, true],
  k: ['hour', 2, 0, 24, true],
  I: ['hour', 2, 1, 12, true],
  l: ['hour', 2, 1, 12, true],
  j: ['other', 3, 1, 366],
  M: ['minute', 2, 0, 59],
  m: ['month', 2, 1, 12],
  S: ['second', 2, 0, 60],
  U: ['other', 2, 0, 53],
  u: ['other', 1, 1, 7],
  V: ['other', 2, 1, 53],
  W: ['other', 2, 0, 53],
  w: ['other', 1, 0, 6],
  y: ['year', 2, 0, 99],
}

const zone =
  /^(?:(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|[a-z.\s]+(?:standard|daylight)\s+time\b|[a-z]+(?:\sdst)?\b)/i
const startsWithNumber = /^(?:\d|%[EO]?[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy\d])/

class Reader {
  readonly #text: string
  #at = 0
  readonly #fields = new Map<Field, number>()
  #nanoseconds: bigint | undefined
  #zone: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** Reads the text by the format; returns false if they do not match. */
  read(format: string): boolean {
    for (let at = 0; at < format.length; ) {
      const [directive = '', letter = ''] =
        /^%(?:E(?=[cCxXyY])|O(?=[deHImMSuUVwWy])|:{1,3}(?=z))?([A-Za-z%+])/.exec(format.slice(at)) ?? []
      const known = letter === '' ? undefined : this.#directive(letter, format.slice(at + directive.length))
      if (known === false) return false
      if (known) at += directive.length
      else if (!this.#literal(format[at++]!)) return false
    }
    return true
  }

  time(): ParsedTime {
    const { year, century, yearCentury, afternoon, hour, other: _, ...rest } = Object.fromEntries(this.#fields)
    const hundreds = century ?? yearCentury
    return {
      ...rest,
      ...(year !== undefined && { year: hundreds === undefined ? year : year + hundreds * 100 }),
      ...(hour !== undefined && { hour: afternoon === undefined ? hour : (hour % 12) + afternoon }),
      ...(this.#nanoseconds !== undefined && { nanoseconds: this.#nanoseconds }),
      ...(this.#zone !== undefined && { zone: this.#zone }),
    }
  }

  /** Reads the text by one directive; returns false if they do not match, `undefined` for an unknown directive. */
  #directive(letter: string, rest: string): boolean | undefined {
    const compound = compounds[letter]
    if (compound !== undefined) return this.read(compound)
    if (numbers[letter]) return this.#number(letter)
    switch (letter) {
      case 'Y':
        return this.#year('year', rest)
      case 'G':
        return this.#year('other', rest)
      case 'C':
        return this.#set('century', this.#digits(startsWithNumber.test(rest) ? 2 : undefined))
      case 'A':
      case 'a':
        return this.#name(calendar.days) !== undefined
      case 'B':
      case 'b':
      case 'h':
        return this.#set('month', this.#name(calendar.months))
      case 'L':
      case 'N':
        return this.#fraction(startsWithNumber.test(rest) ? (letter === 'L' ? 3 : 9) : undefined)
      case 'P':
      case 'p':
        return this.#half()
      case 'Q':
      case 's':
        return this.#match(/^-?\d+/) !== undefined
      case 'Z':
      case 'z': {
        const found = this.#match(zone)
        this.#zone = found ?? this.#zone
        return found !== undefined
      }
      case '%':
        return this.#literal('%')
      default:
        return undefined
    }
  }

  #literal(character: string): boolean {
    if (/\s/.test(character)) return this.#match(/^\s*/) !== undefined
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #number(letter: string): boolean {
    const [field, width, from, to, mayBeBlank] = numbers[letter]!
    const blank = mayBeBlank === true && this.#text[this.#at] === ' '
    if (blank) this.#at++
    const value = this.#digits(blank ? width - 1 : width)
    if (value === undefined || value < from || value > to) return false
    if (letter === 'y' || letter === 'g') this.#fields.set('yearCentury', value >= 69 ? 19 : 20)
    return this.#set(field, value)
  }

  #year(field: Field, rest: string): boolean {
    const sign = this.#match(/^[-+]/)
    const value = this.#digits(startsWithNumber.test(rest) ? 4 : undefined)
    return this.#set(field, value !== undefined && sign === '-' ? -value : value)
  }

  #half(): boolean {
    const found = this.#match(/^[ap](?:m\b|\.m\.|m)/i)
    return this.#set('afternoon', found === undefined ? undefined : /^p/i.test(found) ? 12 : 0)
  }

  #fraction(width: number | undefined): boolean {
    const sign = this.#match(/^[-+]/)
    const digits = this.#match(new RegExp(`^\\d{1,${width ?? ''}}`))
    if (digits === undefined) return false
    const value = BigInt(digits.slice(0, 9).padEnd(9, '0'))
    this.#nanoseconds = sign === '-' ? -value : value
    return true
  }

  /** Reads a name in full or its first three letters; returns the position of the name, from 1. */
  #name(names: readonly string[]): number | undefined {
    const rest = this.#text.slice(this.#at).toLowerCase()
    const index = names.findIndex((name) => rest.startsWith(name.slice(0, 3).toLowerCase()))
    if (index === -1) return undefined
    this.#at += rest.startsWith(names[index]!.toLowerCase()) ? names[index]!.length : 3
    return index + 1
  }

  #digits(width: number | undefined): number | undefined {
    const found = this.#match(new RegExp(`^\\d{1,${width ?? ''}}`))
    return found === undefined ? undefined : Number(found)
  }

  #set(field: Field, value: number | undefined): boolean {
    if (value === undefined) return false
    this.#fields.set(field, value)
    return true
  }

  #match(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.#text.slice(this.#at)) ?? []
    this.#at += found?.length ?? 0
    return found
  }
}
