import { refuse } from '../../values/argument-error.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { normalizeInteger } from '../../values/integer.ts'
import { afterBlanks } from '../../values/json-blanks.ts'
import type { Value } from '../../values/value.ts'
import { rubyText } from '../ruby-text.ts'

/** How JSON is laid out: Ruby's options of `JSON.generate`. */
export interface JsonLayout {
  readonly indent: string
  readonly space: string
  readonly spaceBefore: string
  readonly objectNl: string
  readonly arrayNl: string
  /** The most levels of nesting; 0 for any. */
  readonly maxNesting: number
  readonly allowNan: boolean
}

/** On one line. */
export const compact: JsonLayout = {
  indent: '',
  space: '',
  spaceBefore: '',
  objectNl: '',
  arrayNl: '',
  maxNesting: 100,
  allowNan: false,
}

/** As `JSON.pretty_generate` lays it out. */
export const pretty: JsonLayout = { ...compact, indent: '  ', space: ' ', objectNl: '\n', arrayNl: '\n' }

/** JSON as Ruby's generator writes it: what JSON does not know is written as its text. */
export function writeJson(value: Value, layout: JsonLayout = compact, depth = 0): string {
  if (value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Float) return floatText(value, layout)
  if (Array.isArray(value))
    return writeItems(
      '[]',
      value.map((each) => (deeper) => writeJson(each, layout, deeper)),
      layout.arrayNl,
      layout,
      depth,
    )
  if (value instanceof Hash)
    return writeItems(
      '{}',
      Array.from(
        value,
        ([key, each]) =>
          (deeper: number) =>
            `${JSON.stringify(rubyText(key))}${layout.spaceBefore}:${layout.space}${writeJson(each, layout, deeper)}`,
      ),
      layout.objectNl,
      layout,
      depth,
    )
  return JSON.stringify(rubyText(value))
}

function writeItems(
  brackets: string,
  items: readonly ((depth: number) => string)[],
  nl: string,
  layout: JsonLayout,
  depth: number,
): string {
  // The message counts one less than is meant. Ruby: json 2.6, generator.c
  if (layout.maxNesting > 0 && depth >= layout.maxNesting) return refuse(`nesting of ${depth} is too deep`)
  const written = items.map((item) => layout.indent.repeat(depth + 1) + item(depth + 1))
  const start = items.length > 0 || brackets === '[]' ? nl : ''
  const isBare = items.length === 0 && nl === ''
  return brackets[0] + start + written.join(`,${nl}`) + nl + (isBare ? '' : layout.indent.repeat(depth)) + brackets[1]
}

function floatText(value: Float, { allowNan }: JsonLayout): string {
  if (Number.isFinite(value.value) || allowNan) return String(value)
  return refuse(`${value} not allowed in JSON`)
}

/** Reads JSON; `1.0` stays a Float, and large numbers whole. What is wrong is said as Ruby's parser does. */
export function readJson(text: string): Value {
  return new JsonReader(text).read()
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

class JsonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Value {
    this.#skip()
    const value = this.#value(1)
    this.#skip()
    return this.#at === this.#text.length ? value : this.#refuse()
  }

  #value(depth: number): Value {
    const start = this.#at
    if (depth > 101) return refuse(`nesting of ${depth - 1} is too deep`)
    if (this.#take(/\{/y)) return this.#object(depth)
    if (this.#take(/\[/y)) return this.#array(depth)
    const text = this.#take(/"(?:[^"\\\0-\x1f]|\\[^\0-\x1f])*"/y)
    if (text !== undefined) return unescaped(text)
    const word = this.#take(/null|true|false/y)
    if (word !== undefined) return word === 'null' ? undefined : word === 'true'
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:(?:\.\d+)?[eE][-+]?\d+|\.\d+)?(?![\d.])/y)
    if (number !== undefined) return /[.eE]/.test(number) ? new Float(Number(number)) : normalizeInteger(BigInt(number))
    return this.#refuse(start)
  }

  #object(depth: number): Value {
    const entries: [Value, Value][] = []
    const start = this.#at - 1
    this.#skip()
    if (this.#take(/\}/y)) return Hash.empty
    while (true) {
      const key = this.#take(/"(?:[^"\\\0-\x1f]|\\[^\0-\x1f])*"/y)
      if (key === undefined)
        return refuse(
          `expected object key, got '${this.#text.slice(this.#at, this.#at + 20)}' at line 1 column ${start + 2}`,
        )
      this.#skip()
      if (!this.#take(/:/y)) return this.#refuse(start)
      this.#skip()
      entries.push([unescaped(key), this.#value(depth + 1)])
      this.#skip()
      if (this.#take(/\}/y)) return Hash.of(entries)
      if (!this.#take(/,/y)) return this.#refuse(start)
      this.#skip()
    }
  }

  #array(depth: number): Value {
    const items: Value[] = []
    this.#skip()
    if (this.#take(/\]/y)) return items
    while (true) {
      items.push(this.#value(depth + 1))
      this.#skip()
      if (this.#take(/\]/y)) return items
      if (!this.#take(/,/y)) return this.#refuse()
      this.#skip()
    }
  }

  #skip(): void {
    this.#at = afterBlanks(this.#text, this.#at, false)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #refuse(from = this.#at): never {
    return refuse(`unexpected token at '${this.#text.slice(from)}'`)
  }
}

function unescaped(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u([\da-fA-F]{4})|(.))/gsu, (_, code?: string, letter?: string) =>
      code === undefined ? (escapes[letter!] ?? letter!) : String.fromCharCode(Number.parseInt(code, 16)),
    )
}
