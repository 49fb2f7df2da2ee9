import type { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { type Certificate, certificateOf } from '../../x509/certificate.ts'
import { extensionText } from '../../x509/extensions.ts'
import { commonNameOf } from '../../x509/name.ts'
import { isWithin, puppetArcs, puppetNameOf } from '../../x509/oids.ts'
import { type Client, stranger } from './client.ts'

/** Whether a certificate was revoked. */
export interface Revocations {
  isRevoked(certificate: Certificate): Promise<boolean>
}

/** A certificate's bytes are read once for each connection. */
const read = new WeakMap<TLSSocket, Certificate | string>()

/**
 * Who the client is by the certificate of its connection. Revocation is asked anew for each request, since a connection
 * may outlive it. A certificate that does not count makes a stranger, who is then authorized as one.
 */
export async function clientByCertificate(request: FastifyRequest, revocations: Revocations): Promise<Client> {
  const shown = certificateOn(request.socket as TLSSocket)
  if (shown === undefined || typeof shown === 'string') return stranger(request.ip, shown)
  const now = Date.now()
  if (shown.notAfter.getTime() < now) return stranger(request.ip, 'the certificate has expired')
  if (await revocations.isRevoked(shown)) return stranger(request.ip, 'the certificate is revoked')
  const certname = commonNameOf(shown.subject)
  if (certname === undefined) return stranger(request.ip, 'the certificate has no common name')
  return { certname, extensions: puppetExtensions(shown), address: request.ip, refused: undefined }
}

/** The verified certificate of a connection, DER; `undefined` without one. */
export function clientCertificateDer(request: FastifyRequest): Buffer | undefined {
  const shown = certificateOn(request.socket as TLSSocket)
  return request.call.client.certname === undefined || typeof shown !== 'object' ? undefined : shown.der
}

/** What was shown; a text says why it does not count; nothing where nothing was shown. */
function certificateOn(socket: TLSSocket): Certificate | string | undefined {
  const known = read.get(socket)
  if (known !== undefined) return known
  const der = socket.getPeerCertificate?.()?.raw
  if (der === undefined) return undefined
  const shown = socket.authorized ? parsed(der) : `the certificate is not trusted: ${socket.authorizationError}`
  read.set(socket, shown)
  return shown
}

function parsed(der: Buffer): Certificate | string {
  try {
    return certificateOf(der)
  } catch (error) {
    return (error as Error).message
  }
}

/** Puppet's own extensions, by their short names where they have one. */
export function puppetExtensions({ extensions }: Certificate): Readonly<Record<string, string>> {
  const arcs = Object.values(puppetArcs)
  const own = extensions.filter(({ oid }) => arcs.some((arc) => isWithin(oid, arc)))
  return Object.fromEntries(own.map((extension) => [puppetNameOf(extension.oid), extensionText(extension)]))
}
