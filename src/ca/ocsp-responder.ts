import { LRUCache } from 'lru-cache'
import { isCatalogIssue } from '../base/issue.ts'
import type { System } from '../machine/system/system.ts'
import { writeSigner } from './catalog-signer.ts'
import type { CertificateAuthority, KeyPair } from './certificate-authority.ts'
import { isExpiring } from './expiring-certificates.ts'
import { authorityOutages } from './issues.ts'
import { type Certificate, parseCertificate } from './x509/certificate.ts'
import { findExtension, listExtendedKeyUses } from './x509/extensions.ts'
import { isSameKeyPair, parsePrivateKey } from './x509/keys.ts'
import {
  buildOcspError,
  buildOcspResponse,
  isIssuedBy,
  isMalformedOcspError,
  type OcspQuery,
  type OcspStatus,
  parseOcspRequest,
} from './x509/ocsp.ts'
import { oids } from './x509/oids.ts'
import { isSignedBy } from './x509/signature.ts'

/** Dependencies of a responder. */
export interface ResponderParts {
  readonly authority: CertificateAuthority
  /** Certname of the server that sends the responses. */
  readonly certname: string
  /** File with the responder's key and certificate. */
  readonly signerFile: string
  readonly system: Pick<System, 'files' | 'now'>
}

/**
 * A response in DER, and the number of seconds for which it may be cached; 0 if it must not be
 * cached, for example because it contains a nonce.
 */
export interface OcspReply {
  readonly der: Buffer
  readonly maxAge: number
}

/**
 * Validity of a response in milliseconds. A client that caches responses learns of a revocation at most an hour late.
 */
const lifeMs = 3_600_000
/** Tolerated clock difference in milliseconds. */
const clockToleranceMs = 5 * 60_000
/** Milliseconds between two checks of the responder's own key. */
const lookMs = 60_000
/** Number of cached responses, of about 1 KiB each. */
const maxRemembered = 2000

interface Remembered {
  readonly status: OcspStatus
  readonly madeAt: number
  readonly der: Buffer
}

/**
 * Answers OCSP requests (RFC 6960). The status is `good` for a certificate in the inventory that is not revoked; it is
 * `unknown` for a certificate of another CA and for a serial that was never issued. Responses are signed with a
 * separate key, whose certificate from the CA is valid for OCSP only.
 */
export class OcspResponder {
  readonly #parts: ResponderParts
  readonly #remembered = new LRUCache<string, Remembered>({ max: maxRemembered })
  #signer: KeyPair | undefined
  #issuer: Certificate | undefined
  #looked = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(parts: ResponderParts) {
    this.#parts = parts
  }

  /**
   * Returns the response to a request, both in DER. The response to a malformed request is an error response of RFC
   * 6960.
   */
  async answer(request: Buffer): Promise<OcspReply> {
    try {
      const { questions, nonce } = parseOcspRequest(request)
      const now = this.#parts.system.now()
      await this.#look(now)
      const answers = await Promise.all(
        questions.map(async (question) => ({ question, status: await this.#findStatus(question) })),
      )
      const [first] = answers
      const isPlain = nonce === undefined && answers.length === 1
      const der = isPlain ? this.#kept(first!, now) : this.#signed(answers, nonce, now)
      return { der, maxAge: isPlain ? lifeMs / 2000 : 0 }
    } catch (error) {
      if (isMalformedOcspError(error)) return { der: buildOcspError('malformedRequest'), maxAge: 0 }
      if (isCatalogIssue(error, authorityOutages)) return { der: buildOcspError('tryLater'), maxAge: 0 }
      throw error
    }
  }

  async #findStatus(question: OcspQuery): Promise<OcspStatus> {
    const { authority } = this.#parts
    if (!isIssuedBy(question, this.#issuer!)) return 'unknown'
    const revocation = await authority.revocation(question.serial)
    if (revocation) return { date: revocation.date, reason: revocation.reason }
    return (await authority.isIssued(question.serial)) ? 'good' : 'unknown'
  }

  /**
   * Returns a cached response, if the status is unchanged and at least half of the validity is left; otherwise a new
   * response.
   */
  #kept(answer: { readonly question: OcspQuery; readonly status: OcspStatus }, now: number): Buffer {
    const key = answer.question.der.toString('base64')
    const known = this.#remembered.get(key)
    const isFresh = known && now >= known.madeAt && now - known.madeAt < lifeMs / 2
    if (isFresh && isSameStatus(known.status, answer.status)) return known.der
    const der = this.#signed([answer], undefined, now)
    this.#remembered.set(key, { status: answer.status, madeAt: now, der })
    return der
  }

  #signed(
    answers: readonly { readonly question: OcspQuery; readonly status: OcspStatus }[],
    nonce: Buffer | undefined,
    now: number,
  ): Buffer {
    const { key, certificate } = this.#signer!
    const times = {
      producedAt: new Date(now),
      thisUpdate: new Date(now - clockToleranceMs),
      nextUpdate: new Date(now + lifeMs),
    }
    return buildOcspResponse({ answers, nonce, ...times }, key, certificate)
  }

  async #look(now: number): Promise<void> {
    if (this.#signer && Math.abs(now - this.#looked) < lookMs) return
    this.#looking ??= this.#open(now).finally(() => (this.#looking = undefined))
    await this.#looking
  }

  /** Loads the key, or creates a new one before the current certificate expires. */
  async #open(now: number): Promise<void> {
    const { authority, signerFile, system } = this.#parts
    const issuer = parseCertificate((await authority.certificates()).pem)
    const text = this.#signer ? undefined : await system.files.readText(signerFile)
    const kept = this.#signer ?? (text === undefined ? undefined : parseSigner(text))
    const isGood =
      kept !== undefined &&
      isSignedBy(kept.certificate, issuer.publicKey) &&
      kept.certificate.notBefore.getTime() <= now &&
      !isExpiring(kept.certificate, new Date(now)) &&
      !(await authority.isRevoked(kept.certificate.serial))
    this.#signer = isGood ? kept : ((await this.#replaceSigner()) ?? this.#signer)
    this.#issuer = issuer
    this.#looked = now
  }

  /** Creates a new key. During an outage of the CA, returns `undefined` if the current certificate is still valid. */
  async #replaceSigner(): Promise<KeyPair | undefined> {
    const { authority, certname, signerFile, system } = this.#parts
    try {
      const signer = await authority.generateSigner(certname, 'ocsp')
      await writeSigner(signer, signerFile, system)
      this.#remembered.clear()
      return signer
    } catch (error) {
      const isValid = this.#signer !== undefined && this.#signer.certificate.notAfter.getTime() > system.now()
      if (isValid && isCatalogIssue(error, authorityOutages)) return undefined
      throw error
    }
  }
}

/**
 * Returns the key and certificate in a file's text; `undefined` if they are unusable, so that the caller replaces them.
 */
function parseSigner(text: string): KeyPair | undefined {
  try {
    const pair = { key: parsePrivateKey(text), certificate: parseCertificate(text) }
    const uses = findExtension(pair.certificate.extensions, oids.extendedKeyUsage)
    const isForThis = uses !== undefined && listExtendedKeyUses(uses).join() === oids.ocspSigning
    return isForThis && isSameKeyPair(pair.key, pair.certificate.publicKey) ? pair : undefined
  } catch {
    return undefined
  }
}

function isSameStatus(one: OcspStatus, other: OcspStatus): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.date.getTime() === other.date.getTime() && one.reason === other.reason
}
