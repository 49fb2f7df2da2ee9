import { formatRubyFloat } from '../../base/text/float-text.ts'
import type { KeyedValue } from './hash-key.ts'

/** A Float. It is a class, so that `1.0` is not confused with the Integer `1`. */
export class Float implements KeyedValue {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  keyText(): string {
    return `Float:${this.value}`
  }

  /** Returns the number in Ruby's notation: `1.0`, `1.0e+20`, `1.0e-05`. */
  toString(): string {
    return formatRubyFloat(this.value)
  }
}
