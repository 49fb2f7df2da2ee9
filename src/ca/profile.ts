import type { KeyObject } from 'node:crypto'
import { buildCertificate, type Certificate } from './x509/certificate.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  type Extension,
  extendedKeyUsage,
  keyUsage,
  netscapeComment,
  subjectAltName,
  subjectKeyIdentifier,
  subjectKeyIdentifierOf,
} from './x509/extensions.ts'
import { keyIdentifier, publicKeyDer } from './x509/keys.ts'
import { nameOf } from './x509/name.ts'
import { oids } from './x509/oids.ts'
import type { ListIssuer } from './x509/revocation-list.ts'

const comment = netscapeComment('Puppet Server Internal Certificate')
const day = 86_400_000
const hostUses = [
  extendedKeyUsage(oids.serverAuth, oids.clientAuth),
  keyUsage('digitalSignature', 'keyEncipherment'),
] as const

/** A CA certificate with its key. */
export interface Issuer {
  readonly certificate: Certificate
  readonly key: KeyObject
}

/** The contents that differ between host certificates. */
export interface HostCertificate {
  readonly name: string
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Buffer
  readonly serial: bigint
  /** `DNS:name` or `IP:address`; the certname is added. */
  readonly altNames: readonly string[]
  /** Extensions with Puppet's OIDs, from the request. */
  readonly extensions: readonly Extension[]
  /** The only extended key usage of a signer certificate; `undefined` for hosts. */
  readonly soleUse?: string | undefined
  /** Lifetime in seconds. */
  readonly ttl: number
  readonly now: Date
}

/** Returns a self-signed root certificate. */
export function authorityCertificate(name: string, key: KeyObject, ttl: number, now: Date): Certificate {
  const spki = publicKeyDer(key)
  const id = keyIdentifier(spki)
  return buildCertificate(
    {
      serial: 1n,
      issuer: nameOf(name),
      subject: nameOf(name),
      ...validity(ttl, now),
      spki,
      extensions: [
        comment,
        basicConstraints(true),
        keyUsage('keyCertSign', 'cRLSign'),
        subjectKeyIdentifier(id),
        authorityKeyIdentifier(id, { name: nameOf(name), serial: 1n }),
      ],
    },
    key,
  )
}

/**
 * Returns the root certificate with another validity period. The serial stays the same: certificates identify their
 * issuer by name, key and serial, and would not match an issuer with another serial.
 */
export function renewedAuthority(old: Certificate, key: KeyObject, ttl: number, now: Date): Certificate {
  const { serial, issuer, subject, spki, extensions } = old
  return buildCertificate({ serial, issuer, subject, ...validity(ttl, now), spki, extensions }, key)
}

/** Returns a host certificate with Puppet's profile (protocol.md 12), or a signer certificate with a sole use. */
export function hostCertificate(host: HostCertificate, { certificate, key }: Issuer): Certificate {
  const own = `DNS:${host.name}`
  const others = host.altNames.filter((name) => name !== own)
  return buildCertificate(
    {
      serial: host.serial,
      issuer: certificate.subject,
      subject: nameOf(host.name),
      ...validity(host.ttl, host.now),
      spki: host.spki,
      extensions: [
        comment,
        authorityKeyIdentifier(authorityId(certificate), { name: certificate.issuer, serial: certificate.serial }),
        basicConstraints(false),
        ...(host.soleUse === undefined ? hostUses : [extendedKeyUsage(host.soleUse), keyUsage('digitalSignature')]),
        subjectKeyIdentifier(keyIdentifier(host.spki)),
        ...(host.soleUse === undefined ? [subjectAltName([own, ...others])] : []),
        ...host.extensions,
      ],
    },
    key,
  )
}

/** Returns the CA in the form in which it issues revocation lists. */
export function listIssuer({ certificate, key }: Issuer): ListIssuer {
  return { name: certificate.subject, key, keyIdentifier: authorityId(certificate) }
}

function authorityId({ extensions, spki }: Certificate): Buffer {
  return subjectKeyIdentifierOf(extensions) ?? keyIdentifier(spki)
}

/** Returns a validity period that begins a day ago, for machines whose clocks are slow. */
function validity(ttl: number, now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + ttl * 1000) }
}
