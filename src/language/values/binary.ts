import { countBytes, countText } from './bounded.ts'
import type { Keyed } from './hash-key.ts'

/** A value of the Binary type. */
export class Binary implements Keyed {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = countBytes(bytes)
  }

  keyText(): string {
    return `Binary:${this}`
  }

  /** Strict base64 without line breaks. */
  toString(): string {
    return countText(Buffer.from(this.bytes).toString('base64'))
  }
}
