/** Texts in the order in which a set of Clojure's lists them: PuppetDB names the first one that is wrong. */
export function inSetOrder(texts: readonly string[]): string[] {
  const keyed = texts.map((text) => ({ text, digits: digitsOf(murmur3(javaHash(text))) }))
  return keyed.sort((a, b) => compare(a.digits, b.digits)).map(({ text }) => text)
}

/** The way to a text in the set's tree: 32 branches a level, the lowest bits first. */
function digitsOf(hash: number): readonly number[] {
  return [0, 5, 10, 15, 20, 25, 30].map((shift) => (hash >>> shift) & 31)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((digit, place) => digit !== b[place])
  return at === -1 ? 0 : a[at]! - b[at]!
}

function javaHash(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}

/** MurmurHash3 of one integer. clojure.lang.Murmur3: `hashInt`. */
function murmur3(input: number): number {
  if (input === 0) return 0
  let hash = rotated(Math.imul(rotated(Math.imul(input, 0xcc9e2d51), 15), 0x1b873593), 13)
  hash = (Math.imul(hash, 5) + 0xe6546b64) ^ 4
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
