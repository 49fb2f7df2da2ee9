import { randomInt } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { Refusal } from '../http/refusal.ts'

/** Bounds on held bytes: in all, and of one client. */
export interface HeldBounds {
  readonly all: number
  readonly client: number
}

/** The share of one body in the budgets; a share grows as bytes come, so that a mere promise of bytes holds nothing. */
export interface Holding {
  /** Throws 429 or 503 where the budget of the client, or of all, has no more. */
  grow(bytes: number): void
  /** Gives the whole share back; bytes that still come are for nobody, and not counted. */
  release(): void
}

/** Bodies up to this size, in bytes, are read on the event loop: in a few milliseconds. */
export const smallBody = 256 * 1024

const bounds: HeldBounds = { all: budgets.request.bodiesHeld.bound, client: budgets.node.bodiesHeld.bound }

/** Seconds after which a client may try again; not all at the same time. */
const delays = { least: 2, most: 15 }

/** Counts the bytes of the bodies that are in memory. */
export class HeldBodies {
  readonly #bounds: HeldBounds
  readonly #byClient = new Map<string, number>()
  #all = 0

  constructor(given: HeldBounds = bounds) {
    this.#bounds = given
  }

  /** Bytes that are held now. */
  get all(): number {
    return this.#all
  }

  /** For a body of this client's. */
  open(client: string): Holding {
    let mine = 0
    let isReleased = false
    const add = (bytes: number) => {
      mine += bytes
      this.#all += bytes
      const now = (this.#byClient.get(client) ?? 0) + bytes
      if (now === 0) this.#byClient.delete(client)
      else this.#byClient.set(client, now)
    }
    return {
      grow: (bytes) => {
        if (isReleased) return
        if ((this.#byClient.get(client) ?? 0) + bytes > this.#bounds.client)
          throw later(429, `Too many large bodies of ${client} at once`)
        // The last quarter is for small ones: who sends large ones does not shut out everybody else.
        const most = mine + bytes > smallBody ? this.#bounds.all * 0.75 : this.#bounds.all
        if (this.#all + bytes > most) throw later(503, 'The server has too many large bodies to read')
        add(bytes)
      },
      release: () => {
        isReleased = true
        add(-mine)
      },
    }
  }
}

/** A refusal that says when to come again. protocol.md 1: agents heed it for 429 and 503. */
export function later(status: 429 | 503, message: string, seconds = randomInt(delays.least, delays.most)): Refusal {
  return new Refusal(status, 'text/plain;charset=utf-8', message, { 'Retry-After': String(seconds) })
}
