import type { Json } from '../../base/json/wire.ts'

/** An answer from outside, and the milliseconds for which it may be given again. */
export interface Answered {
  readonly answer: Json
  readonly ttlMs: number
}

/** For so long nobody is asked again who did not answer, so that not each catalog waits. */
export const failureTtlMs = 5000
