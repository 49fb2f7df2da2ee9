import type { FastifyRequest } from 'fastify'
import { isHandedOn } from '../termini/remote-server.ts'

/** Trusted data for `$trusted`, proven by the client's certificate. */
export interface ProvenClient {
  readonly authenticated: 'remote' | false
  readonly extensions: Readonly<Record<string, string>>
}

/**
 * The trusted data of a request. A forwarded request proves nothing about the node: with the
 * forwarding server's own extensions, every node behind it would receive that server's data.
 */
export function provenClient({ call, headers }: FastifyRequest): ProvenClient {
  const { certname, extensions } = call.client
  if (certname === undefined || isHandedOn(headers.via)) return { authenticated: false, extensions: {} }
  return { authenticated: 'remote', extensions }
}
