/** Work whose result several callers share. It is aborted when no caller waits for the result any more. */
export class SharedWork<Result> {
  /** Start time (`performance.now()`). */
  readonly startedAt = performance.now()
  readonly #work: Promise<Result>
  readonly #controller = new AbortController()
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<Result>) {
    this.#work = work(this.#controller.signal)
    this.#work.catch(() => {})
  }

  /** Waits for the result; throws the signal's reason on abort. */
  async join(signal: AbortSignal | undefined): Promise<Result> {
    signal?.throwIfAborted()
    this.#waiting++
    let leave = () => {}
    const gone = new Promise<never>((_, reject) => {
      leave = () => reject(signal?.reason)
    })
    gone.catch(() => {})
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([this.#work, gone])
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#waiting -= 1
      if (this.#waiting === 0 && signal?.aborted) this.#controller.abort()
    }
  }

  /** Waits for the end, also of failed work. */
  async settled(signal: AbortSignal | undefined): Promise<void> {
    await this.join(signal).catch(() => {})
    signal?.throwIfAborted()
  }
}
