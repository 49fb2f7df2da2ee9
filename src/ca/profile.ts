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

/** An authority's certificate with its key. */
export interface Issuer {
  readonly certificate: Certificate
  readonly key: KeyObject
}

/** The parts of a host's certificate that differ from another's. */
export interface HostCertificate {
  readonly name: string
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Buffer
  readonly serial: bigint
  /** As `DNS:name` or `IP:address`; the name itself is added. */
  readonly altNames: readonly string[]
  /** Extensions below Puppet's arc, as the request has them. */
  readonly extensions: readonly Extension[]
  /** The use of a key that is no host's: it is good for nothing else. */
  readonly soleUse?: string | undefined
  /** Seconds. */
  readonly ttl: number
  readonly now: Date
}

/** A root's certificate, signed by itself. */
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
 * A root's certificate for another span of time. Its serial stays as well: certificates name their issuer by name, key and
 * serial, and an issuer that differs in one of them would be another.
 */
export function renewedAuthority(old: Certificate, key: KeyObject, ttl: number, now: Date): Certificate {
  const { serial, issuer, subject, spki, extensions } = old
  return buildCertificate({ serial, issuer, subject, ...validity(ttl, now), spki, extensions }, key)
}

/** A host's certificate, with Puppet's profile (protocol.md 12); with a sole use, one that is good for that alone. */
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

/** Who signs the revocation list. */
export function listIssuer({ certificate, key }: Issuer): ListIssuer {
  return { name: certificate.subject, key, keyIdentifier: authorityId(certificate) }
}

function authorityId({ extensions, spki }: Certificate): Buffer {
  return subjectKeyIdentifierOf(extensions) ?? keyIdentifier(spki)
}

/** From a day ago, for clocks that are behind. */
function validity(ttl: number, now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + ttl * 1000) }
}
