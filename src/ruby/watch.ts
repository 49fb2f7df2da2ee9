const header = 16
const room = 2048

/** A call of Ruby's that has not ended. */
export interface RubyRun {
  /** When it began, in milliseconds since 1970. */
  readonly since: number
  /** The place of the call in the manifest, in the wording of messages; may be empty. */
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
  #place = ''

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(header + room)) {
    this.memory = memory
    this.#since = new BigInt64Array(memory, 0, 1)
    this.#length = new Int32Array(memory, 8, 1)
    this.#text = new Uint8Array(memory, header, room)
  }

  begin(place: string): void {
    this.#say(place)
    Atomics.store(this.#since, 0, BigInt(Date.now()))
  }

  /** Ruby waits for an answer, which is not its time, whatever else runs for it. Answers how to go on. */
  pause(): () => void {
    const since = Atomics.load(this.#since, 0)
    if (since === 0n) return () => {}
    const spent = BigInt(Date.now()) - since
    const place = this.#place
    this.end()
    return () => {
      this.#say(place)
      Atomics.store(this.#since, 0, BigInt(Date.now()) - spent)
    }
  }

  end(): void {
    Atomics.store(this.#since, 0, 0n)
  }

  #say(place: string): void {
    if (place === this.#place) return
    this.#place = place
    this.#length[0] = new TextEncoder().encodeInto(place, this.#text).written
  }

  /** The call of Ruby that runs now; `undefined` when Ruby is idle. */
  running(): RubyRun | undefined {
    const since = Number(Atomics.load(this.#since, 0))
    if (since === 0) return undefined
    return { since, place: Buffer.from(this.#text.slice(0, this.#length[0])).toString() }
  }
}
