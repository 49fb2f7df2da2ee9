import { buildUri } from '../ruby-semantics/uri/build-uri.ts'
import { mergeUri } from '../ruby-semantics/uri/merge-uri.ts'
import { parseUri } from '../ruby-semantics/uri/parse-uri.ts'
import { type UriParts, uriText } from '../ruby-semantics/uri/uri-parts.ts'
import type { Keyed } from './hash-key.ts'

/** A URI as Ruby's library `uri` sees it: a usual port is there, and not written. */
export class Uri implements Keyed {
  readonly parts: UriParts
  readonly text: string

  private constructor(parts: UriParts) {
    this.parts = parts
    this.text = uriText(parts)
  }

  /** The URI that a text says. Throws RUNTIME_ERROR. */
  static parse(text: string): Uri {
    return new Uri(parseUri(text))
  }

  /** The URI of some parts. Throws RUNTIME_ERROR. */
  static of(parts: UriParts): Uri {
    return new Uri(buildUri(parts))
  }

  /** The URI that a reference means beside this URI. Throws RUNTIME_ERROR where both are relative. */
  merge(reference: Uri): Uri {
    return new Uri(mergeUri(this.parts, reference.parts))
  }

  /** The case of the host does not matter, nor whether an empty path is written. */
  keyText(): string {
    const { host, path } = this.parts
    return `URI:${JSON.stringify(uriText({ ...this.parts, host: host?.toLowerCase(), path: path === '' ? '/' : path }))}`
  }

  toString(): string {
    return this.text
  }
}
