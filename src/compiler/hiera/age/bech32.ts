const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** A decoded Bech32 text: the part before its last `1`, and its bytes. */
export interface Bech32 {
  readonly prefix: string
  readonly bytes: Buffer
}

/**
 * Decodes Bech32 (BIP 173) without its limit of 90 characters, as age does. Undefined if the text is malformed, for
 * example in mixed case, or if its checksum is wrong.
 */
export function decodeBech32(text: string): Bech32 | undefined {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return undefined
  const end = lower.lastIndexOf('1')
  const prefix = lower.slice(0, Math.max(end, 0))
  const digits = Array.from(lower.slice(end + 1), (character) => alphabet.indexOf(character))
  if (prefix === '' || !isPrintable(prefix) || digits.length < 6 || digits.includes(-1)) return undefined
  if (computeChecksum([...expandPrefix(prefix), ...digits]) !== 1) return undefined
  const bytes = joinBits(digits.slice(0, -6))
  return bytes && { prefix, bytes }
}

function isPrintable(text: string): boolean {
  return /^[!-~]+$/.test(text)
}

function expandPrefix(prefix: string): number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function computeChecksum(values: readonly number[]): number {
  let checksum = 1
  for (const value of values) {
    const top = checksum >>> 25
    checksum = ((checksum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) checksum ^= generator
  }
  return checksum
}

const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const

/** Joins groups of five bits to bytes; undefined if the remaining bits are no zero padding of less than five bits. */
function joinBits(digits: readonly number[]): Buffer | undefined {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const digit of digits) {
    bits = ((bits << 5) | digit) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 0xff)
  }
  return count < 5 && (bits & ((1 << count) - 1)) === 0 ? Buffer.from(bytes) : undefined
}
