import { type Summary, ValueDistribution } from './distribution.ts'
import { type EventRates, Rates } from './rates.ts'

/** Statistics of durations in milliseconds. */
export class Timer {
  readonly #distribution: ValueDistribution
  readonly #rates: Rates
  #count = 0
  #sum = 0
  #max = 0

  constructor(now: () => number = () => performance.now()) {
    this.#distribution = new ValueDistribution(1000, now)
    this.#rates = new Rates(now)
  }

  add(ms: number): void {
    this.#distribution.add(ms)
    this.#rates.mark()
    this.#count++
    this.#sum += ms
    this.#max = Math.max(this.#max, ms)
  }

  get count(): number {
    return this.#count
  }

  /** Sum of all durations. */
  get sum(): number {
    return this.#sum
  }

  /** Longest duration since the start. */
  get max(): number {
    return this.#max
  }

  /** Mean of all durations; 0 without any. */
  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count
  }

  /** Distribution of the durations in the last minutes. */
  lately(): Summary {
    return this.#distribution.summary()
  }

  rates(): EventRates {
    return this.#rates.rates()
  }
}
