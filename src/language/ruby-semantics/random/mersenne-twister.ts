const length = 624
const middle = 397

/** MT19937, used like Ruby's `Random.new(seed)`: the same seed gives the same numbers as in Ruby. */
export class MersenneTwister {
  readonly #state: Uint32Array
  #index = length

  constructor(seed: bigint) {
    this.#state = initializeState(toSeedKey(seed))
  }

  /** Returns an integer from 0 to `limit` - 1, equal to Ruby's `Random#rand(limit)`. */
  below(limit: bigint): bigint {
    const last = limit - 1n
    if (last === 0n) return 0n
    return last <= 0xffffffffffffffffn ? this.#limitedBy(last) : this.#limitedByWords(toWords(last))
  }

  /** Returns 32 random bits. */
  next(): number {
    if (this.#index === length) this.#refill()
    let bits = this.#state[this.#index++]!
    bits ^= bits >>> 11
    bits ^= (bits << 7) & 0x9d2c5680
    bits ^= (bits << 15) & 0xefc60000
    return (bits ^ (bits >>> 18)) >>> 0
  }

  /**
   * Returns a number up to `last`. Like Ruby, draws the highest word first and restarts if the number is too large
   * (random.c: limited_rand).
   */
  #limitedBy(last: bigint): bigint {
    const mask = computeMask(last)
    while (true) {
      let value = 0n
      let fits = true
      for (let word = 1n; word >= 0n && fits; word--) {
        const part = (mask >> (word * 32n)) & 0xffffffffn
        if (part === 0n) continue
        value |= (BigInt(this.next()) & part) << (word * 32n)
        fits = value <= last
      }
      if (fits) return value
    }
  }

  /**
   * Returns a number up to a limit of more than 64 bits (random.c: limited_big_rand). After a word smaller than its
   * limit, the lower words can have any value.
   */
  #limitedByWords(last: readonly number[]): bigint {
    while (true) {
      let value = 0n
      let mask = 0
      let boundary = true
      let fits = true
      for (let at = last.length - 1; at >= 0 && fits; at--) {
        const limit = last[at]!
        mask = mask === 0 ? Number(computeMask(BigInt(limit))) : 0xffffffff
        const word = mask === 0 ? 0 : (this.next() & mask) >>> 0
        if (mask !== 0 && boundary) {
          fits = word <= limit
          if (word < limit) boundary = false
        }
        value |= BigInt(word) << BigInt(at * 32)
      }
      if (fits) return value
    }
  }

  #refill(): void {
    const state = this.#state
    for (let at = 0; at < length; at++) {
      const mixed = (state[at]! & 0x80000000) | (state[(at + 1) % length]! & 0x7fffffff)
      state[at] = state[(at + middle) % length]! ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0)
    }
    this.#index = 0
  }
}

/**
 * Converts a seed to key words. Ruby removes a highest word of 1, which protects leading zeros in a packed seed
 * (random.c: rand_init).
 */
function toSeedKey(seed: bigint): number[] {
  const words = toWords(seed < 0n ? -seed : seed)
  return words.length > 1 && words.at(-1) === 1 ? words.slice(0, -1) : words
}

/** Calls the reference function `init_genrand` for a key of one word, `init_by_array` for a longer key. */
function initializeState(key: readonly number[]): Uint32Array {
  const [first = 0] = key
  return key.length === 1 ? createStateFromWord(first) : createStateFromWords(key)
}

function createStateFromWord(word: number): Uint32Array {
  const state = new Uint32Array(length)
  state[0] = word
  for (let at = 1; at < length; at++) state[at] = Math.imul(1812433253, scrambleWord(state, at)) + at
  return state
}

function createStateFromWords(key: readonly number[]): Uint32Array {
  const state = createStateFromWord(19650218)
  let at = 1
  const storeWord = (value: number): void => {
    state[at] = value
    at++
    if (at >= length) {
      state[0] = state[length - 1]!
      at = 1
    }
  }
  for (let count = 0; count < Math.max(length, key.length); count++) {
    const from = count % key.length
    storeWord((state[at]! ^ Math.imul(scrambleWord(state, at), 1664525)) + key[from]! + from)
  }
  for (let count = 1; count < length; count++)
    storeWord((state[at]! ^ Math.imul(scrambleWord(state, at), 1566083941)) - at)
  state[0] = 0x80000000
  return state
}

function scrambleWord(state: Uint32Array, at: number): number {
  return state[at - 1]! ^ (state[at - 1]! >>> 30)
}

/** 32-bit words of a number, lowest first. */
function toWords(value: bigint): number[] {
  const words: number[] = []
  for (let rest = value; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn))
  return words.length === 0 ? [0] : words
}

/** Mask of all bits up to the highest bit of a number. */
function computeMask(value: bigint): bigint {
  return value === 0n ? 0n : (1n << BigInt(value.toString(2).length)) - 1n
}
