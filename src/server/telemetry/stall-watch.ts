import type { FastifyRequest } from 'fastify'
import type { EndedRequest, RequestObserver } from './request-observer.ts'

/** Thresholds, read at each check, and callbacks. */
export interface StallWatchParts {
  /** Minimum event loop delay for a warning, in milliseconds; 0 disables the warning. */
  stallMs(): number
  /** Minimum request duration for a warning, in milliseconds; 0 disables the warning. */
  slowMs(): number
  warn(details: object, message: string): void
  /** Called for each stall. */
  stalled(): void
}

/** Interval between checks, in milliseconds. */
const lookMs = 50
/** Maximum number of requests listed in a warning; the oldest come first. */
const mostNamed = 5
/** Minimum interval between warnings about stalls, in milliseconds. */
const quietMs = 1000

/**
 * Logs stalls of the event loop with their duration and the requests that were active or ended
 * meanwhile. Also logs slow requests.
 */
export class StallWatch implements RequestObserver {
  readonly #parts: StallWatchParts
  readonly #underWay = new Map<FastifyRequest, number>()
  /** Requests that ended since the last check. */
  #ended: EndedRequest[] = []
  #lookedAt = 0
  #silentUntil = 0
  #unsaid = 0
  #timer: NodeJS.Timeout | undefined

  constructor(parts: StallWatchParts) {
    this.#parts = parts
  }

  began(request: FastifyRequest): void {
    // Checks start with the first request, because stalls during startup do not matter.
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
        'slow request',
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
    this.#parts.warn(details, 'the event loop was blocked; no request was processed')
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
