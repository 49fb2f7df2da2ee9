import type { Keyed } from './hash-key.ts'

/** A regular expression of Ruby's dialect. */
export class Regexp implements Keyed {
  /** Ruby's source, flags as an inline group. */
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  keyText(): string {
    return `Regexp:${JSON.stringify(this.source)}`
  }

  /** Between slashes, slashes escaped: `/a\/b/`. */
  toString(): string {
    return `/${this.source.replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found))}/`
  }
}
