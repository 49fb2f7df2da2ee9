const header = 16
const room = 2048

/** A running call of Ruby. */
export interface RubyRun {
  /** Start time in milliseconds since 1970. */
  readonly since: number
  /** Source location of the call, in the format of messages; may be empty. */
  readonly place: string
}

/**
 * Shares the start time and the location of this thread's running Ruby call with other threads. Only another thread can
 * detect and end an infinite loop in Ruby.
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

  /**
   * Pauses the clock while Ruby waits for a reply, even if other work runs meanwhile. Returns a function that resumes
   * it.
   */
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

  /** The running Ruby call; `undefined` while Ruby is idle. */
  running(): RubyRun | undefined {
    const since = Number(Atomics.load(this.#since, 0))
    if (since === 0) return undefined
    return { since, place: Buffer.from(this.#text.slice(0, this.#length[0])).toString() }
  }
}
