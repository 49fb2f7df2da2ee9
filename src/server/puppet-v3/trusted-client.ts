import type { FastifyRequest } from 'fastify'
import { isForwarded } from '../termini/remote-server.ts'

/** Data for `$trusted` that the client's certificate proves. */
export interface ProvenClient {
  readonly authenticated: 'remote' | false
  readonly extensions: Readonly<Record<string, string>>
}

/**
 * The trusted data of a request. A request forwarded by another server contains no trusted data: its certificate is
 * the other server's, and every node behind that server would get the server's extensions.
 */
export function getProvenClient({ call, headers }: FastifyRequest): ProvenClient {
  const { certname, extensions } = call.client
  if (certname === undefined || isForwarded(headers.via)) return { authenticated: false, extensions: {} }
  return { authenticated: 'remote', extensions }
}
