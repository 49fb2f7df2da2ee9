/**
 * Random numbers that are the same for the same seed (mulberry32).
 *
 * @param {string} seed
 */
export function randomFrom(seed) {
  let state = 0x9e3779b9
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  /** A whole number below a bound, 0 where there is none. */
  const below = (/** @type {number} */ bound) => Math.floor(next() * bound)
  return {
    below,
    /** Whether it is this time, of so many. */
    oneIn: (/** @type {number} */ count) => below(count) === 0,
    /**
     * @template Item
     * @param {readonly Item[]} items
     * @returns {Item}
     */
    of: (items) => /** @type {Item} */ (items[below(items.length)]),
  }
}

/** @typedef {ReturnType<typeof randomFrom>} Random */
