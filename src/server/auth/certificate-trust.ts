import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type Certificate, parseCertificates } from '../../ca/x509/certificate.ts'
import { ChainError, verifyChain } from '../../ca/x509/chain.ts'
import { parseRevocationLists, type RevocationList } from '../../ca/x509/revocation-list.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { type FileStat, type Files, getFileVersion } from '../../machine/system/system.ts'

/**
 * Result of checking a certificate: trusted, or the reason for the refusal. `unchecked` is true if the check could
 * not be done, and `revoked` if the certificate is revoked.
 */
export type TrustVerdict =
  | 'trusted'
  | { readonly refused: string; readonly unchecked: boolean; readonly revoked: boolean }

const issues = defineIssues({
  CRL_FILE_MISSING: {
    text: (a: { path: string }) => `The CRL is missing from '${a.path}'`,
    hint: () =>
      'Without it, the server rejects all client certificates. Write the PEM revocation lists of all CAs to the file.',
  },
  CRL_FILE_UNREADABLE: {
    text: (a: { path: string; why: string }) => `${a.why}: '${a.path}'`,
    hint: () =>
      'Without it, the server rejects all client certificates. Write the PEM revocation lists of all CAs to the file.',
  },
})

/** File access for revocation lists. */
export interface RevocationListFiles extends Pick<Files, 'readText'> {
  /**
   * Synchronous, because it is called before every request and a call through the thread pool takes
   * thirty times as long.
   */
  stat(path: string): FileStat | undefined
}

/** A cached verdict, with the authorities and revocation lists on which it is based. */
interface Judgement {
  readonly state: object
  readonly at: number
  readonly verdict: TrustVerdict
}

/**
 * Lifetime of a cached verdict in milliseconds; limited because a certificate or a revocation list
 * may expire.
 */
const judgementLifeMs = 1000

/**
 * Checks client certificates against the trusted authorities and the revocation lists in a file. The file is read
 * again after it changes, so that a revocation takes effect at once. For each certificate of a chain, the file must
 * contain a signed and current list of the certificate's issuer. If the file cannot be read, no certificate is
 * trusted.
 */
export class Trust {
  readonly #path: string
  readonly #files: RevocationListFiles
  readonly #onTrouble: (message: string) => void
  #authorities: readonly Certificate[] = []
  #lists: readonly RevocationList[] = []
  #seen: string | undefined
  #loading: Promise<void> | undefined
  #trouble: string | undefined
  #state = {}
  readonly #judged = new WeakMap<Certificate, Judgement>()

  constructor(path: string, files: RevocationListFiles, onTrouble: (message: string) => void) {
    this.#path = path
    this.#files = files
    this.#onTrouble = onTrouble
  }

  /** Replaces the authorities (PEM) and reads the revocation lists. Throws if either cannot be read. */
  async open(authorities: string): Promise<void> {
    const take = await this.prepare(authorities)
    take()
  }

  /**
   * Parses new authorities (PEM) and reads the revocation lists; returns a function that activates
   * the authorities. Throws if either cannot be read.
   */
  async prepare(authorities: string): Promise<() => void> {
    const certificates = parseCertificates(authorities)
    await this.#refresh()
    return () => {
      this.#authorities = certificates
      this.#state = {}
    }
  }

  /** The revocation lists that were last read from the file. */
  get lists(): readonly RevocationList[] {
    return this.#lists
  }

  async verdictOn(certificate: Certificate): Promise<TrustVerdict> {
    try {
      await this.#refresh()
      this.#trouble = undefined
    } catch (error) {
      const { message } = error as Error
      if (this.#trouble !== message) this.#onTrouble(message)
      this.#trouble = message
      return { refused: `the certificate cannot be verified: ${message}`, unchecked: true, revoked: false }
    }
    const now = Date.now()
    const known = this.#judged.get(certificate)
    if (known?.state === this.#state && now - known.at < judgementLifeMs && now >= known.at) return known.verdict
    const verdict = this.#judge(certificate, new Date(now))
    this.#judged.set(certificate, { state: this.#state, at: now, verdict })
    return verdict
  }

  #judge(certificate: Certificate, now: Date): TrustVerdict {
    try {
      verifyChain(certificate, { authorities: this.#authorities, lists: this.#lists, revocation: 'chain' }, now)
      return 'trusted'
    } catch (error) {
      const { message } = error as Error
      const revoked = error instanceof ChainError && error.fault === 'CERT_REVOKED' && error.certificate === certificate
      return { refused: message, unchecked: false, revoked }
    }
  }

  /**
   * Reads the revocation lists again if their file changed, including a change during a read that
   * another caller started.
   */
  async #refresh(): Promise<void> {
    for (;;) {
      const stat = this.#files.stat(this.#path)
      if (!stat) throwIssue(issues.CRL_FILE_MISSING, { path: this.#path })
      const version = getFileVersion(stat)
      if (version === this.#seen) return
      if (this.#loading) await this.#loading.catch(() => {})
      else {
        this.#loading = this.#load(version).finally(() => (this.#loading = undefined))
        await this.#loading
      }
    }
  }

  async #load(version: string): Promise<void> {
    const text = await this.#files.readText(this.#path)
    this.#lists = this.#read(text ?? throwIssue(issues.CRL_FILE_MISSING, { path: this.#path }))
    this.#seen = version
    this.#state = {}
  }

  #read(text: string): RevocationList[] {
    try {
      return parseRevocationLists(text)
    } catch (error) {
      return throwIssue(issues.CRL_FILE_UNREADABLE, { path: this.#path, why: formatError(error) })
    }
  }
}
