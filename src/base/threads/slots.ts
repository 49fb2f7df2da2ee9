/** Limits of slots: running tasks, waiting tasks, and waiting time in milliseconds. */
export interface SlotLimits {
  readonly atOnce: number
  /** Maximum number of waiting tasks; unlimited if absent, and 0 to reject instead of waiting. */
  readonly waiting?: number
  readonly waitMs?: number
}

interface Waiting {
  readonly start: () => void
  readonly timer: NodeJS.Timeout | undefined
}

/**
 * Limits concurrent tasks that need a process or a similar resource, or runs tasks one after
 * another (`atOnce: 1`). Further tasks wait in order. A task fails with the error of `busy` if the
 * queue is full or the wait takes too long.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #busy: () => Error
  readonly #queue = new Set<Waiting>()
  #taken = 0

  constructor(limits: SlotLimits, busy: () => Error = () => new Error('all slots are in use')) {
    this.#limits = limits
    this.#busy = busy
  }

  /** Number of running and waiting tasks. */
  get size(): number {
    return this.#taken + this.#queue.size
  }

  /** Runs a task in a slot. Rejects with the error of `busy`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.take()
    try {
      return await work()
    } finally {
      giveBack()
    }
  }

  /**
   * Waits for a slot. Returns a function that releases the slot; repeated calls have no effect. Rejects with the error
   * of `busy`.
   */
  async take(): Promise<() => void> {
    if (this.#taken >= Math.max(1, this.#limits.atOnce)) await this.#wait()
    else this.#taken++
    let held = true
    return () => {
      if (held) this.#giveBack()
      held = false
    }
  }

  #wait(): Promise<void> {
    const { waiting: mostWaiting = Number.POSITIVE_INFINITY, waitMs } = this.#limits
    if (this.#queue.size >= mostWaiting) throw this.#busy()
    return new Promise((start, refuse) => {
      const giveUp = () => {
        this.#queue.delete(waiting)
        refuse(this.#busy())
      }
      const waiting = { start, timer: waitMs === undefined ? undefined : setTimeout(giveUp, waitMs).unref() }
      this.#queue.add(waiting)
    })
  }

  /** Passes the slot directly to the next waiting task, so that a later task cannot take it. */
  #giveBack(): void {
    const [next] = this.#queue
    if (!next) {
      this.#taken--
      return
    }
    this.#queue.delete(next)
    clearTimeout(next.timer)
    next.start()
  }
}
