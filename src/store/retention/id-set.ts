/** A set of ids as a bitmap: one million ids take 125 KB. */
export class IdSet {
  #bits = new Uint8Array(1024)

  add(id: number): void {
    const at = Math.floor(id / 8)
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      larger.set(this.#bits)
      this.#bits = larger
    }
    this.#bits[at]! |= 1 << (id % 8)
  }

  has(id: number): boolean {
    return ((this.#bits[Math.floor(id / 8)] ?? 0) & (1 << (id % 8))) !== 0
  }
}
