import { randomInt } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { Refusal } from '../http/refusal.ts'

/** Limits on the bytes of bodies in memory: in total and per client. */
export interface BodyMemoryBounds {
  readonly all: number
  readonly client: number
}

/**
 * A body's share of the limits. It grows as bytes arrive, so that `Content-Length` alone reserves
 * nothing.
 */
export interface BodyShare {
  /**
   * Adds bytes to the share. Throws 429 if the client's limit is exceeded, 503 if the total limit
   * is exceeded.
   */
  grow(bytes: number): void
  /** Releases the share. Bytes that arrive later are not counted. */
  release(): void
}

/** Size in bytes up to which a body is parsed on the event loop, within a few milliseconds. */
export const smallBody = 256 * 1024

const bounds: BodyMemoryBounds = { all: budgets.request.bodiesHeld.bound, client: budgets.node.bodiesHeld.bound }

/** Range of `Retry-After` in seconds; random, so that clients do not retry at the same time. */
const delays = { least: 2, most: 15 }

/** Counts the bytes of request bodies in memory. */
export class BodyMemory {
  readonly #bounds: BodyMemoryBounds
  readonly #byClient = new Map<string, number>()
  #all = 0

  constructor(given: BodyMemoryBounds = bounds) {
    this.#bounds = given
  }

  /** Total bytes of the request bodies in memory. */
  get all(): number {
    return this.#all
  }

  /** Opens the share for a body of a client. */
  open(client: string): BodyShare {
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
          throw createRetryRefusal(429, `Too many large request bodies of ${client} at once`)
        // The last quarter of the total is reserved for small bodies, so that large ones do not
        // block all clients.
        const most = mine + bytes > smallBody ? this.#bounds.all * 0.75 : this.#bounds.all
        if (this.#all + bytes > most) throw createRetryRefusal(503, 'Too many large request bodies at once')
        add(bytes)
      },
      release: () => {
        isReleased = true
        add(-mine)
      },
    }
  }
}

/** A refusal with `Retry-After`; agents obey it for 429 and 503. protocol.md 1. */
export function createRetryRefusal(
  status: 429 | 503,
  message: string,
  seconds = randomInt(delays.least, delays.most),
): Refusal {
  return new Refusal(status, 'text/plain;charset=utf-8', message, { 'Retry-After': String(seconds) })
}
