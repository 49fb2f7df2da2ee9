import { buildUri } from '../ruby-semantics/uri/build-uri.ts'
import { mergeUri } from '../ruby-semantics/uri/merge-uri.ts'
import { parseUri } from '../ruby-semantics/uri/parse-uri.ts'
import { formatUri, type UriParts } from '../ruby-semantics/uri/uri-parts.ts'
import type { KeyedValue } from './hash-key.ts'

/** A URI as in Ruby's `uri` library. Contains the default port, but does not print it. */
export class Uri implements KeyedValue {
  readonly parts: UriParts
  readonly text: string

  private constructor(parts: UriParts) {
    this.parts = parts
    this.text = formatUri(parts)
  }

  /** Parses a URI. Throws RUNTIME_ERROR. */
  static parse(text: string): Uri {
    return new Uri(parseUri(text))
  }

  /** Builds a URI from parts. Throws RUNTIME_ERROR. */
  static of(parts: UriParts): Uri {
    return new Uri(buildUri(parts))
  }

  /** Resolves a reference against this URI. Throws RUNTIME_ERROR if both are relative. */
  merge(reference: Uri): Uri {
    return new Uri(mergeUri(this.parts, reference.parts))
  }

  /**
   * Returns a text for comparison, which ignores the case of the host and the difference between an empty path and
   * `/`.
   */
  keyText(): string {
    const { host, path } = this.parts
    return `URI:${JSON.stringify(formatUri({ ...this.parts, host: host?.toLowerCase(), path: path === '' ? '/' : path }))}`
  }

  toString(): string {
    return this.text
  }
}
