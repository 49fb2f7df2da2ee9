/** Work whose result several callers share. It is aborted when no caller waits for the result any more. */
export class SharedOperation<Result> {
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
    let stopWaiting = () => {}
    const gone = new Promise<never>((_, reject) => {
      stopWaiting = () => reject(signal?.reason)
    })
    gone.catch(() => {})
    signal?.addEventListener('abort', stopWaiting, { once: true })
    try {
      return await Promise.race([this.#work, gone])
    } finally {
      signal?.removeEventListener('abort', stopWaiting)
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
