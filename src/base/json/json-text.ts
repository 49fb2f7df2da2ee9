import { defineIssues, throwIssue } from '../issue.ts'
import { formatRubyFloat } from '../text/float-text.ts'
import {
  createExactFloat,
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  parseExactInteger,
} from './exact-json.ts'

const issues = defineIssues({
  JSON_NUMBER: { text: (a: { text: string }) => `${a.text} not allowed in JSON` },
})

/**
 * Parses JSON with exact numbers and order. Uses JavaScript's parser unless it would lose
 * information, so that large texts are fast. Throws SyntaxError.
 */
export function parseJson(text: string): ExactJson {
  const plain = JSON.parse(text) as ExactJson
  return inexact.test(text) ? new Reader(text).value() : plain
}

/**
 * Matches numbers and keys that JavaScript's parser would change: `1.0`, `1e3`, numbers of sixteen digits, `"10":`. A
 * match inside a string is harmless but costs time.
 */
const inexact = /(?:^|[:[,\s])-?(?:\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])|[\d.]{16})|"(?:\d|\\u003\d)+"\s*:/

const numberToken = /-?\d+(\.\d+)?([eE][-+]?\d+)?/y
const space = /[ \t\n\r]*/y

/** Parses text that is known to be valid JSON. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): ExactJson {
    switch (this.#next()) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  /** The next character after white space. */
  #next(): string {
    const text = this.#text
    if (text.charCodeAt(this.#at) <= 32) {
      space.lastIndex = this.#at
      space.test(text)
      this.#at = space.lastIndex
    }
    return text[this.#at]!
  }

  #word<Word>(word: string, value: Word): Word {
    this.#at += word.length
    return value
  }

  #object(): ExactJson {
    const entries: (readonly [string, ExactJson])[] = []
    this.#at++
    while (this.#next() !== '}') {
      if (this.#text[this.#at] === ',') {
        this.#at++
        this.#next()
      }
      const key = this.#string()
      this.#next()
      this.#at++
      entries.push([key, this.value()])
    }
    this.#at++
    return createExactObject(entries)
  }

  #array(): ExactJson {
    const items: ExactJson[] = []
    this.#at++
    while (this.#next() !== ']') {
      if (this.#text[this.#at] === ',') this.#at++
      items.push(this.value())
    }
    this.#at++
    return items
  }

  #string(): string {
    const text = this.#text
    const start = this.#at
    let end = text.indexOf('"', start + 1)
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
    this.#at = end + 1
    const inside = text.slice(start + 1, end)
    return inside.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : inside
  }

  #number(): ExactJson {
    numberToken.lastIndex = this.#at
    const [token, fraction, exponent] = numberToken.exec(this.#text)!
    this.#at += token.length
    return fraction === undefined && exponent === undefined ? parseExactInteger(token) : createExactFloat(Number(token))
  }
}

/** True if the character is preceded by an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

/**
 * Prints data as JSON, including all types of ExactJson; otherwise like `JSON.stringify`, with
 * Floats as in Ruby. `indent` is the width of a level; 0 prints one line.
 */
export function formatExactJson(value: unknown, indent = 0): string {
  if (isStandardJson(value)) return JSON.stringify(value, undefined, indent)
  return formatJsonValue(value, ' '.repeat(indent), indent === 0 ? '' : '\n')
}

/** Matches short text that needs no escapes in JSON; most names and titles match. */
const plainText = /^[ !#-[\]-~]{0,80}$/

/** Formats a string like `JSON.stringify`, faster for short text. */
export function quoteJsonText(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** True if `JSON.stringify`, which is a few times faster, prints the value exactly. */
function isStandardJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) || (Math.abs(value) >= 1e-4 && Number.isFinite(value))
  if (typeof value !== 'object' || value === null) return value !== undefined && typeof value !== 'bigint'
  if (Array.isArray(value)) return value.every(isStandardJson)
  if (value instanceof Number || value instanceof Map) return false
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    if (member !== undefined && !isStandardJson(member)) return false
  }
  return true
}

/**
 * Formats a value. `line` is the line end and indentation of the value's level; empty for one-line
 * output.
 */
function formatJsonValue(value: unknown, step: string, line: string): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatFiniteFloat(value)
  if (typeof value !== 'object' || value === null) return String(value ?? null)
  if (value instanceof Number) return formatFiniteFloat(value.valueOf())
  const inner = line === '' ? '' : line + step
  if (Array.isArray(value)) {
    const items = value.map((each) => inner + formatJsonValue(each, step, inner))
    return items.length === 0 ? '[]' : `[${items.join()}${line}]`
  }
  const colon = line === '' ? ':' : ': '
  const members: string[] = []
  for (const [key, member] of getEntries(value as ExactObject))
    if (member !== undefined) members.push(inner + JSON.stringify(key) + colon + formatJsonValue(member, step, inner))
  return members.length === 0 ? '{}' : `{${members.join()}${line}}`
}

/** Throws for infinity, which JSON cannot represent; Ruby's JSON generator rejects it as well. */
function formatFiniteFloat(value: number): string {
  return Number.isFinite(value)
    ? formatRubyFloat(value)
    : throwIssue(issues.JSON_NUMBER, { text: formatRubyFloat(value) })
}
