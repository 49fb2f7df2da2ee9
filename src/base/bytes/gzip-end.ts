import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The end of a text, compressed once for all the beginnings that it is put behind. */
export interface PackedEnd {
  /** Compressed without a look at what stands before it. */
  readonly deflated: Uint8Array
  readonly size: number
  readonly checksum: number
  /** Carries the checksum of a beginning over so many bytes. */
  readonly carry: number
}

/** Compresses the end of a text. */
export function packEnd(end: Uint8Array, level: number): PackedEnd {
  const deflated = deflateRawSync(end, { level })
  return { deflated, size: end.length, checksum: crc32(end), carry: carryOver(end.length) }
}

/** A beginning and an end as one member of gzip. RFC 1952. */
export function gzipBefore(beginning: Uint8Array, end: PackedEnd): Uint8Array<ArrayBuffer> {
  // Ends at a byte, with more to come.
  const start = deflateRawSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH })
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE((product(end.carry, crc32(beginning)) ^ end.checksum) >>> 0)
  trailer.writeUInt32LE((beginning.length + end.size) % 2 ** 32, 4)
  // A copy has memory of its own, which may be handed to another thread: small buffers of Node's share theirs.
  return new Uint8Array(Buffer.concat([head, start, end.deflated, trailer]))
}

/** Magic number, deflate, no flags, no time, no hint, Unix. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

/** CRC-32's polynomial, the highest power in the lowest bit: so are all of these numbers. */
const polynomial = 0xedb88320
const one = 0x80000000

/** The product of two polynomials over GF(2), modulo that of CRC-32. */
function product(first: number, second: number): number {
  let [sum, factor] = [0, second]
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (first & bit) sum ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1
  }
  return sum >>> 0
}

/** x to the power of the bits in so many bytes. */
function carryOver(bytes: number): number {
  let [result, power] = [one, one >>> 8]
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = product(power, result)
    power = product(power, power)
  }
  return result
}
