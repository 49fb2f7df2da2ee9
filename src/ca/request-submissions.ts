import { budgets } from '../base/budgets/budgets.ts'
import { createPuppetError, isCatalogIssue, isIssue, throwIssue } from '../base/issue.ts'
import { KeyedSlots } from '../base/threads/keyed-slots.ts'
import { formatError } from '../language/ruby-semantics/errno.ts'
import type { FileLock } from '../machine/system/file-lock.ts'
import type { System } from '../machine/system/system.ts'
import { removeTemporaryFiles } from '../machine/system/temporary-files.ts'
import type { Autosign } from './autosign.ts'
import type { SignOptions } from './certificate-authority.ts'
import type { CaLayout } from './file-layout.ts'
import { authorityConflicts, authorityOverloads, requestRefusals } from './issues.ts'
import { publicFileMode, type Records } from './pem-folder.ts'
import { checkRequestForm, checkSubject } from './signing-policy.ts'
import type { Certificate } from './x509/certificate.ts'
import { type CertificateRequest, parseCertificateRequest, toRequestPem } from './x509/certificate-request.ts'
import { computeFingerprint } from './x509/fingerprint.ts'

/** Dependencies for accepting requests. */
export interface SubmissionParts {
  readonly system: Pick<System, 'files' | 'now'>
  readonly layout: CaLayout
  readonly lock: FileLock
  readonly signed: Records
  readonly requests: Records
  readonly autosign: Autosign
  /** The CA certificate, whose name is reserved. */
  readonly authority: Certificate
  readonly allowDuplicates: boolean
  readonly maxWaitingRequests: number
  readonly leastKeyBits: number
  /** Throws if the name has a certificate or request. */
  checkDuplicate(name: string): Promise<void>
  /** Signs a pending request; acquires the lock. */
  sign(name: string, options?: SignOptions): Promise<unknown>
  /** Signs a request; the caller must hold the lock. */
  signRequest(name: string, request: CertificateRequest): Promise<unknown>
}

/**
 * Permissions of a request file until autosign has decided; afterwards, all users can read the file. After a crash, the
 * permissions distinguish requests that wait for autosign from requests that wait for a person.
 */
const undecided = 0o600

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
    const { lock, autosign, checkDuplicate, signRequest } = this.#parts
    return this.#slots.run(from, async () => {
      const request = parseCertificateRequest(pem)
      const isKept = await lock.run(() => this.#keep(name, request))
      if (isKept) return this.#decide(name, request)
      // The queue is full, but a request that autosign accepts need not wait. A client that fills the queue thus delays
      // only manual signing.
      if (!(await autosign(name, toRequestPem(request)))) throwIssue(authorityOverloads.TOO_MANY_REQUESTS, {})
      await lock.run(async () => {
        await checkDuplicate(name)
        await signRequest(name, request)
      })
    })
  }

  /** See `CertificateAuthority.resume`. */
  async resume(log: (message: string) => void, signal?: AbortSignal): Promise<void> {
    const { system, layout, requests } = this.#parts
    for (const folder of [layout.directory, layout.signed, layout.requests])
      await removeTemporaryFiles(folder, system.files, system.now())
    for (const name of await requests.names()) {
      if (signal?.aborted) return
      try {
        await this.#finish(name)
      } catch (error) {
        log(`Could not process the certificate request of ${name}: ${formatError(error)}`)
      }
    }
  }

  /**
   * Stores a request that the CA could sign; returns false if too many requests are pending. The
   * caller must hold the lock.
   */
  async #keep(name: string, request: CertificateRequest): Promise<boolean> {
    const { requests, checkDuplicate, leastKeyBits, maxWaitingRequests } = this.#parts
    await checkDuplicate(request.commonName ?? name)
    checkSubject(name, request, this.#parts.authority)
    checkRequestForm(name, request, leastKeyBits)
    const replaces = (await requests.mode(name)) !== undefined
    if (!replaces && (await requests.names()).length >= maxWaitingRequests) return false
    await requests.write(name, toRequestPem(request), undecided)
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
    const { lock, requests } = this.#parts
    return lock.run(async () => {
      if ((await requests.read(name)) === toRequestPem(request)) await requests.setMode(name, publicFileMode)
    })
  }

  /**
   * Completes a request after a crash: removes a request that was signed; runs autosign for a request without decision.
   */
  async #finish(name: string): Promise<void> {
    const { signed, requests, allowDuplicates, sign } = this.#parts
    const isSigned = (await signed.mode(name)) !== undefined
    if (isSigned && !allowDuplicates) await sign(name)
    else if ((await requests.mode(name)) === undecided)
      await this.#decide(name, parseCertificateRequest((await requests.read(name)) ?? ''))
  }
}
