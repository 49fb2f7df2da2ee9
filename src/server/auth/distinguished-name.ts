/** Attribute types in lower case with their values; `undefined` for a text that is no name, or could be read in two ways. */
export type Attributes = readonly (readonly [type: string, value: string])[]

/**
 * Reads a distinguished name as a proxy writes it: `CN=a,O=b` (RFC 4514, and 2253 before it, whose values may be quoted)
 * or `/O=b/CN=a`, as OpenSSL once did. The latter has no escapes: a backslash, or what is no attribute between two
 * slashes, may be either. One pass, each character is seen once.
 */
export function parseDistinguishedName(text: string): Attributes | undefined {
  if (text === '') return []
  return text.startsWith('/') ? slashed(text) : new NameReader(text).read()
}

function slashed(text: string): Attributes | undefined {
  const parts = text
    .slice(1)
    .split('/')
    .map((part): [string, string] | undefined => {
      const at = part.indexOf('=')
      const type = part.slice(0, at).toLowerCase()
      return at === -1 || !isType(type) || part.includes('\\') ? undefined : [typeOf(type), part.slice(at + 1)]
    })
  return parts.every((part) => part !== undefined) ? parts : undefined
}

const commonName = '2.5.4.3'

/** A keyword, or the numbers of an object identifier. */
function isType(type: string): boolean {
  return /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)+)$/.test(type)
}

/** The type of an attribute; `cn` for every spelling of the common name's. */
function typeOf(type: string): string {
  const bare = type.startsWith('oid.') ? type.slice('oid.'.length) : type
  return bare === commonName || bare === 'commonname' ? 'cn' : bare
}

const special = ' "#+,;<=>\\'
const hexPair = /^[0-9A-Fa-f]{2}$/

class NameReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Attributes | undefined {
    const found: [string, string][] = []
    for (;;) {
      const type = this.#type()
      const value = type === undefined ? undefined : this.#value()
      if (type === undefined || value === undefined) return undefined
      found.push([type, value])
      if (this.#at === this.#text.length) return found
      // RFC 2253 parts attributes by semicolons, too; `+` joins those of one step.
      if (!',;+'.includes(this.#text[this.#at++]!)) return undefined
    }
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at++
  }

  #type(): string | undefined {
    this.#skipSpaces()
    const equals = this.#text.indexOf('=', this.#at)
    if (equals === -1) return undefined
    const type = this.#text.slice(this.#at, equals).trimEnd().toLowerCase()
    this.#at = equals + 1
    const numbers = type.startsWith('oid.') ? type.slice('oid.'.length) : type
    return isType(numbers) ? typeOf(type) : undefined
  }

  #value(): string | undefined {
    this.#skipSpaces()
    const value = this.#text[this.#at] === '"' ? this.#quoted() : this.#plain()
    this.#skipSpaces()
    return value
  }

  /** `"a,b"`: as it stands, but for escapes. */
  #quoted(): string | undefined {
    const bytes: number[] = []
    for (this.#at++; this.#at < this.#text.length; ) {
      const character = this.#text[this.#at]!
      if (character === '"') {
        this.#at++
        return decoded(bytes)
      }
      if (!this.#take(bytes)) return undefined
    }
    return undefined
  }

  /** Up to the next separator. Spaces at the end count only when they are escaped. */
  #plain(): string | undefined {
    const bytes: number[] = []
    let kept = 0
    // The bytes of the value's DER: no text that we would compare with a name.
    if (this.#text[this.#at] === '#') return undefined
    while (this.#at < this.#text.length && !',;+'.includes(this.#text[this.#at]!)) {
      const character = this.#text[this.#at]!
      if ('"<>'.includes(character) || !this.#take(bytes)) return undefined
      if (character !== ' ') kept = bytes.length
    }
    return decoded(bytes.slice(0, kept))
  }

  /** One character or one escape. */
  #take(bytes: number[]): boolean {
    const character = this.#text[this.#at]!
    if (character !== '\\') {
      bytes.push(...Buffer.from(character))
      this.#at++
      return true
    }
    const pair = this.#text.slice(this.#at + 1, this.#at + 3)
    const next = pair[0]
    if (next !== undefined && special.includes(next)) {
      bytes.push(next.charCodeAt(0))
      this.#at += 2
      return true
    }
    if (!hexPair.test(pair)) return false
    bytes.push(Number.parseInt(pair, 16))
    this.#at += 3
    return true
  }
}

/** Escaped bytes are those of UTF-8. */
function decoded(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
