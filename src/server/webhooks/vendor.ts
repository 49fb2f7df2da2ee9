import type { IncomingHttpHeaders } from 'node:http'

/** A webhook before verification. */
export interface ReceivedHook {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Event of a webhook: refs moved, a test by the host, or something else. */
export type HookEvent = 'moved' | 'ping' | 'other'

/** Webhook format of a kind of Git host. */
export interface Vendor {
  /** Returns true if the sender knows the secret; runs in constant time. */
  isSigned(hook: ReceivedHook, secret: string): Promise<boolean>
  /** The event, according to the headers. */
  event(headers: IncomingHttpHeaders): HookEvent
  /** True for a test event that the host sends unsigned and that has no effect. */
  isUnsignedPing?(headers: IncomingHttpHeaders): boolean
  /** URLs and full names of the repository in a payload. */
  places(payload: Readonly<Record<string, unknown>>): readonly unknown[]
  /** Name of the header with the delivery id, for the log. */
  readonly delivery: string
}
