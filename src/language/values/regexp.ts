import { formatBareRegexp, formatRegexpCode, inspectRegexp } from '../ruby-semantics/regexp/regexp-text.ts'
import type { KeyedValue } from './hash-key.ts'

/** A regular expression in Ruby's syntax. */
export class Regexp implements KeyedValue {
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
    return formatBareRegexp(this.source)
  }

  /** Returns the pattern as Puppet code: `/a\/b/`. */
  toString(): string {
    return formatRegexpCode(this.source)
  }

  /** Returns the pattern in the format of Ruby's `inspect`: `/é/`. */
  inspect(): string {
    return inspectRegexp(this.source)
  }
}
