/** Bytes. */
export class Binary {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Strict base64, one line. */
  toString(): string {
    return Buffer.from(this.bytes).toString('base64')
  }
}
