import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { boundBodies } from './bodies.ts'
import { certificateRequests } from './certificate-requests.ts'
import { certificateStatuses } from './certificate-statuses.ts'
import { certificates } from './certificates.ts'
import { answerErrors } from './errors.ts'
import { revocationLists } from './revocation-lists.ts'
import { signing } from './signing.ts'

/** Options of `/puppet-ca/v1`. */
export interface CaV1Options {
  readonly ca: CertificateAuthority

  /** The client's verified certificate, DER; `undefined` for a client without. */
  clientCertificate(request: FastifyRequest): Buffer | undefined
}

/** A family of endpoints. */
export type Endpoints = (options: CaV1Options) => FastifyPluginAsync

const families: readonly Endpoints[] = [
  certificates,
  certificateRequests,
  certificateStatuses,
  revocationLists,
  signing,
]

/** `/puppet-ca/v1`: the authority over HTTP (protocol.md 12). Who may do what, the server has decided before. */
export function caV1(options: CaV1Options): FastifyPluginAsync {
  return async (server) => {
    boundBodies(server)
    answerErrors(server)
    finishRequests(server, options.ca)
    for (const family of families) await server.register(family(options), { prefix: '/puppet-ca/v1' })
  }
}

/** Finishes the last process's unfinished requests beside those that come in, until the server closes. */
function finishRequests(server: FastifyInstance, ca: CertificateAuthority): void {
  const ending = new AbortController()
  server.addHook('onListen', async () => {
    ca.resume((message) => server.log.warn(message), ending.signal).catch((error: unknown) =>
      server.log.error({ err: error }, 'Could not finish what the last process left undone'),
    )
  })
  server.addHook('onClose', async () => ending.abort())
}
