import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { isForwarded } from '../termini/remote-server.ts'
import { limitBodies } from './bodies.ts'
import { createRequestEndpoints } from './certificate-requests.ts'
import { createStatusEndpoints } from './certificate-statuses.ts'
import type { CertificateTermini } from './certificate-termini.ts'
import { createCertificateEndpoints, createRenewalEndpoints } from './certificates.ts'
import { sendPlainText, setAuthorityErrorHandler } from './errors.ts'
import { createCrlEndpoints } from './revocation-lists.ts'
import { createSigningEndpoints } from './signing.ts'

/** Options of `/puppet-ca/v1`. */
export interface CaV1Options {
  /** This server's authority; undefined if requests are only forwarded. */
  readonly ca?: CertificateAuthority | undefined
  /** Indirections for certificates, signing requests and revocation lists. */
  readonly termini: CertificateTermini
  /** DER of the client's verified certificate; `undefined` without one. */
  clientCertificate(request: FastifyRequest): Buffer | undefined
}

/** Endpoints that need a local authority. */
export type Endpoints = (
  options: Pick<CaV1Options, 'clientCertificate'> & { readonly ca: CertificateAuthority },
) => FastifyPluginAsync

/** Endpoints that use the configured termini. */
export type RoutedEndpoints = (termini: CertificateTermini) => FastifyPluginAsync

const ofAuthority: readonly Endpoints[] = [createRenewalEndpoints, createStatusEndpoints, createSigningEndpoints]
const routed: readonly RoutedEndpoints[] = [createCertificateEndpoints, createRequestEndpoints, createCrlEndpoints]
const prefix = '/puppet-ca/v1'

/** `/puppet-ca/v1`: the authority over HTTP (protocol.md 12). Requests are already authorized. */
export function createCaV1Plugin({ ca, clientCertificate, termini }: CaV1Options): FastifyPluginAsync {
  return async (server) => {
    limitBodies(server)
    setAuthorityErrorHandler(server)
    if (termini.asksOthers) refuseForwardedRequests(server)
    for (const family of routed) await server.register(family(termini), { prefix })
    if (!ca) return
    finishPendingRequests(server, ca)
    for (const family of ofAuthority) await server.register(family({ ca, clientCertificate }), { prefix })
  }
}

/** Refuses forwarded requests: two servers that use each other as the authority would loop. */
function refuseForwardedRequests(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (isForwarded(request.headers.via))
      return sendPlainText(reply, 508, 'This server is not a CA. Send the request to its CA server')
  })
}

/**
 * Finishes requests left by the previous process, concurrently with new ones, until the server
 * closes.
 */
function finishPendingRequests(server: FastifyInstance, ca: CertificateAuthority): void {
  const ending = new AbortController()
  server.addHook('onListen', async () => {
    ca.resume((message) => server.log.warn(message), ending.signal).catch((error: unknown) =>
      server.log.error({ err: error }, 'Could not finish the unfinished CA operations of the last process'),
    )
  })
  server.addHook('onClose', async () => ending.abort())
}
