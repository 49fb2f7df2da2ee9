import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The end of a text, compressed once so that it can follow several beginnings. */
export interface CompressedTail {
  /** DEFLATE data that does not refer to the beginning. */
  readonly deflated: Uint8Array
  readonly size: number
  readonly checksum: number
  /** Multiplier that extends the CRC-32 of a beginning by the `size` bytes of the end. */
  readonly carry: number
}

/** Compresses the end of a text. */
export function compressTail(end: Uint8Array, level: number): CompressedTail {
  const deflated = deflateRawSync(end, { level })
  return { deflated, size: end.length, checksum: crc32(end), carry: computeCrcShift(end.length) }
}

/** Combines a beginning and an end into one gzip member. RFC 1952. */
export function combineGzipParts(beginning: Uint8Array, end: CompressedTail): Uint8Array<ArrayBuffer> {
  // The sync flush ends the data at a byte boundary, so that more blocks can follow.
  const start = deflateRawSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH })
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE((multiplyPolynomials(end.carry, crc32(beginning)) ^ end.checksum) >>> 0)
  trailer.writeUInt32LE((beginning.length + end.size) % 2 ** 32, 4)
  // The copy has its own memory and can be transferred to another thread; small Node buffers share
  // a pool.
  return new Uint8Array(Buffer.concat([head, start, end.deflated, trailer]))
}

/** Gzip header: magic number, deflate, no flags, no time, no hint, Unix. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

/**
 * Polynomial of CRC-32. In all polynomials of this file, the lowest bit is the coefficient of the
 * highest power.
 */
const polynomial = 0xedb88320
const one = 0x80000000

/** Product of two polynomials over GF(2), modulo the polynomial of CRC-32. */
function multiplyPolynomials(first: number, second: number): number {
  let [sum, factor] = [0, second]
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (first & bit) sum ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1
  }
  return sum >>> 0
}

/** x to the power of 8 × `bytes`, modulo the polynomial of CRC-32. */
function computeCrcShift(bytes: number): number {
  let [result, power] = [one, one >>> 8]
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplyPolynomials(power, result)
    power = multiplyPolynomials(power, power)
  }
  return result
}
