import type { FastifyRequest } from 'fastify'
import type { Certificate } from '../../ca/x509/certificate.ts'
import { type AltNameKind, findExtensionString, getExtensionText, listTypedAltNames } from '../../ca/x509/extensions.ts'
import { getPuppetShortName, isPuppetOid } from '../../ca/x509/oids.ts'
import { type AltNames, type Client, createUnauthenticatedClient } from '../http/client.ts'
import { readCertificateName } from './certificate-name.ts'
import type { Trust } from './certificate-trust.ts'
import { getPeer } from './peer.ts'

/**
 * Short names of extensions by object identifier, from `trusted_oid_mapping_file`, in addition to
 * Puppet's own.
 */
export type ExtensionNames = ReadonlyMap<string, string>

/** The parts of a request that identify its client. They need less memory than the request. */
export interface ClientConnection extends Pick<FastifyRequest, 'ip' | 'socket'> {
  readonly raw: Pick<FastifyRequest['raw'], 'headersDistinct'>
}

/**
 * Identifies the client by the certificate of its connection. Trust is checked for each request,
 * since a connection may outlive its certificate. A client with an invalid certificate is treated
 * as unauthenticated.
 */
export async function identifyByCertificate(
  request: Pick<ClientConnection, 'ip' | 'socket'>,
  trust: Trust,
  names: ExtensionNames,
): Promise<Client> {
  const { ip: address } = request
  const shown = getPeer(request.socket)
  if (shown === undefined || typeof shown === 'string') return createUnauthenticatedClient(address, shown)
  const { certname, refused } = readCertificateName(shown)
  if (certname === undefined) return createUnauthenticatedClient(address, refused)
  const verdict = await trust.verdictOn(shown)
  if (verdict !== 'trusted') {
    const { refused: why, unchecked, revoked } = verdict
    return { ...createUnauthenticatedClient(address, why), unchecked, ...(revoked && { revoked: certname }) }
  }
  return { ...createUnauthenticatedClient(address), certname, ...getCertificateClaims(shown, names) }
}

/** DER of the connection's verified client certificate; `undefined` without one. */
export function getClientCertificateDer(request: FastifyRequest): Buffer | undefined {
  const shown = getPeer(request.socket)
  return request.call.client.certname === undefined || typeof shown !== 'object' ? undefined : shown.der
}

/** Parts of a certificate, other than the common name, that authorization reads. */
export function getCertificateClaims(
  certificate: Certificate,
  names: ExtensionNames,
): Pick<Client, 'extensions' | 'extensionValues' | 'altNames'> {
  return {
    extensions: listPuppetExtensions(certificate, names),
    extensionValues: getExtensionValues(certificate, names),
    altNames: groupAltNames(certificate),
  }
}

function getExtensionValues({ extensions }: Certificate, names: ExtensionNames): Client['extensionValues'] {
  const values = extensions.map((extension) => [extension.oid, findExtensionString(extension)] as const)
  const named = values
    .filter(([oid]) => isPuppetOid(oid))
    .map(([oid, value]) => [getExtensionName(oid, names), value] as const)
  return new Map([...values, ...named])
}

function groupAltNames({ extensions }: Certificate): AltNames {
  const names: Partial<Record<AltNameKind, string[]>> = {}
  for (const { kind, name } of listTypedAltNames(extensions)) {
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
export function listPuppetExtensions(
  { extensions }: Certificate,
  names: ExtensionNames,
): Readonly<Record<string, string>> {
  const own = extensions.filter(({ oid }) => isPuppetOid(oid))
  return Object.fromEntries(
    own.map((extension) => [getExtensionName(extension.oid, names), getExtensionText(extension)]),
  )
}

const getExtensionName = (oid: string, names: ExtensionNames): string => names.get(oid) ?? getPuppetShortName(oid)
