import { buildCertificate, type Certificate } from './x509/certificate.ts'
import { createDistinguishedName } from './x509/distinguished-name.ts'
import {
  buildAuthorityKeyIdentifier,
  buildBasicConstraints,
  buildExtendedKeyUsage,
  buildKeyUsage,
  buildNetscapeComment,
  buildSubjectAltName,
  buildSubjectKeyIdentifier,
  type Extension,
  findSubjectKeyIdentifier,
} from './x509/extensions.ts'
import { computeKeyIdentifier, toPublicKeyDer } from './x509/keys.ts'
import { oids } from './x509/oids.ts'
import type { ListIssuer } from './x509/revocation-list.ts'
import type { Signer } from './x509/signature.ts'

const comment = buildNetscapeComment('Puppet Server Internal Certificate')
const day = 86_400_000
const hostUses = [
  buildExtendedKeyUsage(oids.serverAuth, oids.clientAuth),
  buildKeyUsage('digitalSignature', 'keyEncipherment'),
] as const

/** A CA certificate with its key. */
export interface Issuer {
  readonly certificate: Certificate
  readonly signer: Signer
}

/** Key, names, extensions and lifetime of a host certificate. */
export interface HostContent {
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Buffer
  /** `DNS:name` or `IP:address`; the certname is added. */
  readonly altNames: readonly string[]
  /** Extensions with Puppet's OIDs, from the request. */
  readonly extensions: readonly Extension[]
  /** The only extended key usage of a signer certificate; `undefined` for hosts. */
  readonly soleUse?: string | undefined
  /** Lifetime in seconds. */
  readonly ttl: number
}

/** The contents that differ between host certificates. */
export interface HostCertificate extends HostContent {
  readonly name: string
  readonly serial: bigint
  readonly now: Date
}

/** Returns a self-signed root certificate. */
export function createAuthorityCertificate(name: string, signer: Signer, ttl: number, now: Date): Promise<Certificate> {
  const spki = toPublicKeyDer(signer.publicKey)
  const id = computeKeyIdentifier(spki)
  return buildCertificate(
    {
      serial: 1n,
      issuer: createDistinguishedName(name),
      subject: createDistinguishedName(name),
      ...computeValidity(ttl, now),
      spki,
      extensions: [
        comment,
        buildBasicConstraints(true),
        buildKeyUsage('keyCertSign', 'cRLSign'),
        buildSubjectKeyIdentifier(id),
        buildAuthorityKeyIdentifier(id, { name: createDistinguishedName(name), serial: 1n }),
      ],
    },
    signer,
  )
}

/**
 * Returns the root certificate with another validity period. The serial stays the same: certificates identify their
 * issuer by name, key and serial, and would not match an issuer with another serial.
 */
export function renewAuthorityCertificate(
  { certificate, signer }: Issuer,
  ttl: number,
  now: Date,
): Promise<Certificate> {
  const { serial, issuer, subject, spki, extensions } = certificate
  return buildCertificate({ serial, issuer, subject, ...computeValidity(ttl, now), spki, extensions }, signer)
}

/** Returns a host certificate with Puppet's profile (protocol.md 12), or a signer certificate with a sole use. */
export function createHostCertificate(host: HostCertificate, { certificate, signer }: Issuer): Promise<Certificate> {
  const own = `DNS:${host.name}`
  const others = host.altNames.filter((name) => name !== own)
  return buildCertificate(
    {
      serial: host.serial,
      issuer: certificate.subject,
      subject: createDistinguishedName(host.name),
      ...computeValidity(host.ttl, host.now),
      spki: host.spki,
      extensions: [
        comment,
        buildAuthorityKeyIdentifier(getAuthorityKeyId(certificate), {
          name: certificate.issuer,
          serial: certificate.serial,
        }),
        buildBasicConstraints(false),
        ...(host.soleUse === undefined
          ? hostUses
          : [buildExtendedKeyUsage(host.soleUse), buildKeyUsage('digitalSignature')]),
        buildSubjectKeyIdentifier(computeKeyIdentifier(host.spki)),
        ...(host.soleUse === undefined ? [buildSubjectAltName([own, ...others])] : []),
        ...host.extensions,
      ],
    },
    signer,
  )
}

/** Returns the name, key and key identifier with which the CA issues revocation lists. */
export function toListIssuer({ certificate, signer }: Issuer): ListIssuer {
  return { name: certificate.subject, signer, keyIdentifier: getAuthorityKeyId(certificate) }
}

function getAuthorityKeyId({ extensions, spki }: Certificate): Buffer {
  return findSubjectKeyIdentifier(extensions) ?? computeKeyIdentifier(spki)
}

/** Returns a validity period that begins a day ago, for machines whose clocks are slow. */
function computeValidity(ttl: number, now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + ttl * 1000) }
}
