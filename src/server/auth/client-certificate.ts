import type { FastifyRequest } from 'fastify'
import type { Certificate } from '../../ca/x509/certificate.ts'
import { type AltNameKind, extensionString, extensionText, typedAltNames } from '../../ca/x509/extensions.ts'
import { isWithin, puppetArcs, puppetNameOf } from '../../ca/x509/oids.ts'
import { type AltNames, type Client, stranger } from '../http/client.ts'
import { nameOn } from './certificate-name.ts'
import { peerOf } from './peer.ts'
import type { Trust } from './trust.ts'

/**
 * Short names of extensions by object identifier, from `trusted_oid_mapping_file`, in addition to
 * Puppet's own.
 */
export type ExtensionNames = ReadonlyMap<string, string>

/**
 * Identifies the client by the certificate of its connection. Trust is checked for each request,
 * since a connection may outlive its certificate. A client with an invalid certificate is treated
 * as unauthenticated.
 */
export async function clientByCertificate(
  request: FastifyRequest,
  trust: Trust,
  names: ExtensionNames,
): Promise<Client> {
  const { ip: address } = request
  const shown = peerOf(request.socket)
  if (shown === undefined || typeof shown === 'string') return stranger(address, shown)
  const { certname, refused } = nameOn(shown)
  if (certname === undefined) return stranger(address, refused)
  const verdict = await trust.verdictOn(shown)
  if (verdict !== 'trusted') {
    const { refused: why, unchecked, revoked } = verdict
    return { ...stranger(address, why), unchecked, ...(revoked && { revoked: certname }) }
  }
  return { ...stranger(address), certname, ...certificateClaims(shown, names) }
}

/** DER of the connection's verified client certificate; `undefined` without one. */
export function clientCertificateDer(request: FastifyRequest): Buffer | undefined {
  const shown = peerOf(request.socket)
  return request.call.client.certname === undefined || typeof shown !== 'object' ? undefined : shown.der
}

/** Parts of a certificate, other than the common name, that authorization reads. */
export function certificateClaims(
  certificate: Certificate,
  names: ExtensionNames,
): Pick<Client, 'extensions' | 'extensionValues' | 'altNames'> {
  return {
    extensions: puppetExtensions(certificate, names),
    extensionValues: extensionValues(certificate, names),
    altNames: altNamesByKind(certificate),
  }
}

function extensionValues({ extensions }: Certificate, names: ExtensionNames): Client['extensionValues'] {
  const values = extensions.map((extension) => [extension.oid, extensionString(extension)] as const)
  const named = values
    .filter(([oid]) => isBelowPuppetArcs(oid))
    .map(([oid, value]) => [nameOfExtension(oid, names), value] as const)
  return new Map([...values, ...named])
}

function altNamesByKind({ extensions }: Certificate): AltNames {
  const names: Partial<Record<AltNameKind, string[]>> = {}
  for (const { kind, name } of typedAltNames(extensions)) {
    const known = names[kind]
    if (known) known.push(name)
    else names[kind] = [name]
  }
  return names
}

/**
 * Extensions below Puppet's OID arcs, by short name if they have one. Puppet: ssl/certificate.rb,
 * custom_extensions.
 */
export function puppetExtensions({ extensions }: Certificate, names: ExtensionNames): Readonly<Record<string, string>> {
  const own = extensions.filter(({ oid }) => isBelowPuppetArcs(oid))
  return Object.fromEntries(own.map((extension) => [nameOfExtension(extension.oid, names), extensionText(extension)]))
}

const arcs = Object.values(puppetArcs)
const isBelowPuppetArcs = (oid: string): boolean => arcs.some((arc) => isWithin(oid, arc))
const nameOfExtension = (oid: string, names: ExtensionNames): string => names.get(oid) ?? puppetNameOf(oid)
