/** Events per second: mean since the start, and moving averages. */
export interface EventRates {
  readonly mean: number
  readonly oneMinute: number
  readonly fiveMinutes: number
  readonly fifteenMinutes: number
}

const tickSeconds = 5
/** Weights of exponentially weighted moving averages, as in Unix load and Dropwizard's `Meter`. */
const weights = [1, 5, 15].map((minutes) => 1 - Math.exp(-tickSeconds / 60 / minutes))

/** Counts events and computes their rates. */
export class Rates {
  readonly #now: () => number
  readonly #began: number
  #tickedAt: number
  #count = 0
  /** Events since the last tick. */
  #fresh = 0
  #averages: number[] | undefined

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#began = now()
    this.#tickedAt = this.#began
  }

  mark(): void {
    this.#tick()
    this.#count++
    this.#fresh++
  }

  rates(): EventRates {
    this.#tick()
    const seconds = (this.#now() - this.#began) / 1000
    const [oneMinute = 0, fiveMinutes = 0, fifteenMinutes = 0] = this.#averages ?? []
    return { mean: seconds > 0 ? this.#count / seconds : 0, oneMinute, fiveMinutes, fifteenMinutes }
  }

  #tick(): void {
    const ticks = Math.floor((this.#now() - this.#tickedAt) / 1000 / tickSeconds)
    if (ticks <= 0) return
    this.#tickedAt += ticks * tickSeconds * 1000
    const first = this.#fresh / tickSeconds
    this.#fresh = 0
    this.#averages = weights.map((weight, at) => {
      const before = this.#averages?.[at]
      const now = before === undefined ? first : before + weight * (first - before)
      // The remaining ticks had no events.
      return now * (1 - weight) ** (ticks - 1)
    })
  }
}
