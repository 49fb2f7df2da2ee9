import type {} from 'fastify'
import type { Client } from './client.ts'
import type { RequestParameters } from './parameters.ts'

/** Validated and decoded parts of a request. Set before any handler runs. */
export interface Call {
  /** Request path, percent-decoded, without `.`, `..` or repeated slashes. */
  readonly path: string
  readonly query: RequestParameters
  readonly client: Client
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
}

/** The rest of the path after a route's prefix: the key of an indirection request. */
export function getIndirectionKey(call: Call, prefix: string): string {
  return call.path.slice(prefix.length)
}
