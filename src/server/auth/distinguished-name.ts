/** Attributes of a distinguished name, as pairs of lowercase type and value. */
export type Attributes = readonly (readonly [type: string, value: string])[]

/**
 * Parses a distinguished name from a proxy: `CN=a,O=b` (RFC 4514, and RFC 2253 with quoted values)
 * or `/O=b/CN=a` (old OpenSSL format). Returns `undefined` if the text is invalid or ambiguous. The
 * slash format has no escapes, so a backslash or a part without `=` is ambiguous. Runs in linear
 * time.
 */
export function parseDistinguishedName(text: string): Attributes | undefined {
  if (text === '') return []
  return text.startsWith('/') ? parseSlashForm(text) : new NameReader(text).read()
}

function parseSlashForm(text: string): Attributes | undefined {
  const parts = text
    .slice(1)
    .split('/')
    .map((part): [string, string] | undefined => {
      const at = part.indexOf('=')
      const type = part.slice(0, at).toLowerCase()
      return at === -1 || !isAttributeType(type) || part.includes('\\')
        ? undefined
        : [normalizeAttributeType(type), part.slice(at + 1)]
    })
  return parts.every((part) => part !== undefined) ? parts : undefined
}

const commonName = '2.5.4.3'

/** True for a keyword or a dotted object identifier. */
function isAttributeType(type: string): boolean {
  return /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)+)$/.test(type)
}

/** Normalized attribute type; `cn` for every spelling of the common name. */
function normalizeAttributeType(type: string): string {
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
      // RFC 2253 also allows semicolons as separators; `+` joins the attributes of one RDN.
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
    return isAttributeType(numbers) ? normalizeAttributeType(type) : undefined
  }

  #value(): string | undefined {
    this.#skipSpaces()
    const value = this.#text[this.#at] === '"' ? this.#quoted() : this.#plain()
    this.#skipSpaces()
    return value
  }

  /** Reads a quoted value such as `"a,b"` and decodes its escapes. */
  #quoted(): string | undefined {
    const bytes: number[] = []
    for (this.#at++; this.#at < this.#text.length; ) {
      const character = this.#text[this.#at]!
      if (character === '"') {
        this.#at++
        return decodeUtf8(bytes)
      }
      if (!this.#take(bytes)) return undefined
    }
    return undefined
  }

  /** Reads a value up to the next separator. Trailing spaces count only if escaped. */
  #plain(): string | undefined {
    const bytes: number[] = []
    let kept = 0
    // `#` starts hex-encoded DER, which cannot be compared with a name.
    if (this.#text[this.#at] === '#') return undefined
    while (this.#at < this.#text.length && !',;+'.includes(this.#text[this.#at]!)) {
      const character = this.#text[this.#at]!
      if ('"<>'.includes(character) || !this.#take(bytes)) return undefined
      if (character !== ' ') kept = bytes.length
    }
    return decodeUtf8(bytes.slice(0, kept))
  }

  /** Reads one character or one escape. */
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

/** Decodes UTF-8; `undefined` if invalid. */
function decodeUtf8(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
