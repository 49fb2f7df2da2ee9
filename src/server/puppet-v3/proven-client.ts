import type { FastifyRequest } from 'fastify'
import { isHandedOn } from '../termini/remote-server.ts'

/** The proof that a client's certificate is of the node that is asked about, for `$trusted`. */
export interface ProvenClient {
  readonly authenticated: 'remote' | false
  readonly extensions: Readonly<Record<string, string>>
}

/**
 * The proof of a request. A server that hands on what a node asked of it proves nothing of that node: its own extensions
 * would give every node that it speaks for what the code gives the server.
 */
export function provenClient({ call, headers }: FastifyRequest): ProvenClient {
  const { certname, extensions } = call.client
  if (certname === undefined || isHandedOn(headers.via)) return { authenticated: false, extensions: {} }
  return { authenticated: 'remote', extensions }
}
