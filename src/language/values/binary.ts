import type { KeyedValue } from './hash-key.ts'
import { countBytes, countText } from './value-size-limits.ts'

/** A value of the Binary type. */
export class Binary implements KeyedValue {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = countBytes(bytes)
  }

  keyText(): string {
    return `Binary:${this}`
  }

  /** Returns the bytes as strict base64, without line breaks. */
  toString(): string {
    return countText(Buffer.from(this.bytes).toString('base64'))
  }
}
