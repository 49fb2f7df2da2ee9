/** Numbers that depend on a seed alone. */
export class Chance {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A whole number below a bound. */
  below(bound) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  /** True in so many percent of calls. */
  percent(share) {
    return this.below(100) < share
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.below(list.length)]
  }

  /** @template T @param {number} most @param {() => T} make @returns {T[]} One item or more. */
  list(most, make) {
    return Array.from({ length: 1 + this.below(most) }, make)
  }
}
