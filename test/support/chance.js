/** @typedef {(below: number) => number} Chance A number from 0 to below another one, by chance. */

/**
 * The same numbers for each seed.
 *
 * @param {number} seed
 * @returns {Chance}
 */
export function chanceOf(seed) {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {Chance} chance
 * @returns {Item}
 */
export function chosen(items, chance) {
  return items[chance(items.length)]
}

/**
 * So many of the items, each once; all where there are no more.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} count
 * @param {Chance} chance
 * @returns {Item[]}
 */
export function sample(items, count, chance) {
  const rest = [...items]
  const taken = []
  while (taken.length < count && rest.length > 0) {
    const at = chance(rest.length)
    taken.push(rest[at])
    rest[at] = rest[rest.length - 1]
    rest.pop()
  }
  return taken
}
