/** Thrown for a pattern, right or wrong, that JavaScript may not match as Ruby does. */
export class Untranslatable extends Error {}

/** A pattern and how far it has been read. */
export class Reader {
  readonly source: string
  at = 0

  constructor(source: string) {
    this.source = source
  }

  get done(): boolean {
    return this.at >= this.source.length
  }

  /** The next code point, not yet taken; empty at the end. */
  peek(): string {
    const code = this.source.codePointAt(this.at)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  next(): string {
    const character = this.peek()
    this.at += character.length
    return character
  }

  /** Takes the text when it comes next. */
  take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** Takes what a sticky pattern matches here. */
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
