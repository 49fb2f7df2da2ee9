import type { Keyed } from './hash-key.ts'
import { rubyRegexpText } from './ruby-regexp/text.ts'

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

  /** Without slashes; one that is bound to an encoding in a group, as Puppet does (types.rb, `regexp_to_s`). */
  get bare(): string {
    return isBoundToEncoding(this.source) ? `(?-imx:${this.source})` : this.source
  }

  /** As code: between slashes, slashes escaped: `/a\/b/`; `/(?-mix:é)/` for one that is bound to an encoding. */
  toString(): string {
    return isBoundToEncoding(this.source) ? `/${rubyRegexpText(this.source)}/` : this.inspect()
  }

  /** As Ruby's `inspect` shows it: `/é/`. */
  inspect(): string {
    return `/${this.source.replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found))}/`
  }
}

/** Whether Ruby takes the pattern for one of UTF-8 alone: characters beyond ASCII and properties make it so. */
function isBoundToEncoding(source: string): boolean {
  if (/[^\0-\x7f]/.test(source)) return true
  if (!source.includes('\\')) return false
  return Array.from(source.matchAll(escapes)).some(
    ([, property, hex, unicode, several, octal]) =>
      property !== undefined ||
      Number.parseInt(hex ?? unicode ?? '0', 16) > 0x7f ||
      Number.parseInt(octal ?? '0', 8) > 0x7f ||
      several?.split(/\s+/).some((each) => Number.parseInt(each, 16) > 0x7f),
  )
}

const escapes = /\\(?:([pP])|x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|u\{([\da-fA-F\s]*)\}|([0-7]{3})|[\s\S])/g
