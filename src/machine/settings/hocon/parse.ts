import { throwIssue } from '../../../base/issue.ts'
import type { Source, SourceSpan } from '../../../base/source.ts'
import { hoconIssues } from './issues.ts'
import type {
  Concatenation,
  HoconArray,
  HoconField,
  HoconNode,
  HoconObject,
  HoconScalar,
  Substitution,
} from './nodes.ts'

const blanks = /[^\S\n]+/y
const bareWord = /(?:(?!\/\/)[^\s$"{}[\]:=,+#`^?!@*&\\])+/y
const bareKey = /(?:(?!\/\/)[^\s$"{}[\]:=,+#`^?!@*&\\.])+/y
const jsonString = /"(?:[^"\\\n]|\\.)*"/y
const includeStatement = /include(?:[^\S\n]+(?:file|url|classpath)\(|[^\S\n]*"(?:[^"\\\n]|\\.)*")/y
const comment = /(?:#|\/\/)[^\n]*/y
const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const deepest = 200

/**
 * Handling of `include "file"`: the statement is rejected, or skipped as Ruby's `Hocon.parse` does
 * if the text does not come from a file.
 */
export type IncludePolicy = 'refused' | 'left out'

/** Parses a HOCON text as an object; its outer braces are optional. */
export function parseNodes(source: Source, includes: IncludePolicy): HoconObject {
  return new Parser(source, includes).root()
}

class Parser {
  readonly #source: Source
  readonly #text: string
  readonly #includes: IncludePolicy
  #at = 0
  #depth = 0
  /** Number of arrays around the current position; the value after `+=` counts as inside one. */
  #arrays = 0

  constructor(source: Source, includes: IncludePolicy) {
    this.#source = source
    this.#includes = includes
    this.#text = source.text.replace(/^\uFEFF/, ' ')
  }

  root(): HoconObject {
    this.#skip()
    const object = this.#peek() === '{' ? this.#object() : { kind: 'object' as const, fields: this.#fields() }
    this.#skip()
    if (this.#at < this.#text.length) this.#expected('the end of the file')
    return object
  }

  #object(): HoconObject {
    this.#enter()
    this.#at++
    const fields = this.#fields()
    this.#close('}')
    return { kind: 'object', fields }
  }

  #fields(): readonly HoconField[] {
    const fields: HoconField[] = []
    for (this.#skip(); this.#at < this.#text.length && this.#peek() !== '}'; this.#separator('}'))
      if (!this.#include()) fields.push(this.#field())
    return fields
  }

  /**
   * Parses `include "file"` and `include file("path")`. The second form is always rejected, because
   * it would read another file.
   */
  #include(): boolean {
    const start = this.#at
    const what = this.#match(includeStatement)
    if (what === undefined) return false
    if (this.#includes === 'left out' && !what.endsWith('(')) return true
    return throwIssue(
      hoconIssues.HOCON_UNSUPPORTED,
      { what: what.endsWith('(') ? `${what})` : 'include' },
      this.#span(start),
    )
  }

  #field(): HoconField {
    const start = this.#at
    const path = this.#path()
    const span = this.#span(start)
    this.#blanks()
    // Each part of a path creates one level of objects.
    this.#enter(path.length - 1)
    const value = this.#valueAt(path, start)
    this.#depth -= path.length - 1
    return { path, value, span }
  }

  #valueAt(path: readonly string[], start: number): HoconNode {
    if (this.#peek() === '{') return this.#value()
    if (this.#text.startsWith('+=', this.#at)) return this.#appended(path, start)
    if (this.#peek() === ':' || this.#peek() === '=') this.#at++
    else this.#expected("':', '=' or '{'")
    this.#skip()
    return this.#value()
  }

  #appended(path: readonly string[], start: number): HoconNode {
    if (this.#arrays > 0) throwIssue(hoconIssues.HOCON_APPEND_IN_ARRAY, {}, this.#span(this.#at))
    this.#at += 2
    this.#skip()
    this.#arrays++
    const value = this.#value()
    this.#arrays--
    const span = this.#span(start)
    const before: Substitution = { kind: 'substitution', path: ['', ...path], optional: true, span }
    return { kind: 'concatenation', parts: [before, { kind: 'array', items: [value] }], span }
  }

  #path(): readonly string[] {
    const path: string[] = []
    do {
      if (path.length > 0) this.#at++
      const quoted = this.#peek() === '"' ? this.#string() : undefined
      path.push(quoted?.text ?? this.#match(bareKey) ?? this.#expected('a key'))
    } while (this.#peek() === '.')
    return path
  }

  #value(): HoconNode {
    const start = this.#at
    const parts: HoconNode[] = []
    for (let part = this.#part(); part; part = this.#part()) {
      parts.push(part)
      const between = this.#match(blanks)
      if (between !== undefined) parts.push({ kind: 'scalar', value: between, text: between, blank: true })
    }
    const last = parts.at(-1)
    if (last?.kind === 'scalar' && last.blank) parts.pop()
    if (parts.length === 0) this.#expected('a value')
    return parts.length === 1 ? parts[0]! : ({ kind: 'concatenation', parts, span: this.#span(start) } as Concatenation)
  }

  #part(): HoconNode | undefined {
    switch (this.#peek()) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case '$':
        return this.#substitution()
      default: {
        const word = this.#match(bareWord)
        return word === undefined ? undefined : { kind: 'scalar', value: parseScalar(word), text: word, blank: false }
      }
    }
  }

  #array(): HoconArray {
    this.#enter()
    this.#arrays++
    this.#at++
    const items: HoconNode[] = []
    for (this.#skip(); this.#at < this.#text.length && this.#peek() !== ']'; this.#separator(']'))
      items.push(this.#value())
    this.#close(']')
    this.#arrays--
    return { kind: 'array', items }
  }

  #string(): HoconScalar {
    const triple = this.#tripleQuoted()
    if (triple !== undefined) return { kind: 'scalar', value: triple, text: triple, blank: false }
    const start = this.#at
    const quoted = this.#match(jsonString) ?? this.#expected('the end of a string')
    try {
      const text = JSON.parse(quoted) as string
      return { kind: 'scalar', value: text, text, blank: false }
    } catch {
      return throwIssue(hoconIssues.HOCON_SYNTAX, { found: quoted, expected: 'a string as in JSON' }, this.#span(start))
    }
  }

  /**
   * The text of a triple-quoted string, including additional quotes at its end; undefined if the
   * string does not begin with three quotes.
   */
  #tripleQuoted(): string | undefined {
    const quotes = '"""'
    if (!this.#text.startsWith(quotes, this.#at)) return undefined
    const start = this.#at + quotes.length
    let end = this.#text.indexOf(quotes, start)
    if (end < 0) {
      this.#at = this.#text.length
      this.#expected('the end of a string')
    }
    while (this.#text[end + quotes.length] === '"') end++
    this.#at = end + quotes.length
    return this.#text.slice(start, end)
  }

  #substitution(): Substitution {
    const start = this.#at
    if (!this.#text.startsWith('${', this.#at)) this.#expected("'${'")
    this.#at += 2
    const optional = this.#peek() === '?'
    if (optional) this.#at++
    const path = this.#path()
    if (this.#peek() !== '}') this.#expected("'}'")
    this.#at++
    return { kind: 'substitution', path, optional, span: this.#span(start) }
  }

  /** Skips a separator of fields or items: a comma, line breaks, or both. */
  #separator(end: string): void {
    this.#blanks()
    const lines = this.#skip()
    if (this.#peek() === ',') {
      this.#at++
      this.#skip()
    } else if (!lines && this.#peek() !== end && this.#at < this.#text.length)
      this.#expected(`',', '${end}' or a new line`)
  }

  #enter(levels = 1): void {
    this.#depth += levels
    if (this.#depth > deepest) throwIssue(hoconIssues.HOCON_TOO_DEEP, {}, this.#span(this.#at))
  }

  #close(end: string): void {
    if (this.#peek() !== end) this.#expected(`'${end}'`)
    this.#at++
    this.#depth--
  }

  /** Skips whitespace, line breaks and comments. Returns true if there was a line break. */
  #skip(): boolean {
    let lines = false
    for (;;) {
      this.#blanks()
      if (this.#peek() === '\n') {
        lines = true
        this.#at++
      } else if (this.#match(comment) === undefined) return lines
    }
  }

  #blanks(): void {
    this.#match(blanks)
  }

  #peek(): string | undefined {
    return this.#text[this.#at]
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #span(start: number): SourceSpan {
    return { source: this.#source, start, end: Math.max(start + 1, this.#at) }
  }

  #expected(expected: string): never {
    const character = this.#peek()
    const found = character === undefined ? 'the end of the file' : `'${character === '\n' ? '\\n' : character}'`
    return throwIssue(hoconIssues.HOCON_SYNTAX, { found, expected }, this.#span(this.#at))
  }
}

function parseScalar(word: string): null | boolean | number | string {
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'null') return null
  return json.test(word) ? Number(word) : word
}
