import { register } from 'node:module'

/** Counters of all modules together; the rooms that a target loads have some twenty thousand branches. */
const mostCounters = 1 << 18

/** How often each branch was taken: a class of counts for each bit, as AFL has them. */
const bucketOf = Uint8Array.from({ length: 256 }, (_, count) =>
  count === 0
    ? 0
    : count === 1
      ? 1
      : count === 2
        ? 2
        : count === 3
          ? 4
          : count < 8
            ? 8
            : count < 16
              ? 16
              : count < 32
                ? 32
                : count < 128
                  ? 64
                  : 128,
)

/** Counts branches in all modules of dist/ that are imported from now on. */
export function startCoverage() {
  const counters = new Uint8Array(mostCounters)
  const words = new Uint32Array(counters.buffer)
  const seen = new Uint8Array(mostCounters)
  let used = 0
  const __fuzzCounters = (/** @type {number} */ count) => {
    const own = counters.subarray(used, used + count)
    used += count
    if (used > mostCounters) throw new Error('more branches than counters: raise mostCounters')
    return own
  }
  Object.assign(globalThis, { __fuzzCounters })
  register('./instrument.js', import.meta.url)

  /** @param {(index: number, bucket: number) => void} take */
  const each = (take) => {
    const end = Math.ceil(used / 4)
    for (let word = 0; word < end; word++) {
      if (words[word] === 0) continue
      for (let index = word * 4; index < word * 4 + 4; index++)
        if (counters[index] !== 0) take(index, bucketOf[/** @type {number} */ (counters[index])] ?? 0)
    }
  }
  return {
    clear: () => words.fill(0, 0, Math.ceil(used / 4)),
    /** Whether a branch was taken that never was, or not so often; it is known from then on. */
    isNew() {
      let fresh = false
      each((index, bucket) => {
        if (((seen[index] ?? 0) & bucket) !== 0) return
        seen[index] = (seen[index] ?? 0) | bucket
        fresh = true
      })
      return fresh
    },
    /** What was taken, one number for each branch and class of counts. */
    features() {
      /** @type {number[]} */
      const features = []
      each((index, bucket) => features.push(index * 256 + bucket))
      return features
    },
    /** How many branches there are, and how many were ever taken. */
    total: () => ({ branches: used, taken: seen.subarray(0, used).reduce((sum, each) => sum + (each ? 1 : 0), 0) }),
  }
}
