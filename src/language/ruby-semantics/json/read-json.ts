import { throwArgumentError } from '../argument-error.ts'
import type { DataForm, HashEntry, RubyData } from '../data/data-form.ts'
import { normalizeInteger } from '../numbers/integer.ts'
import { skipJsonBlanks } from './json-whitespace.ts'

/** Parses JSON. Keeps `1.0` a Float and large integers exact. Errors have the messages of Ruby's parser. */
export function parseRubyJson<Own>(text: string, form: DataForm<Own>): RubyData<Own> {
  return new JsonReader(text, form).read()
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

class JsonReader<Own> {
  readonly #text: string
  readonly #form: DataForm<Own>
  #at = 0

  constructor(text: string, form: DataForm<Own>) {
    this.#text = text
    this.#form = form
  }

  read(): RubyData<Own> {
    this.#skip()
    const value = this.#value(1)
    this.#skip()
    return this.#at === this.#text.length ? value : this.#refuse()
  }

  #value(depth: number): RubyData<Own> {
    const start = this.#at
    if (depth > 101) return throwArgumentError(`nesting of ${depth - 1} is too deep`)
    if (this.#take(/\{/y)) return this.#object(depth)
    if (this.#take(/\[/y)) return this.#array(depth)
    const text = this.#take(/"(?:[^"\\\0-\x1f]|\\[^\0-\x1f])*"/y)
    if (text !== undefined) return unescapeString(text)
    const word = this.#take(/null|true|false/y)
    if (word !== undefined) return word === 'null' ? this.#form.nil : word === 'true'
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:(?:\.\d+)?[eE][-+]?\d+|\.\d+)?(?![\d.])/y)
    if (number !== undefined)
      return /[.eE]/.test(number) ? this.#form.float(Number(number)) : normalizeInteger(BigInt(number))
    return this.#refuse(start)
  }

  #object(depth: number): RubyData<Own> {
    const entries: HashEntry<Own>[] = []
    const start = this.#at - 1
    this.#skip()
    if (this.#take(/\}/y)) return this.#form.hash([])
    while (true) {
      const key = this.#take(/"(?:[^"\\\0-\x1f]|\\[^\0-\x1f])*"/y)
      if (key === undefined)
        return throwArgumentError(
          `expected object key, got '${this.#text.slice(this.#at, this.#at + 20)}' at line 1 column ${start + 2}`,
        )
      this.#skip()
      if (!this.#take(/:/y)) return this.#refuse(start)
      this.#skip()
      entries.push([unescapeString(key), this.#value(depth + 1)])
      this.#skip()
      if (this.#take(/\}/y)) return this.#form.hash(entries)
      if (!this.#take(/,/y)) return this.#refuse(start)
      this.#skip()
    }
  }

  #array(depth: number): RubyData<Own> {
    const items: RubyData<Own>[] = []
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
    this.#at = skipJsonBlanks(this.#text, this.#at, false)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #refuse(from = this.#at): never {
    return throwArgumentError(`unexpected token at '${this.#text.slice(from)}'`)
  }
}

function unescapeString(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u([\da-fA-F]{4})|(.))/gsu, (_, code?: string, letter?: string) =>
      code === undefined ? (escapes[letter!] ?? letter!) : String.fromCharCode(Number.parseInt(code, 16)),
    )
}
