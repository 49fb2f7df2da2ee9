const header = 16
const room = 2048

/** A call of Ruby's that has not ended. */
export interface RubyRun {
  /** When it began, in milliseconds since 1970. */
  readonly since: number
  /** Where the manifest calls it, as messages say it; may be empty. */
  readonly place: string
}

/**
 * Tells other threads since when this one runs Ruby, and for which call: a loop in Ruby has no other way to be noticed
 * than from outside, nor to be ended.
 */
export class RubyWatch {
  readonly memory: SharedArrayBuffer
  readonly #since: BigInt64Array
  readonly #length: Int32Array
  readonly #text: Uint8Array

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(header + room)) {
    this.memory = memory
    this.#since = new BigInt64Array(memory, 0, 1)
    this.#length = new Int32Array(memory, 8, 1)
    this.#text = new Uint8Array(memory, header, room)
  }

  begin(place: string): void {
    this.#length[0] = new TextEncoder().encodeInto(place, this.#text).written
    Atomics.store(this.#since, 0, BigInt(Date.now()))
  }

  end(): void {
    Atomics.store(this.#since, 0, 0n)
  }

  /** What runs now, if Ruby does. */
  running(): RubyRun | undefined {
    const since = Number(Atomics.load(this.#since, 0))
    if (since === 0) return undefined
    return { since, place: Buffer.from(this.#text.slice(0, this.#length[0])).toString() }
  }
}
