import { budgets } from '../base/budgets/budgets.ts'
import { createPuppetError, isCatalogIssue, isIssue, throwIssue } from '../base/issue.ts'
import { KeyedSlots } from '../base/threads/keyed-slots.ts'
import { formatError } from '../language/ruby-semantics/errno.ts'
import type { Autosign } from './autosign.ts'
import type { SignOptions } from './certificate-authority.ts'
import { authorityConflicts, authorityOverloads, requestRefusals } from './issues.ts'
import { checkRequestForm, checkSubject } from './signing-policy.ts'
import type { AuthorityRecords, AuthorityStorage } from './storage/authority-storage.ts'
import type { Certificate } from './x509/certificate.ts'
import { type CertificateRequest, parseCertificateRequest, toRequestPem } from './x509/certificate-request.ts'
import { computeFingerprint } from './x509/fingerprint.ts'

/** Dependencies for accepting requests. */
export interface SubmissionParts {
  readonly storage: AuthorityStorage
  readonly autosign: Autosign
  /** The CA certificate, whose name is reserved. */
  readonly authority: Certificate
  readonly allowDuplicates: boolean
  readonly maxWaitingRequests: number
  readonly leastKeyBits: number
  /** Throws if the name has a certificate or request. */
  checkDuplicate(records: AuthorityRecords, name: string): Promise<void>
  /** Signs a pending request, in a change of its own. */
  sign(name: string, options?: SignOptions): Promise<unknown>
  /** Signs a request. */
  signRequest(records: AuthorityRecords, name: string, request: CertificateRequest): Promise<unknown>
}

/**
 * Processes requests from their arrival to the decision of autosign. Only the bytes that autosign accepted are signed.
 */
export class Submissions {
  readonly #parts: SubmissionParts
  /** Slots by client address. A request without a slot is rejected: its client tries again. */
  readonly #slots = new KeyedSlots(
    {
      atOnce: budgets.authority.submissions.bound,
      waiting: 0,
      ofOne: { atOnce: budgets.authority.submissionsOfOne.bound, waiting: 0 },
    },
    () => createPuppetError(authorityOverloads.AUTHORITY_BUSY, {}),
  )

  constructor(parts: SubmissionParts) {
    this.#parts = parts
  }

  /** See `CertificateAuthority.submit`. */
  submit(name: string, pem: string, from: string): Promise<void> {
    const { storage, autosign, checkDuplicate, signRequest } = this.#parts
    return this.#slots.run(from, async () => {
      const request = parseCertificateRequest(pem)
      const isKept = await storage.change((records) => this.#keep(records, name, request))
      if (isKept) return this.#decide(name, request)
      // The queue is full, but a request that autosign accepts need not wait. A client that fills the queue thus delays
      // only manual signing.
      if (!(await autosign(name, toRequestPem(request)))) throwIssue(authorityOverloads.TOO_MANY_REQUESTS, {})
      await storage.change(async (records) => {
        await checkDuplicate(records, name)
        await signRequest(records, name, request)
      })
    })
  }

  /** See `CertificateAuthority.resume`. */
  async resume(log: (message: string) => void, signal?: AbortSignal): Promise<void> {
    const { storage } = this.#parts
    await storage.tidy()
    for (const name of await storage.requests.names()) {
      if (signal?.aborted) return
      try {
        await this.#finish(name)
      } catch (error) {
        log(`Could not process the certificate request of ${name}: ${formatError(error)}`)
      }
    }
  }

  /**
   * Stores a request that the CA could sign; returns false if too many requests are pending.
   */
  async #keep(records: AuthorityRecords, name: string, request: CertificateRequest): Promise<boolean> {
    const { checkDuplicate, leastKeyBits, maxWaitingRequests } = this.#parts
    const { requests } = records
    await checkDuplicate(records, request.commonName ?? name)
    checkSubject(name, request, this.#parts.authority)
    checkRequestForm(name, request, leastKeyBits)
    const replaces = (await requests.read(name)) !== undefined
    if (!replaces && (await requests.count()) >= maxWaitingRequests) return false
    await requests.write(name, toRequestPem(request))
    return true
  }

  /** Signs the request if autosign accepts it, and if the stored request still has the same bytes. */
  async #decide(name: string, request: CertificateRequest): Promise<void> {
    const { autosign, sign } = this.#parts
    try {
      if (await autosign(name, toRequestPem(request)))
        await sign(name, { fingerprint: computeFingerprint(request.der) })
      else await this.#leaveToPerson(name, request)
    } catch (error) {
      if (isIssue(error, authorityConflicts.NO_REQUEST)) return // an administrator decided first
      if (isCatalogIssue(error, requestRefusals)) await this.#leaveToPerson(name, request)
      throw error
    }
  }

  #leaveToPerson(name: string, request: CertificateRequest): Promise<void> {
    return this.#parts.storage.change(async ({ requests }) => {
      if ((await requests.read(name)) === toRequestPem(request)) await requests.settle(name)
    })
  }

  /**
   * Completes a request after a crash: removes a request that was signed; runs autosign for a request without decision.
   */
  async #finish(name: string): Promise<void> {
    const { storage, allowDuplicates, sign } = this.#parts
    const { signed, requests } = storage
    const isSigned = (await signed.read(name)) !== undefined
    if (isSigned && !allowDuplicates) await sign(name)
    else if (await requests.isUndecided(name))
      await this.#decide(name, parseCertificateRequest((await requests.read(name)) ?? ''))
  }
}
