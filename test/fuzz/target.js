/**
 * Something that reads bytes from outside.
 *
 * @typedef {object} Target
 * @property {string} name As its file, and as the folder of its corpus.
 * @property {readonly (string | Uint8Array)[]} seeds Good inputs, small ones: what all others are made of.
 * @property {readonly string[]} dictionary Words of the format; a character is a byte.
 * @property {(bytes: Uint8Array) => unknown} run Reads the bytes. Throws where it was wrong to do what it did.
 * @property {import('fast-check').Arbitrary<string>} [grammar] Texts that are right, or nearly so, where bytes at random would seldom be.
 * @property {number} [nsPerByte] What a byte may cost, where that is more than a microsecond.
 * @property {number} [freeMs] What an input may take however short, where it is read many times over.
 */

/**
 * Does `work`, whose refusals are its answer, too: `undefined`.
 *
 * @template Answer
 * @param {readonly (abstract new (...args: any[]) => Error)[]} refusals
 * @param {() => Answer} work
 * @returns {Answer | undefined}
 */
export function allowing(refusals, work) {
  try {
    return work()
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return undefined
    throw error
  }
}

/**
 * Throws unless it holds.
 *
 * @param {unknown} holds
 * @param {string} what
 * @returns {asserts holds}
 */
export function must(holds, what) {
  if (!holds) throw new Error(what)
}

/**
 * The bytes as text, as readers of files and bodies decode them.
 *
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  return Buffer.from(bytes).toString('utf8')
}
