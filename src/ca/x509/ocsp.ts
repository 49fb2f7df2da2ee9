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

/** A question about one certificate (RFC 6960, CertID). */
export interface OcspQuestion {
  /** The CertID as it came, which the answer repeats. */
  readonly der: Buffer
  /** The digest that was taken of the issuer, by its object identifier. */
  readonly algorithm: string
  readonly nameHash: Buffer
  readonly keyHash: Buffer
  readonly serial: bigint
}

/** Questions that came together. */
export interface OcspRequest {
  readonly questions: readonly OcspQuestion[]
  /** Random bytes that the answer repeats, so that it is no old one (RFC 8954). */
  readonly nonce: Buffer | undefined
}

/** The status of a certificate. */
export type OcspStatus = 'good' | 'unknown' | Pick<Revocation, 'date' | 'reason'>

/** Answers, and the time for which they hold. */
export interface OcspAnswers {
  readonly answers: readonly { readonly question: OcspQuestion; readonly status: OcspStatus }[]
  readonly nonce: Buffer | undefined
  readonly producedAt: Date
  readonly thisUpdate: Date
  readonly nextUpdate: Date
}

/** Statuses of an answer that answers nothing (RFC 6960, 4.2.1). */
export const ocspFailures = { malformedRequest: 1, internalError: 2, unauthorized: 6 } as const

const issues = defineIssues({
  OCSP_MALFORMED: { text: (_: object) => 'The OCSP request is malformed' },
})

/** Certificates that are asked about at once. */
const maxQuestions = 16
/** Bytes of a nonce (RFC 8954). */
const maxNonce = 32

/** Digests by which an issuer may be named, with their object identifiers. */
const digests: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

/** A request from its DER, read whole. Throws OCSP_MALFORMED. */
export function parseOcspRequest(der: Buffer): OcspRequest {
  try {
    return requestOf(readDer(der))
  } catch (error) {
    if (error instanceof PuppetError || error instanceof TypeError || error instanceof RangeError)
      return fail(issues.OCSP_MALFORMED, {})
    throw error
  }
}

/** True of a request that is none. */
export function isMalformedOcsp(error: unknown): boolean {
  return isIssue(error, issues.OCSP_MALFORMED)
}

/** True of a question about a certificate of this issuer. */
export function isAbout({ algorithm, nameHash, keyHash }: OcspQuestion, issuer: Certificate): boolean {
  const digest = digests.get(algorithm)
  if (digest === undefined) return false
  const hash = (bytes: Buffer) => createHash(digest).update(bytes).digest()
  return hash(issuer.subject.der).equals(nameHash) && hash(keyBitsOf(issuer)).equals(keyHash)
}

/** The DER of an answer, signed by `key`, with the certificate of it. */
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

/** The DER of an answer that answers nothing; it is not signed. */
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

/** The bits of a certificate's public key, without the header that says what they are. */
function keyBitsOf({ spki }: Certificate): Buffer {
  const [, bits] = sequenceOf(readDer(spki), 'public key')
  return contentOf(bits!).subarray(1)
}
