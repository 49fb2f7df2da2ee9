import { createPublicKey, type KeyObject } from 'node:crypto'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import {
  type Der,
  decodeInteger,
  decodeTime,
  encodeElement,
  encodeInteger,
  encodeSequence,
  encodeTime,
  expectTag,
  getContextTag,
  getDerChildren,
  getTag,
  readSequence,
  tags,
  toDerBytes,
} from './der.ts'
import { type DistinguishedName, decodeDistinguishedName } from './distinguished-name.ts'
import { type Extension, encodeExtension, parseExtension } from './extensions.ts'
import { parsePemBlocks, toPem } from './pem.ts'
import { encodeSignatureAlgorithm, parseSigned, type SignedData, type Signer, signDerWith } from './signature.ts'

/** A certificate (X.509 v3). */
export interface Certificate extends SignedData {
  readonly serial: bigint
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
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
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
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
export async function buildCertificate(content: CertificateContent, issuer: Signer): Promise<Certificate> {
  const der = encodeSequence(
    encodeElement(getContextTag(0), encodeInteger(2)),
    encodeInteger(content.serial),
    encodeSignatureAlgorithm(issuer.publicKey),
    content.issuer.der,
    encodeSequence(encodeTime(content.notBefore), encodeTime(content.notAfter)),
    content.subject.der,
    content.spki,
    encodeElement(getContextTag(3), encodeSequence(...content.extensions.map(encodeExtension))),
  )
  return decodeCertificate((await signDerWith(der, issuer)).der)
}

/** Returns the PEM text of a certificate. */
export function toCertificatePem({ der }: Pick<Certificate, 'der'>): string {
  return toPem('CERTIFICATE', der)
}

/** Parses the first certificate in a PEM text. Throws CERTIFICATE_UNREADABLE. */
export function parseCertificate(pem: string): Certificate {
  const block = parsePemBlocks(pem).find(({ label }) => label === 'CERTIFICATE')
  if (!block) throwIssue(issues.CERTIFICATE_UNREADABLE, { why: 'it contains no PEM certificate' })
  return decodeCertificate(block.der)
}

/** Parses all certificates of a PEM bundle. Throws if there are none. */
export function parseCertificates(pem: string): Certificate[] {
  const blocks = parsePemBlocks(pem).filter(({ label }) => label === 'CERTIFICATE')
  if (blocks.length === 0) throwIssue(issues.CERTIFICATES_UNREADABLE, {})
  return blocks.map(({ der }) => decodeCertificate(der))
}

/** Parses a certificate in DER. Throws CERTIFICATE_UNREADABLE. */
export function decodeCertificate(der: Buffer): Certificate {
  try {
    return readCertificate(der)
  } catch (error) {
    const why = formatErrorReason(error)
    return throwIssue(issues.CERTIFICATE_UNREADABLE, { why })
  }
}

function readCertificate(der: Buffer): Certificate {
  const { signed, fields } = parseSigned(der)
  const [serial, , issuer, validity, subject, publicKey, ...rest] = isVersionField(fields[0]) ? fields.slice(1) : fields
  const [notBefore, notAfter] = readSequence(validity, 'validity')
  const spki = toDerBytes(expectTag(publicKey, tags.sequence, 'public key'))
  const extensions = rest.find((field) => getTag(field) === getContextTag(3))
  return {
    ...signed,
    serial: decodeInteger(serial!),
    issuer: decodeDistinguishedName(issuer),
    subject: decodeDistinguishedName(subject),
    notBefore: decodeTime(notBefore!),
    notAfter: decodeTime(notAfter!),
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
    spki,
    extensions: extensions ? readSequence(getDerChildren(extensions)[0], 'extensions').map(parseExtension) : [],
  }
}

/** Returns true if the field is the version, which is missing only in certificates of version 1. */
function isVersionField(field: Der | undefined): boolean {
  return field !== undefined && getTag(field) === getContextTag(0)
}
