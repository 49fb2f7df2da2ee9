import type { IncomingHttpHeaders } from 'node:http'

/** A webhook as it came, before anything in it is believed. */
export interface ReceivedHook {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The meaning of a webhook: refs moved, the host tries the address, or something else happened. */
export type HookEvent = 'moved' | 'ping' | 'other'

/** A kind of Git host, by how its webhooks look. */
export interface Vendor {
  /** True of a hook whose sender knows the secret; takes as long for a wrong one as for the right one. */
  isSigned(hook: ReceivedHook, secret: string): Promise<boolean>
  /** The event, by a header; `unsigned` ones are answered without a look at the body. */
  event(headers: IncomingHttpHeaders): HookEvent
  /** True of an event that the host sends without a signature, and that has no effect. */
  isUnsignedPing?(headers: IncomingHttpHeaders): boolean
  /** URLs and full names of the repository in a body. */
  places(payload: Readonly<Record<string, unknown>>): readonly unknown[]
  /** The header that names one sending, for the log. */
  readonly delivery: string
}
