import type { FastifyRequest } from 'fastify'
import type { EndedRequest, RequestObserver } from './ended-request.ts'

/** Bounds of a watch, read at each look, and its voice. */
export interface StallWatchParts {
  /** Milliseconds without an answer to anybody from which the log says so; 0 for never. */
  stallMs(): number
  /** Milliseconds that a request may take before the log says so; 0 for never. */
  slowMs(): number
  warn(details: object, message: string): void
  /** Told of each stall. */
  stalled(): void
}

/** Milliseconds between two looks at the clock. */
const lookMs = 50
/** Requests that a line of the log names; of a crowd the eldest tell enough. */
const mostNamed = 5
/** Milliseconds between two lines about stalls: when it goes on and on, the log is not to be flooded. */
const quietMs = 1000

/**
 * A watch over the event loop, which says for how long it stood still and what was under way: the requests that were being
 * answered, and those that ended within. Also says which requests took too long.
 */
export class StallWatch implements RequestObserver {
  readonly #parts: StallWatchParts
  readonly #underWay = new Map<FastifyRequest, number>()
  /** Requests that ended since the last look. */
  #ended: EndedRequest[] = []
  #lookedAt = 0
  #silentUntil = 0
  #unsaid = 0
  #timer: NodeJS.Timeout | undefined

  constructor(parts: StallWatchParts) {
    this.#parts = parts
  }

  began(request: FastifyRequest): void {
    // Before the first request there is nobody to answer, and a start may take its time.
    if (!this.#timer) {
      this.#lookedAt = performance.now()
      this.#timer = setInterval(() => this.#look(), lookMs).unref()
    }
    this.#underWay.set(request, performance.now())
  }

  ended(ended: EndedRequest, request: FastifyRequest): void {
    this.#underWay.delete(request)
    if (this.#ended.length < mostNamed) this.#ended.push(ended)
    const slowMs = this.#parts.slowMs()
    if (slowMs > 0 && ended.ms > slowMs)
      this.#parts.warn(
        { request: ended.id, method: ended.method, path: ended.path, ms: Math.round(ended.ms) },
        'a request took long',
      )
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    const late = now - this.#lookedAt - lookMs
    this.#lookedAt = now
    const ended = this.#ended
    this.#ended = []
    const stallMs = this.#parts.stallMs()
    if (stallMs <= 0 || late < stallMs) return
    this.#parts.stalled()
    if (now < this.#silentUntil) {
      this.#unsaid++
      return
    }
    this.#silentUntil = now + quietMs
    const details = {
      ms: Math.round(late),
      requests: this.#named(ended, now),
      ...(this.#unsaid > 0 && { more: this.#unsaid }),
    }
    this.#unsaid = 0
    this.#parts.warn(details, 'the event loop stood still: nobody was answered meanwhile')
  }

  #named(ended: readonly EndedRequest[], now: number): readonly object[] {
    const done = ended.map(({ id, method, route, ms }) => ({
      request: id,
      method,
      route,
      ms: Math.round(ms),
      ended: true,
    }))
    const going = [...this.#underWay].slice(0, mostNamed).map(([{ id, method, routeOptions }, since]) => ({
      ...{ request: id, method, route: routeOptions.url ?? 'none', ms: Math.round(now - since) },
    }))
    return [...done, ...going].slice(0, 2 * mostNamed)
  }
}
