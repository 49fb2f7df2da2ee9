/** How many may work at once, how many may wait for that, and for how long. */
export interface SlotLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly waitMs: number
}

interface Waiting {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

/** Places for work that costs a process or the like. Who finds none waits in turn; who waits too long is told `busy`. */
export class Slots {
  readonly #limits: SlotLimits
  readonly #busy: () => Error
  readonly #queue = new Set<Waiting>()
  #taken = 0

  constructor(limits: SlotLimits, busy: () => Error) {
    this.#limits = limits
    this.#busy = busy
  }

  /** Waits for a place; what it answers gives the place back, once. Rejects with `busy`. */
  async take(): Promise<() => void> {
    if (this.#taken >= this.#limits.atOnce) await this.#wait()
    else this.#taken++
    let held = true
    return () => {
      if (held) this.#giveBack()
      held = false
    }
  }

  #wait(): Promise<void> {
    if (this.#queue.size >= this.#limits.waiting) throw this.#busy()
    return new Promise((start, refuse) => {
      const giveUp = () => {
        this.#queue.delete(waiting)
        refuse(this.#busy())
      }
      const waiting = { start, timer: setTimeout(giveUp, this.#limits.waitMs).unref() }
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
