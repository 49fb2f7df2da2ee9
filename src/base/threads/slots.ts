/** Bounds of slots: workers at once, those who wait, and the time that they wait. */
export interface SlotLimits {
  readonly atOnce: number
  readonly waiting?: number
  readonly waitMs?: number
}

interface Waiting {
  readonly start: () => void
  readonly timer: NodeJS.Timeout | undefined
}

/** Places for work that costs a process or the like. Who finds none waits in turn; who waits too long is told `busy`. */
export class Slots {
  readonly #limits: SlotLimits
  readonly #busy: () => Error
  readonly #queue = new Set<Waiting>()
  #taken = 0

  constructor(limits: SlotLimits, busy: () => Error = () => new Error('all places are taken')) {
    this.#limits = limits
    this.#busy = busy
  }

  /** Does work in a place. Rejects with `busy`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.take()
    try {
      return await work()
    } finally {
      giveBack()
    }
  }

  /** Waits for a place; what it answers gives the place back, once. Rejects with `busy`. */
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

  /** The place goes from hand to hand, so that nobody who comes later takes it. */
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
