/** Text that is written piece by piece, as UTF-8. */
export class Utf8Writer {
  #buffer: Buffer
  #size = 0

  /** `size` is about how many bytes there will be. */
  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafeSlow(size)
  }

  write(text: string): void {
    // A UTF-16 unit is at most three bytes.
    const most = this.#size + text.length * 3
    if (most > this.#buffer.length) this.#grow(most)
    this.#size += this.#buffer.write(text, this.#size)
  }

  /** What was written, in memory of its own. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.subarray(0, this.#size))
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
  }
}
