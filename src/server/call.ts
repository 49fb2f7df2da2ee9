import type {} from 'fastify'
import type { Client } from './auth/client.ts'
import type { Parameters } from './parameters.ts'

/** What every handler may know of a request, checked and decoded: it is set before anything else runs. */
export interface Call {
  /** Percent-decoded, no `.` or `..`, no doubled slashes. */
  readonly path: string
  readonly query: Parameters
  readonly client: Client
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
}

/** What stands after a route's prefix: the key of an indirected request. */
export function keyAfter(call: Call, prefix: string): string {
  return call.path.slice(prefix.length)
}
