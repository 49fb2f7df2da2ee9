import { isUtf8 } from 'node:buffer'
import { Encoder } from '@msgpack/msgpack'
import { budgets } from '../budgets/budgets.ts'
import { toBufferView } from '../bytes/buffer-view.ts'
import { defineIssues, throwIssue } from '../issue.ts'
import { jsonIssues } from './bounded-json.ts'
import { createExactFloat, createExactObject, type ExactJson, getEntries, isExactObject } from './exact-json.ts'
import { wireIssues } from './json-checks.ts'

/** Error definitions for reading and writing MessagePack. */
export const msgpackIssues = defineIssues({
  MSGPACK_CUT: { text: (a: { at: number }) => `it is truncated in the value at byte ${a.at}` },
  MSGPACK_REST: { text: (a: { at: number }) => `it has extra data after its end at byte ${a.at}` },
  MSGPACK_TYPE: { text: (a: { at: number; what: string }) => `${a.what} at byte ${a.at} is not supported` },
  MSGPACK_KEY: { text: (a: { key: string }) => `the key '${a.key}' occurs twice` },
  MSGPACK_INTEGER: { text: (a: { value: bigint }) => `MessagePack integers have at most 64 bits: ${a.value}` },
})

/**
 * Parses external MessagePack, exact like JSON; Integer keys become strings, as in JSON. Memory is
 * allocated only for data that exists, not for declared sizes. Throws if the input is incomplete,
 * too deep or has more than `items` values, and for content without a JSON equivalent: extensions,
 * bytes that are not UTF-8, NaN and infinity, other key types, and duplicate keys.
 */
export function decodeMsgpack(bytes: Uint8Array, { items }: { readonly items: number }): ExactJson {
  const reader = new Reader(bytes, items)
  const value = reader.value(1)
  reader.end()
  return value
}

/** Width of the length field in bytes, by type byte: binary, string, array and map. */
const widths = { 196: 1, 197: 2, 198: 4, 217: 1, 218: 2, 219: 4, 220: 2, 221: 4, 222: 2, 223: 4 } as const

class Reader {
  readonly #bytes: Buffer
  #left: number
  readonly #most: number
  #at = 0

  constructor(bytes: Uint8Array, items: number) {
    this.#bytes = toBufferView(bytes)
    this.#left = this.#most = items
  }

  end(): void {
    if (this.#at < this.#bytes.length) throwIssue(msgpackIssues.MSGPACK_REST, { at: this.#at })
  }

  value(depth: number): ExactJson {
    if (this.#left-- <= 0) throwIssue(jsonIssues.JSON_ITEMS, { most: this.#most })
    const head = this.#bytes[this.#take(1)]!
    if (head < 0x80) return head
    if (head < 0x90) return this.#map(head & 0x0f, depth)
    if (head < 0xa0) return this.#array(head & 0x0f, depth)
    if (head < 0xc0) return this.#text(head & 0x1f)
    if (head >= 0xe0) return head - 0x100
    if (head === 0xc0) return null
    if (head === 0xc2 || head === 0xc3) return head === 0xc3
    if (head >= 0xca && head <= 0xd3) return this.#number(head)
    if (!(head in widths)) return this.#refused(head === 0xc1 ? 'an unknown type' : 'an extension')
    const width = widths[head as keyof typeof widths]
    const size = this.#bytes.readUIntBE(this.#take(width), width)
    if (head >= 0xde) return this.#map(size, depth)
    return head >= 0xdc ? this.#array(size, depth) : this.#text(size)
  }

  #number(head: number): ExactJson {
    const bytes = this.#bytes
    if (head === 0xca || head === 0xcb) {
      const value = head === 0xca ? bytes.readFloatBE(this.#take(4)) : bytes.readDoubleBE(this.#take(8))
      return Number.isFinite(value) ? createExactFloat(value) : this.#refused(String(value))
    }
    if (head === 0xcf) return toExactInteger(bytes.readBigUInt64BE(this.#take(8)))
    if (head === 0xd3) return toExactInteger(bytes.readBigInt64BE(this.#take(8)))
    const width = 2 ** (head & 3)
    const at = this.#take(width)
    return head < 0xd0 ? bytes.readUIntBE(at, width) : bytes.readIntBE(at, width)
  }

  #array(size: number, depth: number): ExactJson {
    this.#promise(size, depth)
    const items: ExactJson[] = []
    for (let read = 0; read < size; read++) items.push(this.value(depth + 1))
    return items
  }

  #map(size: number, depth: number): ExactJson {
    this.#promise(2 * size, depth)
    const entries = new Map<string, ExactJson>()
    for (let read = 0; read < size; read++) {
      const found = this.value(depth + 1)
      const isKey = typeof found === 'string' || typeof found === 'number' || typeof found === 'bigint'
      if (!isKey || (typeof found === 'number' && !Number.isInteger(found))) this.#refused('a key that is not a string')
      const key = String(found)
      if (entries.has(key)) throwIssue(msgpackIssues.MSGPACK_KEY, { key })
      entries.set(key, this.value(depth + 1))
    }
    return createExactObject([...entries])
  }

  /** Checks the nesting, and the declared number of values: each value needs at least one byte. */
  #promise(values: number, depth: number): void {
    if (values > this.#bytes.length - this.#at) throwIssue(msgpackIssues.MSGPACK_CUT, { at: this.#at })
    if (depth > budgets.request.jsonDepth.bound) throwIssue(wireIssues.WIRE_NESTING, { depth })
  }

  #text(size: number): string {
    const at = this.#take(size)
    const bytes = this.#bytes.subarray(at, at + size)
    return isUtf8(bytes) ? bytes.toString('utf8') : this.#refused('a string that is not UTF-8')
  }

  /** Consumes bytes; returns their offset. */
  #take(size: number): number {
    const at = this.#at
    if (size > this.#bytes.length - at) throwIssue(msgpackIssues.MSGPACK_CUT, { at })
    this.#at += size
    return at
  }

  #refused(what: string): never {
    return throwIssue(msgpackIssues.MSGPACK_TYPE, { what, at: this.#at })
  }
}

function toExactInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Maximum nesting of encoded data; input and compiled data have much lower limits. */
const maxDepth = 1000
const plain = new Encoder({ ignoreUndefined: true, maxDepth })
const floats = new Encoder({ forceIntegerToFloat: true })
// A separate encoder for bigints: the option `useBigInt64` would encode other numbers of more than
// 32 bits as Floats.
const largeIntegers = new Encoder({ useBigInt64: true })

/** Prints data as MessagePack, including all types of ExactJson. Throws MSGPACK_INTEGER. */
export function encodeMsgpack(value: ExactJson): Uint8Array {
  const pieces: Uint8Array[] = []
  const exact = new Set<ExactJson>()
  collectExactValues(value, exact)
  writeValue(value, exact, pieces)
  return Buffer.concat(pieces)
}

/**
 * Adds to `exact` the values that the library would encode differently, and their containers. Returns true if the value
 * itself needs exact encoding.
 */
function collectExactValues(value: ExactJson | undefined, exact: Set<ExactJson>): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  let isExact = value instanceof Number || value instanceof Map
  if (Array.isArray(value)) {
    for (const each of value) if (collectExactValues(each, exact)) isExact = true
  } else if (isExactObject(value))
    for (const [, each] of getEntries(value)) if (collectExactValues(each, exact)) isExact = true
  if (isExact) exact.add(value)
  return isExact
}

/** Encodes the values in `exact` without the library, and all other values with the library. */
function writeValue(value: ExactJson, exact: ReadonlySet<ExactJson>, pieces: Uint8Array[]): void {
  if (typeof value === 'bigint') pieces.push(encodeLargeInteger(value))
  else if (!exact.has(value)) pieces.push(plain.encode(value))
  else if (value instanceof Number) pieces.push(floats.encode(value.valueOf()))
  else if (Array.isArray(value)) {
    pieces.push(encodeHeader(value.length, { fixed: 0x90, wide: 0xdc }))
    for (const each of value) writeValue(each, exact, pieces)
  } else if (isExactObject(value)) {
    const members = [...getEntries(value)].filter((entry): entry is [string, ExactJson] => entry[1] !== undefined)
    pieces.push(encodeHeader(members.length, { fixed: 0x80, wide: 0xde }))
    for (const [key, member] of members) {
      pieces.push(plain.encode(key))
      writeValue(member, exact, pieces)
    }
  }
}

function encodeLargeInteger(value: bigint): Uint8Array {
  const fits = BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value
  return fits ? largeIntegers.encode(value) : throwIssue(msgpackIssues.MSGPACK_INTEGER, { value })
}

/** Header of an array or a map with `size` elements. */
function encodeHeader(size: number, { fixed, wide }: { readonly fixed: number; readonly wide: number }): Uint8Array {
  if (size < 16) return Buffer.of(fixed | size)
  const width = size < 0x10000 ? 2 : 4
  const bytes = Buffer.alloc(1 + width)
  bytes[0] = width === 2 ? wide : wide + 1
  bytes.writeUIntBE(size, 1, width)
  return bytes
}
