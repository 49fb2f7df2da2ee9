/** A Ruby string. A symbol is represented by a plain string. */
export interface RubyText {
  readonly text: string
}

/**
 * Data from `Marshal.dump`, limited to the kinds in instructions; a hash is a map, any other kind
 * is `null`.
 */
export type MarshalValue =
  | null
  | boolean
  | number
  | string
  | RubyText
  | readonly MarshalValue[]
  | ReadonlyMap<MarshalValue, MarshalValue>

/** Parses data from `Marshal.dump`. Throws for kinds that instructions do not contain. */
export function parseMarshal(bytes: Uint8Array): MarshalValue {
  return new Reader(bytes).read()
}

class Reader {
  readonly #bytes: Uint8Array
  readonly #symbols: string[] = []
  /** Objects read so far; links refer to them by index. */
  readonly #objects: MarshalValue[] = []
  /** Starts after the format version. */
  #at = 2

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(): MarshalValue {
    const type = String.fromCharCode(this.#byte())
    switch (type) {
      case '0':
        return null
      case 'T':
        return true
      case 'F':
        return false
      case 'i':
        return this.#integer()
      case ':':
      case ';':
        return this.#symbolOf(type)
      case '@':
        return this.#objects[this.#integer()] ?? null
      case 'I':
        return this.#withVariables()
      case '"':
        return this.#keep({ text: this.#text() })
      case '[':
        return this.#list()
      case '{':
        return this.#hash()
      case 'f':
      case 'c':
      case 'm':
        this.#text()
        return this.#keep(null)
      case 'l':
        this.#at++
        this.#at += this.#integer() * 2
        return this.#keep(null)
      case '/':
        this.#text()
        this.#at++
        return this.#keep(null)
      case 'o':
        return this.#object()
      case 'U':
        return this.#converted()
      default:
        throw new Error(`Ruby wrote what is no instruction: ${type}`)
    }
  }

  #byte(): number {
    return this.#bytes[this.#at++]!
  }

  #keep<Kept extends MarshalValue>(value: Kept): Kept {
    this.#objects.push(value)
    return value
  }

  #integer(): number {
    const first = (this.#byte() << 24) >> 24
    if (first === 0) return 0
    if (first > 4) return first - 5
    if (first < -4) return first + 5
    let value = 0
    const size = Math.abs(first)
    for (let index = 0; index < size; index++) value += this.#byte() * 256 ** index
    return first > 0 ? value : value - 256 ** size
  }

  #text(): string {
    const length = this.#integer()
    this.#at += length
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + this.#at - length, length).toString()
  }

  #symbolOf(type: string): string {
    if (type === ';') return this.#symbols[this.#integer()]!
    const symbol = this.#text()
    this.#symbols.push(symbol)
    return symbol
  }

  /** Reads a value with instance variables, such as a string with its encoding. */
  #withVariables(): MarshalValue {
    // A non-ASCII symbol gets its number before its encoding is read.
    const value = this.read()
    this.#pairs()
    return value
  }

  #list(): MarshalValue {
    const list: MarshalValue[] = []
    this.#keep(list)
    const size = this.#integer()
    for (let index = 0; index < size; index++) list.push(this.read())
    return list
  }

  #hash(): MarshalValue {
    const hash = new Map<MarshalValue, MarshalValue>()
    this.#keep(hash)
    for (const [key, value] of this.#pairs()) hash.set(key, value)
    return hash
  }

  #pairs(): [MarshalValue, MarshalValue][] {
    const size = this.#integer()
    return Array.from({ length: size }, () => [this.read(), this.read()])
  }

  #object(): null {
    this.#keep(null)
    this.read()
    this.#pairs()
    return null
  }

  #converted(): null {
    this.#keep(null)
    this.read()
    this.read()
    return null
  }
}
