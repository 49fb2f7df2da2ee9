import { createPublicKey, type KeyObject } from 'node:crypto'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import {
  type Der,
  decodeOid,
  decodeText,
  derIssues,
  encodeElement,
  encodeInteger,
  encodeOid,
  encodeSequence,
  encodeSet,
  expectTag,
  getContextTag,
  getDerChildren,
  readSequence,
  tags,
  toDerBytes,
} from './der.ts'
import {
  createDistinguishedName,
  type DistinguishedName,
  decodeDistinguishedName,
  findCommonName,
} from './distinguished-name.ts'
import { type Extension, encodeExtension, listSubjectAltNames, parseExtension } from './extensions.ts'
import { toPublicKeyDer } from './keys.ts'
import { oids } from './oids.ts'
import { parsePemBlocks, toPem } from './pem.ts'
import { isSignedBy, parseSigned, type SignedData, signDer } from './signature.ts'

/** A certificate request (PKCS#10). */
export interface CertificateRequest extends SignedData {
  readonly subject: DistinguishedName
  readonly commonName: string | undefined
  readonly publicKey: KeyObject
  /** The requested extensions. */
  readonly extensions: readonly Extension[]
  /** Names in the extension `subjectAltName`, in the format of `listSubjectAltNames`. */
  readonly altNames: readonly string[]
  /** Text attributes by object identifier: the challenge password, and custom attributes. */
  readonly attributes: readonly (readonly [oid: string, value: string])[]
}

/** Subject, key and extensions of a new request. */
export interface RequestContent {
  readonly commonName: string
  readonly extensions?: readonly Extension[]
  /** Values in DER. */
  readonly attributes?: readonly (readonly [oid: string, value: Buffer])[]
}

/** Errors in certificate requests. */
export const certificateRequestIssues = defineIssues({
  REQUEST_UNREADABLE: { text: (a: { why: string }) => `Could not read the certificate request: ${a.why}` },
  NO_REQUEST_BLOCK: { text: (_: object) => 'it contains no PEM certificate request' },
})

/** Returns the PEM text of a new request, signed with its key. */
export function buildCertificateRequest(
  { commonName, extensions = [], attributes = [] }: RequestContent,
  key: KeyObject,
): string {
  const asked =
    extensions.length > 0
      ? [encodeAttribute(oids.extensionRequest, encodeSequence(...extensions.map(encodeExtension)))]
      : []
  const content = encodeSequence(
    encodeInteger(0),
    createDistinguishedName(commonName).der,
    toPublicKeyDer(key),
    encodeElement(getContextTag(0), ...attributes.map(([id, value]) => encodeAttribute(id, value)), ...asked),
  )
  return toRequestPem(signDer(content, key))
}

/** Returns the PEM text of a certificate request. */
export function toRequestPem({ der }: Pick<CertificateRequest, 'der'>): string {
  return toPem('CERTIFICATE REQUEST', der)
}

/** Parses a PEM text completely, so that reading a field later cannot fail. Throws REQUEST_UNREADABLE. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  try {
    const block = parsePemBlocks(pem).find(({ label }) => /^(NEW )?CERTIFICATE REQUEST$/.test(label))
    return decodeRequest(block?.der ?? throwIssue(certificateRequestIssues.NO_REQUEST_BLOCK, {}))
  } catch (error) {
    const why = formatErrorReason(error)
    return throwIssue(certificateRequestIssues.REQUEST_UNREADABLE, { why })
  }
}

/** Returns true if the request is signed with its own key, which proves that the requester has the private key. */
export function hasProofOfPossession(request: CertificateRequest): boolean {
  return isSignedBy(request, request.publicKey)
}

function decodeRequest(der: Buffer): CertificateRequest {
  const { signed, fields } = parseSigned(der)
  const [, subjectDer, publicKey, attributesDer] = fields
  const spki = toDerBytes(expectTag(publicKey, tags.sequence, 'public key'))
  const subject = decodeDistinguishedName(subjectDer)
  const attributes = attributesDer ? getDerChildren(attributesDer).map(parseAttribute) : []
  const extensions = attributes
    .filter(([id]) => id === oids.extensionRequest || id === oids.microsoftExtensionRequest)
    .flatMap(([, value]) => readSequence(value, 'requested extensions').map(parseExtension))
  if (new Set(extensions.map((each) => each.oid)).size < extensions.length)
    throwIssue(derIssues.DER_MALFORMED, { why: 'an extension is requested twice' })
  return {
    ...signed,
    subject,
    commonName: findCommonName(subject),
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
    extensions,
    altNames: listSubjectAltNames(extensions),
    attributes: attributes.flatMap(([id, value]) => {
      const text = value && decodeText(value)
      return text === undefined ? [] : [[id, text] as const]
    }),
  }
}

function encodeAttribute(id: string, value: Buffer): Buffer {
  return encodeSequence(encodeOid(id), encodeSet(value))
}

function parseAttribute(der: Der): [string, Der | undefined] {
  const [id, values] = readSequence(der, 'request attribute')
  return [decodeOid(id), values && getDerChildren(values)[0]]
}
