import { bareRegexpText, regexpAsCode, regexpInspected } from '../ruby-semantics/regexp/text.ts'
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

  /** The pattern without slashes; in a group where it is bound to an encoding. */
  get bare(): string {
    return bareRegexpText(this.source)
  }

  /** As code: `/a\/b/`. */
  toString(): string {
    return regexpAsCode(this.source)
  }

  /** As Ruby's `inspect` shows it: `/é/`. */
  inspect(): string {
    return regexpInspected(this.source)
  }
}
