import { type KeyObject, sign, verify } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { type Certificate, decodeCertificate } from './certificate.ts'

/** A text with the certificate of its signer. The certificate has not been checked for trust. */
export interface SignedStatement {
  readonly text: string
  readonly certificate: Certificate
}

/** Key and certificate of a signer. */
export interface StatementSigner {
  readonly key: KeyObject
  readonly certificate: Pick<Certificate, 'der'>
}

const issues = defineIssues({
  STATEMENT_MALFORMED: { text: (a: { why: string }) => `The signature is malformed: ${a.why}` },
  STATEMENT_FORGED: { text: (_: object) => 'The signature was not made with the key of the certificate' },
})

const most = budgets.node.signature.bound
const curve = 'prime256v1'
const dsaEncoding = 'ieee-p1363'

/**
 * Returns a function that signs texts of one kind as JSON Web Signatures in compact form (RFC 7515), with ES256 and the
 * signer's certificate (`x5c`). The kind (`typ`) is part of the signed data, so that a text cannot be presented as
 * another kind.
 */
export function createStatementWriter(type: string, { key, certificate }: StatementSigner): (text: string) => string {
  const x5c = [certificate.der.toString('base64')]
  const header = encodeBase64url(JSON.stringify({ alg: 'ES256', typ: type, x5c }))
  return (text) => {
    const signed = `${header}.${encodeBase64url(text)}`
    return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding }).toString('base64url')}`
  }
}

/**
 * Verifies a statement of this kind from an untrusted source. Accepts only one algorithm and one encoding. Throws
 * STATEMENT_MALFORMED, STATEMENT_FORGED.
 */
export function verifyStatement(type: string, text: string): SignedStatement {
  if (text.length > most) throwMalformed(`it is longer than ${most} characters`)
  const [header = '', content = '', signature = '', ...more] = text.split('.')
  if (more.length > 0 || signature === '') throwMalformed('it does not have three parts')
  const certificate = readCertificate(decodeBase64url(header).toString('utf8'), type)
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = certificate.publicKey
  if (kind !== 'ec' || details?.namedCurve !== curve) throwMalformed('the key is not on the curve P-256')
  const bytes = decodeBase64url(content)
  const key = { key: certificate.publicKey, dsaEncoding } as const
  if (!verify('sha256', Buffer.from(`${header}.${content}`), key, decodeBase64url(signature)))
    throwIssue(issues.STATEMENT_FORGED, {})
  return { text: bytes.toString('utf8'), certificate }
}

function readCertificate(header: string, type: string): Certificate {
  const { alg, typ, x5c, ...more } = parseHeader(header)
  if (alg !== 'ES256') throwMalformed('the algorithm is not ES256')
  if (typ !== type) throwMalformed(`its type is not ${type}`)
  const [der, ...above] = Array.isArray(x5c) ? (x5c as readonly unknown[]) : []
  if (typeof der !== 'string' || above.length > 0 || Object.keys(more).length > 0) throwMalformed('its header')
  return decodeCertificate(Buffer.from(der, 'base64'))
}

function parseHeader(text: string): Record<string, unknown> {
  try {
    return checkJsonObject(JSON.parse(text), 'its header')
  } catch (error) {
    return throwMalformed(formatErrorReason(error))
  }
}

function encodeBase64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function decodeBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throwMalformed('it is not encoded in base64url')
  return bytes
}

function throwMalformed(why: string): never {
  return throwIssue(issues.STATEMENT_MALFORMED, { why })
}
