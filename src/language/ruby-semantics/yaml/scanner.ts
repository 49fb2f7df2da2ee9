import { type Mark, YamlCursor } from './cursor.ts'
import { scanAnchor, scanDirective, scanTag } from './scan-property.ts'
import { scanBlockScalar, scanPlain, scanQuoted } from './scan-scalar.ts'
import type { BareKind, YamlToken } from './token.ts'
import { createYamlError } from './yaml-error.ts'

/** A possible key without `?`. A `:` later on the same line makes it a key. */
interface SimpleKey {
  readonly mark: Mark
  /** True at a position where only a key is valid. */
  readonly required: boolean
  /** Number of tokens before the possible key. */
  readonly position: number
}

/** Maximum length of a simple key. */
const longestKey = 1024

/** Reads the tokens of YAML 1.1 by the rules of libyaml 0.2.5 (scanner.c), including its leniency. */
export class YamlScanner {
  readonly #cursor: YamlCursor
  readonly #tokens: YamlToken[] = []
  #taken = 0
  #ended = false
  #indent = -1
  readonly #indents: number[] = []
  /** The possible key of each open flow collection, preceded by that of the enclosing block. */
  readonly #keys: (SimpleKey | undefined)[] = [undefined]
  /** Levels below this one contain no possible key; keys at higher levels are newer. */
  #oldestKey = 0
  #keyAllowed = true

  constructor(text: string) {
    this.#cursor = new YamlCursor(text)
  }

  /** Returns the next token without consuming it. */
  peek(): YamlToken {
    while (this.#needsMore()) this.#fetch()
    return this.#tokens[0]!
  }

  /** Returns the next token and consumes it. */
  next(): YamlToken {
    const token = this.peek()
    this.#tokens.shift()
    this.#taken++
    return token
  }

  #needsMore(): boolean {
    if (this.#ended) return false
    if (this.#tokens.length === 0) return true
    this.#dropStaleKeys()
    return this.#keys[this.#oldestKey]?.position === this.#taken
  }

  get #inFlow(): boolean {
    return this.#keys.length > 1
  }

  #fetch(): void {
    const cursor = this.#cursor
    this.#skipToToken()
    this.#dropStaleKeys()
    this.#unroll(cursor.column)
    this.#fetcher()()
  }

  /** Selects the method that reads the token at the cursor. */
  #fetcher(): () => void {
    const cursor = this.#cursor
    if (cursor.isEnd()) return () => this.#fetchEnd()
    if (cursor.column === 0 && cursor.at() === '%') return () => this.#fetchDirective()
    if (cursor.isDocumentIndicator('---')) return () => this.#fetchDocumentIndicator('document-start')
    if (cursor.isDocumentIndicator('...')) return () => this.#fetchDocumentIndicator('document-end')
    const character = cursor.at()
    const isSpecial = Object.hasOwn(this.#byIndicator, character) && this.#isIndicator(character)
    if (isSpecial) return this.#byIndicator[character]!
    if (/[ \t#%@`|>]/.test(character))
      this.#refuse('found character that cannot start any token', 'while scanning for the next token')
    return () => this.#fetchPlain()
  }

  /** Some characters are indicators only before a blank, or only inside or outside flow collections. */
  #isIndicator(character: string): boolean {
    if (character === '-') return this.#cursor.isBlankOrEnd(1)
    if (character === '?' || character === ':') return this.#inFlow || this.#cursor.isBlankOrEnd(1)
    return !(this.#inFlow && (character === '|' || character === '>'))
  }

  readonly #byIndicator: Readonly<Record<string, () => void>> = {
    '[': () => this.#fetchFlowStart('flow-sequence-start'),
    '{': () => this.#fetchFlowStart('flow-mapping-start'),
    ']': () => this.#fetchFlowEnd('flow-sequence-end'),
    '}': () => this.#fetchFlowEnd('flow-mapping-end'),
    ',': () => this.#fetchFlowEntry(),
    '-': () => this.#fetchBlockEntry(),
    '?': () => this.#fetchKey(),
    ':': () => this.#fetchValue(),
    '*': () => this.#fetchProperty(() => scanAnchor(this.#cursor, 'alias')),
    '&': () => this.#fetchProperty(() => scanAnchor(this.#cursor, 'anchor')),
    '!': () => this.#fetchProperty(() => scanTag(this.#cursor, this.#inFlow)),
    "'": () => this.#fetchProperty(() => scanQuoted(this.#cursor)),
    '"': () => this.#fetchProperty(() => scanQuoted(this.#cursor)),
    '|': () => this.#fetchBlockScalar(),
    '>': () => this.#fetchBlockScalar(),
  }

  #refuse(problem: string, context?: string): never {
    throw createYamlError(problem, context, this.#cursor.mark)
  }

  #skipToToken(): void {
    const cursor = this.#cursor
    for (;;) {
      while (cursor.at() === ' ' || (cursor.at() === '\t' && (this.#inFlow || !this.#keyAllowed))) cursor.take()
      if (cursor.at() === '#') cursor.takeLine()
      if (!cursor.isBreak()) return
      cursor.takeBreak()
      if (!this.#inFlow) this.#keyAllowed = true
    }
  }

  #push(kind: BareKind, mark: Mark): void {
    this.#tokens.push({ kind, mark })
  }

  #saveKey(): void {
    const { mark } = this.#cursor
    if (!this.#keyAllowed) return
    this.#dropKey()
    const required = !this.#inFlow && this.#indent === mark.column
    const level = this.#keys.length - 1
    this.#keys[level] = { mark, required, position: this.#taken + this.#tokens.length }
    this.#oldestKey = Math.min(this.#oldestKey, level)
  }

  #dropKey(): void {
    const key = this.#keys.at(-1)
    if (key?.required) this.#refuseKey(key)
    this.#keys[this.#keys.length - 1] = undefined
  }

  #dropStaleKeys(): void {
    const { line, index } = this.#cursor
    for (; this.#oldestKey < this.#keys.length; this.#oldestKey++) {
      const key = this.#keys[this.#oldestKey]
      if (key === undefined) continue
      if (key.mark.line === line && key.mark.index + longestKey >= index) return
      if (key.required) this.#refuseKey(key)
      this.#keys[this.#oldestKey] = undefined
    }
  }

  #refuseKey(key: SimpleKey): never {
    throw createYamlError("could not find expected ':'", 'while scanning a simple key', key.mark, this.#cursor.mark)
  }

  /**
   * Opens a block collection if this column is deeper than the current one; `before` is the index at which its token is
   * inserted.
   */
  #roll(kind: 'block-mapping-start' | 'block-sequence-start', mark: Mark, before?: number): void {
    if (this.#inFlow || this.#indent >= mark.column) return
    this.#indents.push(this.#indent)
    this.#indent = mark.column
    this.#tokens.splice(before === undefined ? this.#tokens.length : before - this.#taken, 0, { kind, mark })
  }

  /** Closes block collections deeper than this column. */
  #unroll(column: number): void {
    if (this.#inFlow) return
    while (this.#indent > column) {
      this.#push('block-end', this.#cursor.mark)
      this.#indent = this.#indents.pop()!
    }
  }

  #fetchEnd(): void {
    this.#unroll(-1)
    for (const key of this.#keys) if (key?.required) this.#refuseKey(key)
    this.#ended = true
    this.#push('stream-end', this.#cursor.endMark)
  }

  #fetchDirective(): void {
    this.#unroll(-1)
    this.#dropKey()
    this.#keyAllowed = false
    this.#tokens.push(scanDirective(this.#cursor))
  }

  #fetchDocumentIndicator(kind: 'document-start' | 'document-end'): void {
    this.#unroll(-1)
    this.#dropKey()
    this.#keyAllowed = false
    this.#push(kind, this.#cursor.mark)
    this.#cursor.take(3)
  }

  #fetchFlowStart(kind: 'flow-sequence-start' | 'flow-mapping-start'): void {
    this.#saveKey()
    this.#keys.push(undefined)
    this.#keyAllowed = true
    this.#push(kind, this.#cursor.mark)
    this.#cursor.take()
  }

  #fetchFlowEnd(kind: 'flow-sequence-end' | 'flow-mapping-end'): void {
    this.#dropKey()
    if (this.#inFlow) this.#keys.pop()
    this.#oldestKey = Math.min(this.#oldestKey, this.#keys.length)
    this.#keyAllowed = false
    this.#push(kind, this.#cursor.mark)
    this.#cursor.take()
  }

  #fetchFlowEntry(): void {
    this.#dropKey()
    this.#keyAllowed = true
    this.#push('flow-entry', this.#cursor.mark)
    this.#cursor.take()
  }

  #fetchBlockEntry(): void {
    const { mark } = this.#cursor
    if (!this.#inFlow && !this.#keyAllowed) this.#refuse('block sequence entries are not allowed in this context')
    this.#roll('block-sequence-start', mark)
    this.#dropKey()
    this.#keyAllowed = true
    this.#push('block-entry', mark)
    this.#cursor.take()
  }

  #fetchKey(): void {
    const { mark } = this.#cursor
    if (!this.#inFlow && !this.#keyAllowed) this.#refuse('mapping keys are not allowed in this context')
    this.#roll('block-mapping-start', mark)
    this.#dropKey()
    this.#keyAllowed = !this.#inFlow
    this.#push('key', mark)
    this.#cursor.take()
  }

  #fetchValue(): void {
    const { mark } = this.#cursor
    const key = this.#keys.at(-1)
    if (key) {
      this.#tokens.splice(key.position - this.#taken, 0, { kind: 'key', mark: key.mark })
      this.#roll('block-mapping-start', key.mark, key.position)
      this.#keys[this.#keys.length - 1] = undefined
      this.#keyAllowed = false
    } else {
      if (!this.#inFlow && !this.#keyAllowed) this.#refuse('mapping values are not allowed in this context')
      this.#roll('block-mapping-start', mark)
      this.#keyAllowed = !this.#inFlow
    }
    this.#push('value', mark)
    this.#cursor.take()
  }

  #fetchProperty(scan: () => YamlToken): void {
    this.#saveKey()
    this.#keyAllowed = false
    this.#tokens.push(scan())
  }

  #fetchPlain(): void {
    this.#saveKey()
    const { token, ended } = scanPlain(this.#cursor, this.#indent + 1, this.#inFlow)
    this.#keyAllowed = ended
    this.#tokens.push(token)
  }

  #fetchBlockScalar(): void {
    this.#dropKey()
    this.#keyAllowed = true
    this.#tokens.push(scanBlockScalar(this.#cursor, this.#indent))
  }
}
