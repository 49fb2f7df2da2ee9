import { createPublicKey, type KeyObject } from 'node:crypto'
import { defineIssues, fail } from '../../base/issue.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import {
  bytesOf,
  childrenOf,
  contextTag,
  type Der,
  dateOf,
  element,
  expectTag,
  integer,
  integerOf,
  sequence,
  sequenceOf,
  tagOf,
  tags,
  time,
} from './der.ts'
import { type Extension, extensionDer, parseExtension } from './extensions.ts'
import { type Name, parseName } from './name.ts'
import { pemBlocks, toPem } from './pem.ts'
import { parseSigned, type Signed, signatureAlgorithm, signDer } from './signed.ts'

/** A certificate (X.509 v3). */
export interface Certificate extends Signed {
  readonly serial: bigint
  readonly issuer: Name
  readonly subject: Name
  readonly notBefore: Date
  readonly notAfter: Date
  readonly publicKey: KeyObject
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Buffer
  readonly extensions: readonly Extension[]
}

/** Contents of a new certificate. */
export interface CertificateContent {
  readonly serial: bigint
  readonly issuer: Name
  readonly subject: Name
  readonly notBefore: Date
  readonly notAfter: Date
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Buffer
  readonly extensions: readonly Extension[]
}

const issues = defineIssues({
  CERTIFICATE_UNREADABLE: { text: (a: { why: string }) => `Failed to parse certificate: ${a.why}` },
  CERTIFICATES_UNREADABLE: { text: (_: object) => 'Failed to parse CA certificates as PEM' },
})

/** Builds a certificate, signed with the issuer's key. */
export function buildCertificate(content: CertificateContent, issuerKey: KeyObject): Certificate {
  const der = sequence(
    element(contextTag(0), integer(2)),
    integer(content.serial),
    signatureAlgorithm(issuerKey),
    content.issuer.der,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject.der,
    content.spki,
    element(contextTag(3), sequence(...content.extensions.map(extensionDer))),
  )
  return certificateOf(signDer(der, issuerKey).der)
}

/** Returns the PEM text of a certificate. */
export function certificatePem({ der }: Pick<Certificate, 'der'>): string {
  return toPem('CERTIFICATE', der)
}

/** Parses the first certificate in a PEM text. Throws CERTIFICATE_UNREADABLE. */
export function parseCertificate(pem: string): Certificate {
  const block = pemBlocks(pem).find(({ label }) => label === 'CERTIFICATE')
  if (!block) fail(issues.CERTIFICATE_UNREADABLE, { why: 'no PEM block of a certificate' })
  return certificateOf(block.der)
}

/** Parses all certificates of a PEM bundle. Throws if there are none. */
export function parseCertificates(pem: string): Certificate[] {
  const blocks = pemBlocks(pem).filter(({ label }) => label === 'CERTIFICATE')
  if (blocks.length === 0) fail(issues.CERTIFICATES_UNREADABLE, {})
  return blocks.map(({ der }) => certificateOf(der))
}

/** Parses a certificate in DER. Throws CERTIFICATE_UNREADABLE. */
export function certificateOf(der: Buffer): Certificate {
  try {
    return readCertificate(der)
  } catch (error) {
    const why = reasonText(error)
    return fail(issues.CERTIFICATE_UNREADABLE, { why })
  }
}

function readCertificate(der: Buffer): Certificate {
  const { signed, fields } = parseSigned(der)
  const [serial, , issuer, validity, subject, publicKey, ...rest] = isVersion(fields[0]) ? fields.slice(1) : fields
  const [notBefore, notAfter] = sequenceOf(validity, 'validity')
  const spki = bytesOf(expectTag(publicKey, tags.sequence, 'public key'))
  const extensions = rest.find((field) => tagOf(field) === contextTag(3))
  return {
    ...signed,
    serial: integerOf(serial!),
    issuer: parseName(issuer),
    subject: parseName(subject),
    notBefore: dateOf(notBefore!),
    notAfter: dateOf(notAfter!),
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
    spki,
    extensions: extensions ? sequenceOf(childrenOf(extensions)[0], 'extensions').map(parseExtension) : [],
  }
}

/** Returns true if the field is the version, which is missing only in certificates of version 1. */
function isVersion(field: Der | undefined): boolean {
  return field !== undefined && tagOf(field) === contextTag(0)
}
