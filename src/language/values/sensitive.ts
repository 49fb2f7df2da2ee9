import type { Keyed } from './hash-key.ts'
import type { Value } from './value.ts'

/** A value that logs and reports must not show. */
export class Sensitive implements Keyed {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** The value in the clear. */
  unwrap(): Value {
    return this.#value
  }

  keyText(of: (value: Value) => string): string {
    return `Sensitive(${of(this.#value)})`
  }

  toString(): string {
    return 'Sensitive [value redacted]'
  }
}
