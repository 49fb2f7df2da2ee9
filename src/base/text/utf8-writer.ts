/** Buffer of the last finished writer; the next writer reuses it. */
let spare: Buffer | undefined
/** Maximum size of the reused buffer, in bytes. */
const maxSpareBytes = 4 * 1024 * 1024

/** Writes text piece by piece as UTF-8. */
export class Utf8Writer {
  #buffer: Buffer
  #size = 0

  /** `size` is the expected number of bytes; the buffer grows if needed. */
  constructor(size: number) {
    this.#buffer = spare && spare.length >= size ? spare : Buffer.allocUnsafeSlow(size)
    spare = undefined
  }

  /** Number of bytes written so far. */
  get size(): number {
    return this.#size
  }

  write(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    const most = this.#size + text.length * 3
    if (most > this.#buffer.length) this.#grow(most)
    this.#size += this.#buffer.write(text, this.#size)
  }

  /** Returns a copy of the bytes and ends the writer. */
  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#buffer.subarray(0, this.#size))
    if (this.#buffer.length <= maxSpareBytes) spare = this.#buffer
    return bytes
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
  }
}
