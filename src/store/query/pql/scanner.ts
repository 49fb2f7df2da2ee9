import { type Ending, endings } from './patterns.ts'

/** A place in a PQL text that moves forward. White space is what Java calls so. */
export class Scanner {
  readonly text: string
  at = 0
  /** The end of the farthest thing that was read. */
  farthest = 0
  /** The first value with the form of one that is none. PuppetDB speaks of it only when all of the query has a right form. */
  complaint: string | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Reads words that stand here. */
  takes(words: string): boolean {
    return this.sees(words) && this.#moveTo(this.at + words.length)
  }

  /** True where words stand here; nothing is read. */
  sees(words: string): boolean {
    return this.text.startsWith(words, this.at)
  }

  /** Reads what a sticky pattern matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.#moveTo(this.at + found.length)
    return found
  }

  /** Reads what has a form, here. */
  read(ending: Ending): string | undefined {
    const end = ending(this.text, this.at)
    if (end === undefined) return undefined
    const found = this.text.slice(this.at, end)
    this.#moveTo(end)
    return found
  }

  /** Reads white space; false where there is none. */
  space(): boolean {
    return this.read(endings.space) !== undefined
  }

  /** Reads as a reader does, or nothing, and then the place is as before. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.at
    const found = read()
    if (found === undefined) this.at = start
    return found
  }

  /** Notes a wrong value, and gives back another in its place. */
  complain<T>(message: string, instead: T): T {
    this.complaint ??= message
    return instead
  }

  /** True at the end of the text. */
  get ended(): boolean {
    return this.at === this.text.length
  }

  #moveTo(at: number): true {
    this.at = at
    this.farthest = Math.max(this.farthest, at)
    return true
  }
}
