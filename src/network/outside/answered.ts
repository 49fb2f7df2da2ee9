import type { Json } from '../../base/json/wire.ts'

/** A response from an external service, and the milliseconds for which it may be reused. */
export interface Answered {
  readonly answer: Json
  readonly ttlMs: number
}

/**
 * Milliseconds for which a failed request is not repeated, so that not every catalog waits for the
 * timeout.
 */
export const failureTtlMs = 5000
