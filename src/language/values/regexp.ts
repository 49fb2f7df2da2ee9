import { bareRegexpText, regexpAsCode, regexpInspected } from '../ruby-semantics/regexp/text.ts'
import type { Keyed } from './hash-key.ts'

/** A regular expression in Ruby's syntax. */
export class Regexp implements Keyed {
  /** Ruby source, with flags as an inline group. */
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  keyText(): string {
    return `Regexp:${JSON.stringify(this.source)}`
  }

  /** The pattern without slashes; wrapped in a group if it is bound to an encoding. */
  get bare(): string {
    return bareRegexpText(this.source)
  }

  /** Puppet code: `/a\/b/`. */
  toString(): string {
    return regexpAsCode(this.source)
  }

  /** Ruby's `inspect`: `/é/`. */
  inspect(): string {
    return regexpInspected(this.source)
  }
}
