/** A source of numbers from 0 up to, but not including, 1. */
export type RandomNumbers = () => number

/** Returns a reproducible source of random numbers: equal seeds give equal numbers (Mulberry32). */
export function createRandomNumbers(seed: number): RandomNumbers {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Returns a duration of an Erlang distribution: the sum of `parts` exponential durations. One part is exponential; more
 * parts vary less, by 1/√parts of the mean.
 */
export function drawDuration(mean: number, parts: number, random: RandomNumbers): number {
  let product = 1
  for (let part = 0; part < parts; part++) product *= 1 - random()
  return (-mean / parts) * Math.log(product)
}
