import { type Budget, budgets } from '../../base/budgets/budgets.ts'
import { Slots } from '../../base/threads/slots.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'

/** Concurrency limits, in total and per client (`ofOne`), and limits on the waiting requests. */
export interface TurnBounds {
  readonly atOnce: number
  readonly ofOne: number
  readonly waiting: number
  readonly waitMs: number
}

interface ClientSlots {
  readonly slots: Slots
  users: number
}

/**
 * Limits work that starts processes, in total and per client; further requests wait in order of
 * arrival.
 */
export class Turns {
  readonly #bounds: TurnBounds
  readonly #what: string
  readonly #all: Slots
  readonly #byClient = new Map<string, ClientSlots>()

  /** `what` is the name of the work in refusals. */
  constructor(what: string, bounds: TurnBounds) {
    this.#what = what
    this.#bounds = bounds
    this.#all = new Slots({ atOnce: bounds.atOnce, waiting: bounds.waiting, waitMs: bounds.waitMs }, () => this.#busy())
  }

  /**
   * Waits for a slot. Returns a function that releases the slot; further calls of it have no effect. Throws 503 if
   * too many requests wait, or after `waitMs`.
   */
  async take(client: string): Promise<() => void> {
    const { ofOne, waiting, waitMs } = this.#bounds
    const createBusyError = () => this.#busy()
    const own = this.#byClient.get(client) ?? {
      slots: new Slots({ atOnce: ofOne, waiting: Math.floor(waiting / 2), waitMs }, createBusyError),
      users: 0,
    }
    this.#byClient.set(client, own)
    own.users++
    const leaveQueue = () => {
      own.users -= 1
      if (own.users === 0) this.#byClient.delete(client)
    }
    const given: (() => void)[] = [leaveQueue]
    try {
      given.unshift(await own.slots.take())
      given.unshift(await this.#all.take())
    } catch (error) {
      for (const giveBack of given) giveBack()
      throw error
    }
    let held = true
    return () => {
      if (held) for (const giveBack of given) giveBack()
      held = false
    }
  }

  #busy(): Error {
    return createRetryRefusal(503, `Too many ${this.#what} at once`)
  }
}

const { pushes, pushesOfOne, fetches, fetchesOfOne, waiting, waitTime } = budgets.git

/** Limits on pushes over HTTPS. */
export function createPushTurns(): Turns {
  return new Turns('pushes', toTurnBounds(pushes, pushesOfOne))
}

/** Limits on clones, fetches and ref listings. */
export function createFetchTurns(): Turns {
  return new Turns('clones and fetches', toTurnBounds(fetches, fetchesOfOne))
}

function toTurnBounds(atOnce: Budget, ofOne: Budget): TurnBounds {
  return { atOnce: atOnce.bound, ofOne: ofOne.bound, waiting: waiting.bound, waitMs: waitTime.bound }
}
