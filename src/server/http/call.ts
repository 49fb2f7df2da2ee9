import type {} from 'fastify'
import type { Client } from './client.ts'
import type { Parameters } from './parameters.ts'

/** The checked and decoded parts of a request, for every handler: set before anything else runs. */
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

/** The rest of the path after a route's prefix: the key of an indirected request. */
export function keyAfter(call: Call, prefix: string): string {
  return call.path.slice(prefix.length)
}
