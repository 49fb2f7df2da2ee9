import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

/**
 * Summary of the values of the last five to ten minutes; `count` covers all values since the start.
 */
export interface Summary {
  readonly count: number
  readonly mean: number
  readonly stddev: number
  readonly min: number
  readonly max: number
  percentile(of: number): number
}

/** Range and significant digits of a histogram; the highest value is one hour in microseconds. */
const precision = { lowest: 1, highest: 3_600_000_000, figures: 2 } as const
/** Interval after which the older histogram is dropped, in milliseconds. */
const windowMs = 300_000

/**
 * Distribution of recent values in constant memory. It consists of two histograms; every five minutes the older one
 * is dropped. Memory is allocated at the first value.
 */
export class ValueDistribution {
  readonly #scale: number
  readonly #now: () => number
  #current: RecordableHistogram | undefined
  #before: RecordableHistogram | undefined
  #turnAt = 0
  #count = 0

  /** `scale` is the number of steps per unit, such as 1000 for milliseconds with microsecond resolution. */
  constructor(scale: number, now: () => number = () => performance.now()) {
    this.#scale = scale
    this.#now = now
  }

  add(value: number): void {
    this.#turn()
    this.#current ??= createHistogram(precision)
    const step = Math.round(value * this.#scale) + 1
    this.#current.record(Math.min(precision.highest, Math.max(precision.lowest, step)))
    this.#count++
  }

  summary(): Summary {
    this.#turn()
    const all = createHistogram(precision)
    for (const part of [this.#before, this.#current]) if (part && part.count > 0) all.add(part)
    const isEmpty = all.count === 0
    const toValue = (step: number) => (isEmpty ? 0 : (step - 1) / this.#scale)
    return {
      count: this.#count,
      mean: toValue(all.mean),
      stddev: isEmpty ? 0 : all.stddev / this.#scale,
      min: toValue(all.min),
      max: toValue(all.max),
      percentile: (of) => toValue(all.percentile(of)),
    }
  }

  #turn(): void {
    const now = this.#now()
    if (now < this.#turnAt) return
    // After a long time without values, both histograms are outdated.
    this.#before = now - this.#turnAt < windowMs ? this.#current : undefined
    this.#current = undefined
    this.#turnAt = now + windowMs
  }
}
