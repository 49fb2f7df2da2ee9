import type { Value } from './value.ts'

/** A value that logs and reports must not show. */
export class Sensitive {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** The value in the clear. */
  unwrap(): Value {
    return this.#value
  }

  toString(): string {
    return 'Sensitive [value redacted]'
  }
}
