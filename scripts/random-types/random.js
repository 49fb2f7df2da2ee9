/** Choices that a seed makes: the same seed makes the same ones. */
export class Random {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to `end`, without it (the generator is mulberry32). */
  below(end) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }

  /** @template Item @param {readonly Item[]} items @returns {Item} */
  of(items) {
    return items[this.below(items.length)]
  }

  /** True once in so many times. */
  once(times) {
    return this.below(times) === 0
  }

  /** Between `min` and `max` of what `make` makes. */
  some(min, max, make) {
    return Array.from({ length: min + this.below(max - min + 1) }, () => make())
  }
}
