import { createPublicKey, type KeyObject } from 'node:crypto'
import { defineIssues, fail } from '../../base/issue.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import {
  bytesOf,
  childrenOf,
  contextTag,
  type Der,
  derIssues,
  element,
  expectTag,
  integer,
  oid,
  oidOf,
  sequence,
  sequenceOf,
  set,
  tags,
  textOf,
} from './der.ts'
import { type Extension, extensionDer, parseExtension, subjectAltNames } from './extensions.ts'
import { publicKeyDer } from './keys.ts'
import { commonNameOf, type Name, nameOf, parseName } from './name.ts'
import { oids } from './oids.ts'
import { pemBlocks, toPem } from './pem.ts'
import { isSignedBy, parseSigned, type Signed, signDer } from './signed.ts'

/** A certificate request (PKCS#10). */
export interface CertificateRequest extends Signed {
  readonly subject: Name
  readonly commonName: string | undefined
  readonly publicKey: KeyObject
  /** The requested extensions. */
  readonly extensions: readonly Extension[]
  /** Names in the extension `subjectAltName`, in the format of `subjectAltNames`. */
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
export const requestIssues = defineIssues({
  REQUEST_UNREADABLE: { text: (a: { why: string }) => `Could not read the certificate request: ${a.why}` },
  NO_REQUEST_BLOCK: { text: (_: object) => 'no PEM block of a certificate request' },
})

/** Returns the PEM text of a new request, signed with its key. */
export function buildRequest({ commonName, extensions = [], attributes = [] }: RequestContent, key: KeyObject): string {
  const asked =
    extensions.length > 0 ? [attribute(oids.extensionRequest, sequence(...extensions.map(extensionDer)))] : []
  const content = sequence(
    integer(0),
    nameOf(commonName).der,
    publicKeyDer(key),
    element(contextTag(0), ...attributes.map(([id, value]) => attribute(id, value)), ...asked),
  )
  return requestPem(signDer(content, key))
}

/** Returns the PEM text of a certificate request. */
export function requestPem({ der }: Pick<CertificateRequest, 'der'>): string {
  return toPem('CERTIFICATE REQUEST', der)
}

/** Parses a PEM text completely, so that reading a field later cannot fail. Throws REQUEST_UNREADABLE. */
export function parseRequest(pem: string): CertificateRequest {
  try {
    const block = pemBlocks(pem).find(({ label }) => /^(NEW )?CERTIFICATE REQUEST$/.test(label))
    return requestOf(block?.der ?? fail(requestIssues.NO_REQUEST_BLOCK, {}))
  } catch (error) {
    const why = reasonText(error)
    return fail(requestIssues.REQUEST_UNREADABLE, { why })
  }
}

/** Returns true if the request is signed with its own key, which proves that the requester has the private key. */
export function isProven(request: CertificateRequest): boolean {
  return isSignedBy(request, request.publicKey)
}

function requestOf(der: Buffer): CertificateRequest {
  const { signed, fields } = parseSigned(der)
  const [, subjectDer, publicKey, attributesDer] = fields
  const spki = bytesOf(expectTag(publicKey, tags.sequence, 'public key'))
  const subject = parseName(subjectDer)
  const attributes = attributesDer ? childrenOf(attributesDer).map(parseAttribute) : []
  const extensions = attributes
    .filter(([id]) => id === oids.extensionRequest || id === oids.microsoftExtensionRequest)
    .flatMap(([, value]) => sequenceOf(value, 'requested extensions').map(parseExtension))
  if (new Set(extensions.map((each) => each.oid)).size < extensions.length)
    fail(derIssues.DER_MALFORMED, { why: 'an extension that is asked for twice' })
  return {
    ...signed,
    subject,
    commonName: commonNameOf(subject),
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
    extensions,
    altNames: subjectAltNames(extensions),
    attributes: attributes.flatMap(([id, value]) => {
      const text = value && textOf(value)
      return text === undefined ? [] : [[id, text] as const]
    }),
  }
}

function attribute(id: string, value: Buffer): Buffer {
  return sequence(oid(id), set(value))
}

function parseAttribute(der: Der): [string, Der | undefined] {
  const [id, values] = sequenceOf(der, 'attribute of a request')
  return [oidOf(id), values && childrenOf(values)[0]]
}
