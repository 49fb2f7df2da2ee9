/** The memory of the last writer that was done, for the next one; more than this is not kept. */
let spare: Buffer | undefined
/** Bytes of memory that is kept for the next writer. */
const maxSpareBytes = 4 * 1024 * 1024

/** Text that is written piece by piece, as UTF-8. */
export class Utf8Writer {
  #buffer: Buffer
  #size = 0

  /** `size` is about how many bytes there will be. */
  constructor(size: number) {
    this.#buffer = spare && spare.length >= size ? spare : Buffer.allocUnsafeSlow(size)
    spare = undefined
  }

  /** In bytes, so far. */
  get size(): number {
    return this.#size
  }

  write(text: string): void {
    // A UTF-16 unit is at most three bytes.
    const most = this.#size + text.length * 3
    if (most > this.#buffer.length) this.#grow(most)
    this.#size += this.#buffer.write(text, this.#size)
  }

  /** The bytes written, in memory of their own; the last call to the writer. */
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
