import type { FastifyRequest } from 'fastify'
import type { Certificate } from '../../x509/certificate.ts'
import { extensionText } from '../../x509/extensions.ts'
import { isWithin, puppetArcs, puppetNameOf } from '../../x509/oids.ts'
import { nameOn } from './certificate-name.ts'
import { type Client, stranger } from './client.ts'
import { peerOf } from './peer.ts'
import type { Trust } from './trust.ts'

/**
 * Who the client is by the certificate of its connection. Whether that is still trusted is asked for each request, since
 * a connection may outlive it. A certificate that does not count makes a stranger, who is then authorized as one.
 */
export async function clientByCertificate(request: FastifyRequest, trust: Trust): Promise<Client> {
  const { ip: address } = request
  const shown = peerOf(request.socket)
  if (shown === undefined || typeof shown === 'string') return stranger(address, shown)
  const { certname, refused } = nameOn(shown)
  if (certname === undefined) return stranger(address, refused)
  const verdict = await trust.verdictOn(shown)
  if (verdict !== 'trusted') return { ...stranger(address, verdict.refused), unchecked: verdict.unchecked }
  return { ...stranger(address), certname, extensions: puppetExtensions(shown) }
}

/** The verified certificate of a connection, DER; `undefined` without one. */
export function clientCertificateDer(request: FastifyRequest): Buffer | undefined {
  const shown = peerOf(request.socket)
  return request.call.client.certname === undefined || typeof shown !== 'object' ? undefined : shown.der
}

/** Puppet's own extensions, by their short names where they have one. */
export function puppetExtensions({ extensions }: Certificate): Readonly<Record<string, string>> {
  const arcs = Object.values(puppetArcs)
  const own = extensions.filter(({ oid }) => arcs.some((arc) => isWithin(oid, arc)))
  return Object.fromEntries(own.map((extension) => [puppetNameOf(extension.oid), extensionText(extension)]))
}
