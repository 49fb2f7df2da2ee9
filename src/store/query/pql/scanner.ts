import { type TokenMatcher, tokenMatchers } from './tokens.ts'

/** A position in a PQL text that moves forward. White space is what `\s` matches in Java. */
export class PqlScanner {
  readonly text: string
  at = 0
  /** The farthest position at which a token was missing. */
  farthest = 0
  /** The tokens that were missing at the farthest position, in the order in which the parser tried them. */
  readonly expected = new Set<string>()
  /**
   * The error message for the first value that is written correctly but does not exist. PuppetDB
   * reports it only if the syntax is correct.
   */
  complaint: string | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Reads the given text. Returns false if the text is not at the present position. */
  takes(words: string): boolean {
    if (!this.sees(words)) return this.misses(words)
    this.at += words.length
    return true
  }

  /** True if the given text is at the present position; reads nothing. */
  sees(words: string): boolean {
    return this.text.startsWith(words, this.at)
  }

  /** Reads the first of several fixed texts that matches; a text must be listed before its own prefixes. */
  takesOne(words: readonly string[]): string | undefined {
    const found = words.find((each) => this.sees(each))
    if (found === undefined) this.misses(...words)
    else this.at += found.length
    return found
  }

  /** Reads the match of a sticky pattern; `token` names it in a syntax error. */
  match(pattern: RegExp, token: string): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) this.misses(token)
    else this.at += found.length
    return found
  }

  /** Reads text up to its ending; `token` names it in a syntax error. */
  read(ending: TokenMatcher, token: string): string | undefined {
    const start = this.at
    const end = ending(this.text, start)
    if (end === undefined) this.misses(token)
    else this.at = end
    return end === undefined ? undefined : this.text.slice(start, end)
  }

  /** Skips optional white space. */
  space(): void {
    this.at = tokenMatchers.space(this.text, this.at) ?? this.at
  }

  /** Reads required white space. Returns false if there is none. */
  takesSpace(): boolean {
    return this.read(tokenMatchers.space, 'white space') !== undefined
  }

  /**
   * Reads the end of the text, after optional white space. If there is more text, PuppetDB reports
   * the position before the white space.
   */
  takesEnd(): boolean {
    const end = tokenMatchers.space(this.text, this.at) ?? this.at
    return end === this.text.length || this.misses('the end of the query')
  }

  /** Calls a reader; if it reads nothing, returns to the present position. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.at
    const found = read()
    if (found === undefined) this.at = start
    return found
  }

  /** Records the error message for an invalid value, and returns a substitute for the value. */
  complain<T>(message: string, instead: T): T {
    this.complaint ??= message
    return instead
  }

  /** Records that none of `tokens` is at the present position. */
  misses(...tokens: readonly string[]): false {
    if (this.at > this.farthest) this.expected.clear()
    this.farthest = Math.max(this.farthest, this.at)
    if (this.at === this.farthest) for (const token of tokens) this.expected.add(token)
    return false
  }
}
