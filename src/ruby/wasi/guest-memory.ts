/** The memory of a WebAssembly instance. Its buffer is replaced when the memory grows. */
export class GuestMemory {
  #memory: WebAssembly.Memory | undefined
  #view = new DataView(new ArrayBuffer(0))
  #bytes = new Uint8Array()

  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory
  }

  text(at: number, length: number): string {
    return Buffer.from(this.bytes.buffer, at, length).toString('utf8')
  }

  get view(): DataView {
    this.#refresh()
    return this.#view
  }

  get bytes(): Uint8Array {
    this.#refresh()
    return this.#bytes
  }

  #refresh(): void {
    const { buffer } = this.#memory!
    if (this.#view.buffer === buffer) return
    this.#view = new DataView(buffer)
    this.#bytes = new Uint8Array(buffer)
  }
}
