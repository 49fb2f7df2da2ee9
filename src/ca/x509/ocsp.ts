import { createHash, type KeyObject } from 'node:crypto'
import { defineIssues, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Certificate } from './certificate.ts'
import {
  type Der,
  decodeInteger,
  decodeOid,
  encodeElement,
  encodeGeneralizedTime,
  encodeOctetString,
  encodeOid,
  encodeSequence,
  expectTag,
  getContextTag,
  getDerChildren,
  getLeafContent,
  getTag,
  parseDer,
  readSequence,
  tags,
  toDerBytes,
} from './der.ts'
import { type Extension, encodeExtension, findExtension, parseExtension } from './extensions.ts'
import { computeKeyIdentifier } from './keys.ts'
import { oids } from './oids.ts'
import type { Revocation } from './revocation-list.ts'
import { encodeSignatureAlgorithm, signDer } from './signature.ts'

/** A query for the status of one certificate (RFC 6960, CertID). */
export interface OcspQuery {
  /** The original CertID, which the response repeats. */
  readonly der: Buffer
  /** Object identifier of the digest used for the issuer's name and key. */
  readonly algorithm: string
  readonly nameHash: Buffer
  readonly keyHash: Buffer
  readonly serial: bigint
}

/** Queries in one request. */
export interface OcspRequest {
  readonly questions: readonly OcspQuery[]
  /** Random bytes that the response repeats, to exclude replays (RFC 8954). */
  readonly nonce: Buffer | undefined
}

/** The status of a certificate. */
export type OcspStatus = 'good' | 'unknown' | Pick<Revocation, 'date' | 'reason'>

/** Statuses of the queried certificates, and the validity period of the response. */
export interface OcspAnswers {
  readonly answers: readonly { readonly question: OcspQuery; readonly status: OcspStatus }[]
  readonly nonce: Buffer | undefined
  readonly producedAt: Date
  readonly thisUpdate: Date
  readonly nextUpdate: Date
}

/** Status codes of error responses (RFC 6960, 4.2.1). */
export const ocspFailures = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const

const issues = defineIssues({
  OCSP_MALFORMED: { text: (_: object) => 'The OCSP request is malformed' },
})

/** Largest number of queries in one request. */
const maxQuestions = 16
/** Length of the largest nonce, in bytes (RFC 8954). */
const maxNonce = 32

/** Digests that may identify an issuer, by object identifier. */
const digests: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

/** Parses a request completely. Throws OCSP_MALFORMED. */
export function parseOcspRequest(der: Buffer): OcspRequest {
  try {
    return decodeRequest(parseDer(der))
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TypeError || error instanceof RangeError)
      return throwIssue(issues.OCSP_MALFORMED, {})
    throw error
  }
}

/** Returns true if the error was caused by a malformed request. */
export function isMalformedOcspError(error: unknown): boolean {
  return isIssue(error, issues.OCSP_MALFORMED)
}

/** Returns true if the query is for a certificate of this issuer. */
export function isIssuedBy({ algorithm, nameHash, keyHash }: OcspQuery, issuer: Certificate): boolean {
  const digest = digests.get(algorithm)
  if (digest === undefined) return false
  const computeHash = (bytes: Buffer) => createHash(digest).update(bytes).digest()
  return computeHash(issuer.subject.der).equals(nameHash) && computeHash(getKeyBits(issuer)).equals(keyHash)
}

/** Builds a response in DER, signed with `key`, including the certificate of the key. */
export function buildOcspResponse(given: OcspAnswers, key: KeyObject, certificate: Certificate): Buffer {
  const nonce: Extension[] =
    given.nonce === undefined ? [] : [{ oid: oids.ocspNonce, critical: false, value: encodeOctetString(given.nonce) }]
  const data = encodeSequence(
    encodeElement(getContextTag(2), encodeOctetString(computeKeyIdentifier(certificate.spki))),
    encodeGeneralizedTime(given.producedAt),
    encodeSequence(...given.answers.map((answer) => encodeAnswer(answer, given))),
    ...(nonce.length > 0 ? [encodeElement(getContextTag(1), encodeSequence(...nonce.map(encodeExtension)))] : []),
  )
  const { signature } = signDer(data, key)
  const basic = encodeSequence(
    ...[data, encodeSignatureAlgorithm(key), encodeElement(tags.bitString, Buffer.from([0]), signature)],
    encodeElement(getContextTag(0), encodeSequence(certificate.der)),
  )
  return encodeResponse(
    0,
    encodeElement(getContextTag(0), encodeSequence(encodeOid(oids.ocspBasic), encodeOctetString(basic))),
  )
}

/** Builds an error response in DER, which is not signed. */
export function buildOcspError(failure: keyof typeof ocspFailures): Buffer {
  return encodeResponse(ocspFailures[failure])
}

function encodeResponse(status: number, ...content: readonly Buffer[]): Buffer {
  return encodeSequence(encodeElement(tags.enumerated, Buffer.from([status])), ...content)
}

function encodeAnswer(
  { question, status }: OcspAnswers['answers'][number],
  { thisUpdate, nextUpdate }: OcspAnswers,
): Buffer {
  return encodeSequence(
    question.der,
    encodeStatus(status),
    encodeGeneralizedTime(thisUpdate),
    encodeElement(getContextTag(0), encodeGeneralizedTime(nextUpdate)),
  )
}

function encodeStatus(status: OcspStatus): Buffer {
  if (status === 'good') return encodeElement(getContextTag(0, 'primitive'))
  if (status === 'unknown') return encodeElement(getContextTag(2, 'primitive'))
  const { date, reason } = status
  const why =
    reason === undefined ? [] : [encodeElement(getContextTag(0), encodeElement(tags.enumerated, Buffer.from([reason])))]
  return encodeElement(getContextTag(1), encodeGeneralizedTime(date), ...why)
}

function decodeRequest(der: Der): OcspRequest {
  const [tbs] = readSequence(der, 'request')
  const fields = readSequence(tbs, 'request content')
  const list = fields.find((field) => getTag(field) === tags.sequence)
  const questions = readSequence(list, 'questions').map(decodeQuery)
  if (questions.length === 0 || questions.length > maxQuestions) throwIssue(issues.OCSP_MALFORMED, {})
  const explicit = fields.find((field) => getTag(field) === getContextTag(2))
  const extensions = explicit ? readSequence(getDerChildren(explicit)[0], 'extensions').map(parseExtension) : []
  if (extensions.some((each) => each.critical && each.oid !== oids.ocspNonce)) throwIssue(issues.OCSP_MALFORMED, {})
  return { questions, nonce: findNonce(extensions) }
}

function findNonce(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.ocspNonce)
  if (!extension) return undefined
  const nonce = getLeafContent(expectTag(parseDer(extension.value), tags.octetString, 'nonce'))
  return nonce.length >= 1 && nonce.length <= maxNonce ? nonce : throwIssue(issues.OCSP_MALFORMED, {})
}

function decodeQuery(request: Der): OcspQuery {
  const [id] = readSequence(request, 'question')
  const [algorithm, nameHash, keyHash, serial] = readSequence(id, 'certificate name')
  const readDigest = (der: Der | undefined) => getLeafContent(expectTag(der, tags.octetString, 'digest'))
  return {
    der: toDerBytes(id!),
    algorithm: decodeOid(readSequence(algorithm, 'digest algorithm')[0]),
    nameHash: readDigest(nameHash),
    keyHash: readDigest(keyHash),
    serial: decodeInteger(expectTag(serial, tags.integer, 'serial')),
  }
}

/** Returns the bits of a certificate's public key, without the header of SubjectPublicKeyInfo. */
function getKeyBits({ spki }: Certificate): Buffer {
  const [, bits] = readSequence(parseDer(spki), 'public key')
  return getLeafContent(bits!).subarray(1)
}
