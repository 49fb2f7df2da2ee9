/** @import { Random } from './random.js' */

/** What is made of an input is mostly not longer: short inputs are quick, and easy to read when they are found. */
export const longestInput = 4096
/** Now and then an input is stretched to this length, so that time which does not grow with it in a line is seen. */
export const longestStretched = 64 * 1024

/** Bytes at the edges of what formats count with. */
const edges = [0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x27, 0x2f, 0x30, 0x5c, 0x7f, 0x80, 0x81, 0x82, 0x84, 0x89, 0xff]
/** Text that readers of numbers, names and characters go wrong on. */
const oddities = [
  '-1',
  '0',
  '1e999',
  '-0',
  '9007199254740993',
  '99999999999999999999999',
  '0x',
  '\u0000',
  '\ufeff',
  '\u2028',
  '\ud800',
  '🐘',
  'ÿ',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '%',
  '%00',
  '\r\n',
  '\x1b[2K',
]

/**
 * Another input, made of one or two that are there.
 *
 * @param {Uint8Array} input
 * @param {Uint8Array} other
 * @param {readonly string[]} dictionary
 * @param {Random} random
 * @returns {Buffer}
 */
export function mutate(input, other, dictionary, random) {
  let bytes = Buffer.from(input)
  if (random.oneIn(50)) return stretched(bytes, dictionary, random)
  for (let left = 1 + random.below(random.oneIn(4) ? 12 : 4); left > 0; left--)
    bytes = random
      .of(mutations)(bytes, { other: Buffer.from(other), dictionary, random })
      .subarray(0, longestInput)
  return bytes
}

/** @typedef {{ other: Buffer, dictionary: readonly string[], random: Random }} Means */

/** @type {readonly ((bytes: Buffer, means: Means) => Buffer)[]} */
const mutations = [
  // One bit.
  (bytes, { random }) => at(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  // One byte: another, an edge, a neighbour.
  (bytes, { random }) => at(bytes, random, () => random.below(256)),
  (bytes, { random }) => at(bytes, random, () => random.of(edges)),
  (bytes, { random }) => at(bytes, random, (byte) => byte + random.of([-1, 1, 2, -2, 16, -16])),
  // A word of the format, or an oddity, put in or written over what was there.
  (bytes, means) => put(bytes, word(means), means.random, 0),
  (bytes, means) => put(bytes, word(means), means.random, 0),
  (bytes, means) => put(bytes, word(means), means.random, word(means).length),
  (bytes, { random }) => put(bytes, Buffer.from(random.of(oddities)), random, random.below(4)),
  (bytes, { random }) => put(bytes, Buffer.from([random.below(256)]), random, 0),
  // A part: taken out, doubled, repeated, moved, cut off.
  (bytes, { random }) => {
    const [start, end] = part(bytes, random)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  },
  (bytes, { random }) => {
    const [start, end] = part(bytes, random)
    const times = 1 + random.below(random.oneIn(8) ? 64 : 3)
    return put(bytes, Buffer.concat(Array(times).fill(bytes.subarray(start, end))), random, 0, start)
  },
  (bytes, { random }) => {
    const [start, end] = part(bytes, random)
    return put(bytes, Buffer.from(bytes.subarray(start, end)), random, 0)
  },
  (bytes, { random }) => bytes.subarray(0, random.below(bytes.length + 1)),
  // A part of another input, put in, or from there to its end.
  (bytes, { other, random }) => {
    const [start, end] = part(other, random)
    return put(bytes, other.subarray(start, end), random, random.below(end - start + 1))
  },
  (bytes, { other, random }) =>
    Buffer.concat([bytes.subarray(0, random.below(bytes.length + 1)), other.subarray(random.below(other.length + 1))]),
  // Deeper: a word many times before a part, another many times after it.
  (bytes, means) => nested(bytes, means, 1 + means.random.below(means.random.oneIn(6) ? 300 : 8)),
  // Another number in the place of one.
  (bytes, { random }) => {
    const text = bytes.toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    if (numbers.length === 0) return bytes
    const { 0: digits, index } = random.of(numbers)
    const number = random.of(['0', '1', '255', '256', '65536', '4294967296', '9007199254740993', `${digits}${digits}`])
    return Buffer.from(text.slice(0, index) + number + text.slice(index + digits.length), 'latin1')
  },
]

/**
 * A part of the input, or a word, so often that it fills the longest input.
 *
 * @param {Buffer} bytes
 * @param {readonly string[]} dictionary
 * @param {Random} random
 */
function stretched(bytes, dictionary, random) {
  const length = random.of([8192, 16384, 32768, longestStretched])
  if (random.oneIn(3)) {
    // One word, then another over and over, then a third: what a pattern begins with, runs through, and does not find.
    const [first, middle, last] = [0, 1, 2].map(() => word({ dictionary, random }))
    return Buffer.concat([first, Buffer.alloc(length - 256, middle), last])
  }
  const [start, end] = random.oneIn(3) ? [0, bytes.length] : part(bytes, random)
  const unit =
    random.oneIn(3) || start === end
      ? Buffer.concat([
          word({ dictionary, random }),
          random.oneIn(2) ? Buffer.from(random.of(['', ' ', '\n', ','])) : Buffer.alloc(0),
        ])
      : bytes.subarray(start, end)
  if (unit.length === 0) return bytes
  const middle = Buffer.alloc(length - (length % unit.length), unit)
  return Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(end)]).subarray(0, longestStretched)
}

/**
 * @param {Pick<Means, 'dictionary' | 'random'>} means
 * @returns {Buffer}
 */
function word({ dictionary, random }) {
  return Buffer.from(dictionary.length === 0 ? random.of(oddities) : random.of(dictionary), 'latin1')
}

/**
 * @param {Buffer} bytes
 * @param {Means} means
 * @param {number} times
 */
function nested(bytes, means, times) {
  const [start, end] = part(bytes, means.random)
  const [open, close] = means.random.oneIn(3)
    ? [word(means), word(means)]
    : means.random
        .of([
          ['(', ')'],
          ['[', ']'],
          ['{', '}'],
          ['[', ','],
          ['"', '"'],
          ['${', '}'],
          ['%{', '}'],
          ['a:', ''],
        ])
        .map((text) => Buffer.from(text))
  return Buffer.concat([
    bytes.subarray(0, start),
    ...Array(times).fill(open),
    bytes.subarray(start, end),
    ...Array(times).fill(close),
    bytes.subarray(end),
  ])
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 * @param {(byte: number) => number} change
 */
function at(bytes, random, change) {
  if (bytes.length === 0) return bytes
  const changed = Buffer.from(bytes)
  const index = random.below(bytes.length)
  changed[index] = change(changed[index] ?? 0)
  return changed
}

/**
 * @param {Buffer} bytes
 * @param {Buffer} piece
 * @param {Random} random
 * @param {number} over How many bytes it takes the place of.
 */
function put(bytes, piece, random, over, start = random.below(bytes.length + 1)) {
  return Buffer.concat([bytes.subarray(0, start), piece, bytes.subarray(start + over)])
}

/**
 * Where a part begins and ends: mostly a short one.
 *
 * @param {Buffer} bytes
 * @param {Random} random
 * @returns {[number, number]}
 */
function part(bytes, random) {
  const start = random.below(bytes.length + 1)
  const longest = random.oneIn(4) ? bytes.length : random.of([1, 2, 4, 16, 64])
  return [start, Math.min(bytes.length, start + random.below(longest + 1))]
}
