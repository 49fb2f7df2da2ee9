import type { KeyedValue } from './hash-key.ts'
import type { Value } from './value.ts'

/** A value that must not appear in logs and reports. */
export class Sensitive implements KeyedValue {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** Returns the wrapped value. */
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
