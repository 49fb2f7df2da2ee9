/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

/** A length of time, in nanoseconds; may be negative. */
export class Timespan {
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}
