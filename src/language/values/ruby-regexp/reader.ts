import { refuse } from '../argument-error.ts'

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

  /** Takes all up to a closing text, and that. */
  until(close: string, message: string): string {
    const end = this.source.indexOf(close, this.at)
    if (end === -1) this.fail(message)
    const text = this.source.slice(this.at, end)
    this.at = end + close.length
    return text
  }

  fail(message: string): never {
    refuse(`${message}: /${this.source}/`)
  }
}
