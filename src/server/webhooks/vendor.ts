import type { IncomingHttpHeaders } from 'node:http'

/** A webhook before verification. */
export interface ReceivedHook {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Event of a webhook: `moved` for changed refs and merge requests, `ping` for a test by the Git host. */
export type HookEvent = 'moved' | 'ping' | 'other'

/** Webhook format of a kind of Git host. */
export interface Vendor {
  /** Returns true if the sender knows the secret; runs in constant time. */
  isSigned(hook: ReceivedHook, secret: string): Promise<boolean>
  /** The event, according to the headers. */
  event(headers: IncomingHttpHeaders): HookEvent
  /** True for a test event that the Git host sends without a signature. Such an event has no effect. */
  isUnsignedPing?(headers: IncomingHttpHeaders): boolean
  /** Returns the URLs and full names of the repository in a payload. */
  places(payload: Readonly<Record<string, unknown>>): readonly unknown[]
  /** Name of the header with the delivery id, for the log. */
  readonly delivery: string
  /** Returns the number of the merge request that a payload reports to be new, or to have new commits. */
  mergeRequest(headers: IncomingHttpHeaders, payload: Readonly<Record<string, unknown>>): number | undefined
}
