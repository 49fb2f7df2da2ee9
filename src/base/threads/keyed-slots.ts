import { type SlotLimits, Slots } from './slots.ts'

/** Limits of keyed slots: in total, and for one key (`ofOne`). */
export interface KeyedSlotLimits extends SlotLimits {
  readonly ofOne: SlotLimits
}

/**
 * Limits concurrent tasks in total and for each key, such as a client. A task waits for a slot of
 * its key first, so that with `ofOne: { atOnce: 1 }` the keys take turns.
 */
export class KeyedSlots {
  readonly #ofOne: SlotLimits
  readonly #busy: (() => Error) | undefined
  readonly #all: Slots
  readonly #byKey = new Map<string, Slots>()

  constructor({ ofOne, ...all }: KeyedSlotLimits, busy?: () => Error) {
    this.#ofOne = ofOne
    this.#busy = busy
    this.#all = new Slots(all, busy)
  }

  /** Number of running and waiting tasks. */
  get size(): number {
    let size = 0
    for (const own of this.#byKey.values()) size += own.size
    return size
  }

  /** Number of running and waiting tasks of a key. */
  sizeOf(key: string): number {
    return this.#byKey.get(key)?.size ?? 0
  }

  /** Runs a task of a key in a slot. Rejects with the error of `busy`. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.take(key)
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
  async take(key: string): Promise<() => void> {
    const own = this.#byKey.get(key) ?? new Slots(this.#ofOne, this.#busy)
    this.#byKey.set(key, own)
    const giveBackOwn = await own.take()
    const leave = () => {
      giveBackOwn()
      if (own.size === 0 && this.#byKey.get(key) === own) this.#byKey.delete(key)
    }
    try {
      const giveBack = await this.#all.take()
      return () => {
        giveBack()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}
