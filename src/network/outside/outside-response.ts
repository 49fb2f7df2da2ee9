import type { ExactJson } from '../../base/json/exact-json.ts'

/** A response from an external service, and the milliseconds for which it may be reused. */
export interface OutsideResponse {
  readonly answer: ExactJson
  readonly ttlMs: number
  /** True if the lifetime is that of a lease, which the lifetime in the question does not shorten. */
  readonly isLeased?: boolean
}

/**
 * A failed request is not repeated for this number of milliseconds, so that not every catalog waits for the timeout.
 */
export const failureTtlMs = 5000
