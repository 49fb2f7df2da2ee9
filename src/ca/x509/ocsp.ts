import { createHash, type KeyObject } from 'node:crypto'
import { defineIssues, fail, isIssue, PuppetError } from '../../base/issue.ts'
import type { Certificate } from './certificate.ts'
import {
  bytesOf,
  childrenOf,
  contentOf,
  contextTag,
  type Der,
  element,
  expectTag,
  generalizedTime,
  integerOf,
  octetString,
  oid,
  oidOf,
  readDer,
  sequence,
  sequenceOf,
  tagOf,
  tags,
} from './der.ts'
import { type Extension, extensionDer, findExtension, parseExtension } from './extensions.ts'
import { keyIdentifier } from './keys.ts'
import { oids } from './oids.ts'
import type { Revocation } from './revocation-list.ts'
import { signatureAlgorithm, signDer } from './signed.ts'

/** A query for the status of one certificate (RFC 6960, CertID). */
export interface OcspQuestion {
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
  readonly questions: readonly OcspQuestion[]
  /** Random bytes that the response repeats, to exclude replays (RFC 8954). */
  readonly nonce: Buffer | undefined
}

/** The status of a certificate. */
export type OcspStatus = 'good' | 'unknown' | Pick<Revocation, 'date' | 'reason'>

/** Statuses of the queried certificates, and the validity period of the response. */
export interface OcspAnswers {
  readonly answers: readonly { readonly question: OcspQuestion; readonly status: OcspStatus }[]
  readonly nonce: Buffer | undefined
  readonly producedAt: Date
  readonly thisUpdate: Date
  readonly nextUpdate: Date
}

/** Status codes of error responses (RFC 6960, 4.2.1). */
export const ocspFailures = { malformedRequest: 1, internalError: 2, unauthorized: 6 } as const

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
    return requestOf(readDer(der))
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TypeError || error instanceof RangeError)
      return fail(issues.OCSP_MALFORMED, {})
    throw error
  }
}

/** Returns true if the error was caused by a malformed request. */
export function isMalformedOcsp(error: unknown): boolean {
  return isIssue(error, issues.OCSP_MALFORMED)
}

/** Returns true if the query is for a certificate of this issuer. */
export function isAbout({ algorithm, nameHash, keyHash }: OcspQuestion, issuer: Certificate): boolean {
  const digest = digests.get(algorithm)
  if (digest === undefined) return false
  const hash = (bytes: Buffer) => createHash(digest).update(bytes).digest()
  return hash(issuer.subject.der).equals(nameHash) && hash(keyBitsOf(issuer)).equals(keyHash)
}

/** Builds a response in DER, signed with `key`, including the certificate of the key. */
export function ocspResponse(given: OcspAnswers, key: KeyObject, certificate: Certificate): Buffer {
  const nonce: Extension[] =
    given.nonce === undefined ? [] : [{ oid: oids.ocspNonce, critical: false, value: octetString(given.nonce) }]
  const data = sequence(
    element(contextTag(2), octetString(keyIdentifier(certificate.spki))),
    generalizedTime(given.producedAt),
    sequence(...given.answers.map((answer) => answerDer(answer, given))),
    ...(nonce.length > 0 ? [element(contextTag(1), sequence(...nonce.map(extensionDer)))] : []),
  )
  const { signature } = signDer(data, key)
  const basic = sequence(
    ...[data, signatureAlgorithm(key), element(tags.bitString, Buffer.from([0]), signature)],
    element(contextTag(0), sequence(certificate.der)),
  )
  return response(0, element(contextTag(0), sequence(oid(oids.ocspBasic), octetString(basic))))
}

/** Builds an error response in DER, which is not signed. */
export function ocspFailure(failure: keyof typeof ocspFailures): Buffer {
  return response(ocspFailures[failure])
}

function response(status: number, ...content: readonly Buffer[]): Buffer {
  return sequence(element(tags.enumerated, Buffer.from([status])), ...content)
}

function answerDer(
  { question, status }: OcspAnswers['answers'][number],
  { thisUpdate, nextUpdate }: OcspAnswers,
): Buffer {
  return sequence(
    question.der,
    statusDer(status),
    generalizedTime(thisUpdate),
    element(contextTag(0), generalizedTime(nextUpdate)),
  )
}

function statusDer(status: OcspStatus): Buffer {
  if (status === 'good') return element(contextTag(0, 'primitive'))
  if (status === 'unknown') return element(contextTag(2, 'primitive'))
  const { date, reason } = status
  const why = reason === undefined ? [] : [element(contextTag(0), element(tags.enumerated, Buffer.from([reason])))]
  return element(contextTag(1), generalizedTime(date), ...why)
}

function requestOf(der: Der): OcspRequest {
  const [tbs] = sequenceOf(der, 'request')
  const fields = sequenceOf(tbs, 'content of a request')
  const list = fields.find((field) => tagOf(field) === tags.sequence)
  const questions = sequenceOf(list, 'questions').map(questionOf)
  if (questions.length === 0 || questions.length > maxQuestions) fail(issues.OCSP_MALFORMED, {})
  const explicit = fields.find((field) => tagOf(field) === contextTag(2))
  const extensions = explicit ? sequenceOf(childrenOf(explicit)[0], 'extensions').map(parseExtension) : []
  if (extensions.some((each) => each.critical && each.oid !== oids.ocspNonce)) fail(issues.OCSP_MALFORMED, {})
  return { questions, nonce: nonceIn(extensions) }
}

function nonceIn(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.ocspNonce)
  if (!extension) return undefined
  const nonce = contentOf(expectTag(readDer(extension.value), tags.octetString, 'nonce'))
  return nonce.length >= 1 && nonce.length <= maxNonce ? nonce : fail(issues.OCSP_MALFORMED, {})
}

function questionOf(request: Der): OcspQuestion {
  const [id] = sequenceOf(request, 'question')
  const [algorithm, nameHash, keyHash, serial] = sequenceOf(id, 'name of a certificate')
  const bytes = (der: Der | undefined) => contentOf(expectTag(der, tags.octetString, 'digest'))
  return {
    der: bytesOf(id!),
    algorithm: oidOf(sequenceOf(algorithm, 'algorithm of a digest')[0]),
    nameHash: bytes(nameHash),
    keyHash: bytes(keyHash),
    serial: integerOf(expectTag(serial, tags.integer, 'serial')),
  }
}

/** Returns the bits of a certificate's public key, without the header of SubjectPublicKeyInfo. */
function keyBitsOf({ spki }: Certificate): Buffer {
  const [, bits] = sequenceOf(readDer(spki), 'public key')
  return contentOf(bits!).subarray(1)
}
