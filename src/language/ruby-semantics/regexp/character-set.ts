/**
 * A set of characters. `ascii` contains its ASCII characters as bits, `unicode` the whole set as a JavaScript class
 * (flag `v`).
 */
export interface CharacterSet {
  readonly ascii: bigint
  readonly unicode: string
}

const everyBit = (1n << 128n) - 1n

/** A set of one character. */
export function createSingleSet(character: string): CharacterSet {
  return createRangeSet(character, character)
}

/** A set of consecutive characters, inclusive. */
export function createRangeSet(from: string, to: string): CharacterSet {
  const [low, high] = [from.codePointAt(0)!, to.codePointAt(0)!]
  let ascii = 0n
  for (let code = low; code <= high && code < 128; code++) ascii |= 1n << BigInt(code)
  return { ascii, unicode: from === to ? escapeCharacter(from) : `[${escapeCharacter(from)}-${escapeCharacter(to)}]` }
}

/** Creates a set from the content of a JavaScript class (flag `v`). */
export function makeSet(inside: string): CharacterSet {
  const unicode = `[${inside}]`
  const pattern = new RegExp(unicode, 'v')
  let ascii = 0n
  for (let code = 0; code < 128; code++) if (pattern.test(String.fromCharCode(code))) ascii |= 1n << BigInt(code)
  return { ascii, unicode }
}

/** Characters in any of the sets. */
export function uniteSets(sets: readonly CharacterSet[]): CharacterSet {
  if (sets.length === 1) return sets[0]!
  return {
    ascii: sets.reduce((all, { ascii }) => all | ascii, 0n),
    unicode: `[${sets.map(({ unicode }) => unicode).join('')}]`,
  }
}

/** Characters in all of the sets. */
export function intersectSets(sets: readonly CharacterSet[]): CharacterSet {
  return {
    ascii: sets.reduce((all, { ascii }) => all & ascii, everyBit),
    unicode: `[${sets.map(({ unicode }) => `[${unicode}]`).join('&&')}]`,
  }
}

/** Characters outside the set. */
export function complementSet({ ascii, unicode }: CharacterSet): CharacterSet {
  return { ascii: everyBit ^ ascii, unicode: `[^${unicode}]` }
}

/** Adds the other case of each ASCII letter. */
export function addOtherCase({ ascii, unicode }: CharacterSet): CharacterSet {
  const upper = ascii & (0x3ffffffn << 65n)
  const lower = ascii & (0x3ffffffn << 97n)
  return { ascii: ascii | (upper << 32n) | (lower >> 32n), unicode }
}

/** JavaScript class of the set's ASCII characters. */
export function formatAsciiClass({ ascii }: CharacterSet): string {
  const codes = Array.from({ length: 128 }, (_, code) => code).filter((code) => (ascii >> BigInt(code)) & 1n)
  if (codes.length === 1) return escapeCharacter(String.fromCharCode(codes[0]!))
  if (codes.length === 128) return '[^]'
  return codes.length > 64 ? `[^${formatRanges(everyBit ^ ascii)}]` : `[${formatRanges(ascii)}]`
}

/** Escapes a character for use in a JavaScript pattern, inside or outside a class. */
function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!
  if (/^[A-Za-z0-9_]$/.test(character) || (code > 0x9f && code < 0xd800)) return character
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

function formatRanges(bits: bigint): string {
  let text = ''
  for (let code = 0; code < 128; code++) {
    if (!((bits >> BigInt(code)) & 1n)) continue
    let last = code
    while (last < 127 && (bits >> BigInt(last + 1)) & 1n) last++
    text += escapeCharacter(String.fromCharCode(code))
    if (last > code) text += `-${escapeCharacter(String.fromCharCode(last))}`
    code = last
  }
  return text
}
