import { createPlacelessError } from './yaml-error.ts'

/** A position in a text; line and column count from 0. */
export interface Mark {
  readonly index: number
  readonly line: number
  readonly column: number
}

/** Character returned after the end of the text; libyaml rejects this character in the text itself. */
const end = '\0'

/** A moving position in a text, with libyaml's character tests. */
export class YamlCursor {
  readonly #text: string
  #index = 0
  #line = 0
  #column = 0

  constructor(text: string) {
    this.#text = text.startsWith('\ufeff') ? text.slice(1) : text
    this.#refuseControlCharacters()
  }

  get mark(): Mark {
    return { index: this.#index, line: this.#line, column: this.#column }
  }

  /** Position of the end of the text; a last line without a line break counts as a whole line. */
  get endMark(): Mark {
    return this.#column === 0 ? this.mark : { index: this.#index, line: this.#line + 1, column: 0 }
  }

  get index(): number {
    return this.#index
  }

  get line(): number {
    return this.#line
  }

  get column(): number {
    return this.#column
  }

  at(distance = 0): string {
    return this.#text[this.#index + distance] ?? end
  }

  isEnd(distance = 0): boolean {
    return this.#index + distance >= this.#text.length
  }

  isBlank(distance = 0): boolean {
    const character = this.at(distance)
    return character === ' ' || character === '\t'
  }

  isBreak(distance = 0): boolean {
    return /[\r\n\x85\u2028\u2029]/.test(this.at(distance))
  }

  isBreakOrEnd(distance = 0): boolean {
    return this.isBreak(distance) || this.isEnd(distance)
  }

  isBlankOrEnd(distance = 0): boolean {
    return this.isBlank(distance) || this.isBreakOrEnd(distance)
  }

  /** True if the cursor is at `---` or `...` at the start of a line. */
  isDocumentIndicator(indicator?: '---' | '...'): boolean {
    if (this.#column !== 0 || !this.isBlankOrEnd(3)) return false
    const here = this.#text.slice(this.#index, this.#index + 3)
    return indicator === undefined ? here === '---' || here === '...' : here === indicator
  }

  /** Reads characters that are not line breaks. */
  take(count = 1): string {
    const taken = this.#text.slice(this.#index, this.#index + count)
    this.#index += count
    this.#column += count
    return taken
  }

  takeWhile(fits: (character: string) => boolean): string {
    let count = 0
    while (!this.isEnd(count) && fits(this.at(count))) count++
    return this.take(count)
  }

  /** Reads the rest of the line without its line break. */
  takeLine(): string {
    return this.takeWhile((character) => !/[\r\n\x85\u2028\u2029]/.test(character))
  }

  /**
   * Reads one line break and returns its normalized text, usually `\n`; returns an empty text if there is no line
   * break.
   */
  takeBreak(): string {
    if (!this.isBreak()) return ''
    const character = this.at()
    this.#index += character === '\r' && this.at(1) === '\n' ? 2 : 1
    this.#line++
    this.#column = 0
    return character === '\u2028' || character === '\u2029' ? character : '\n'
  }

  skipBlanks(): void {
    while (this.isBlank()) this.take()
  }

  /** Skips blanks and a comment up to the end of the line; returns false if other text follows. */
  skipToLineEnd(): boolean {
    this.skipBlanks()
    if (this.at() === '#') this.takeLine()
    return this.isBreakOrEnd()
  }

  #refuseControlCharacters(): void {
    const index = this.#text.search(/[^\t\n\r -~\x85\xa0-\ufffd]/)
    if (index >= 0) throw createPlacelessError('control characters are not allowed', index)
  }
}
