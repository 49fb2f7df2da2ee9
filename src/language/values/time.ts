import { formatTime } from '../ruby-semantics/time/strftime.ts'
import type { KeyedValue } from './hash-key.ts'
import { formatTimespan } from './timespan-format.ts'

/** A point in time, in nanoseconds since 1970. */
export class Timestamp implements KeyedValue {
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }

  keyText(): string {
    return `Timestamp:${this.nanoseconds}`
  }

  /** Formats the time: `2020-01-02T03:04:05.006000000 UTC`. */
  toString(): string {
    return formatTime(this.nanoseconds, '%FT%T.%N %Z')
  }
}

/** A duration in nanoseconds; may be negative. */
export class Timespan implements KeyedValue {
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }

  keyText(): string {
    return `Timespan:${this.nanoseconds}`
  }

  /** Formats the duration: `1-02:03:04.0`. */
  toString(): string {
    return formatTimespan(this.nanoseconds)
  }
}
