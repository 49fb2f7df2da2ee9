/** Thrown for a pattern, valid or not, that JavaScript may not match as Ruby does. */
export class Untranslatable extends Error {}

/** A pattern with a read position. */
export class PatternReader {
  readonly source: string
  at = 0

  constructor(source: string) {
    this.source = source
  }

  get done(): boolean {
    return this.at >= this.source.length
  }

  /** Returns the next code point without reading it; empty at the end. */
  peek(): string {
    const code = this.source.codePointAt(this.at)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  next(): string {
    const character = this.peek()
    this.at += character.length
    return character
  }

  /** Reads the text and returns true if the text comes next. */
  take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** Reads a match of a sticky pattern at the current position. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (!found) return undefined
    this.at += found[0].length
    return found
  }

  giveUp(): never {
    throw new Untranslatable(this.source)
  }
}
