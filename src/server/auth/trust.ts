import { defineIssues, fail } from '../../base/issue.ts'
import { type Certificate, parseCertificates } from '../../ca/x509/certificate.ts'
import { ChainError, verifyChain } from '../../ca/x509/chain.ts'
import { parseRevocationLists, type RevocationList } from '../../ca/x509/revocation-list.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { type FileStat, type Files, fileVersion } from '../../machine/system/system.ts'

/** The verdict on a certificate: trusted, or the reason for its refusal and marks for unchecked and revoked. */
export type Verdict = 'trusted' | { readonly refused: string; readonly unchecked: boolean; readonly revoked: boolean }

const issues = defineIssues({
  CRL_FILE_MISSING: {
    text: (a: { path: string }) => `The CRL is missing from '${a.path}'`,
    hint: () => 'Without it no certificate of a client counts. Put the lists of all authorities there, in PEM.',
  },
  CRL_FILE_UNREADABLE: {
    text: (a: { path: string; why: string }) => `${a.why}: '${a.path}'`,
    hint: () => 'Without it no certificate of a client counts. Put the lists of all authorities there, in PEM.',
  },
})

/** Files of revocation lists. */
export interface ListFiles extends Pick<Files, 'readText'> {
  /** Asked before every request: at once, since another thread takes thirty times as long to answer. */
  stat(path: string): FileStat | undefined
}

/** A judgement of a certificate, and the state of the lists and authorities that it was made by. */
interface Judgement {
  readonly state: object
  readonly at: number
  readonly verdict: Verdict
}

/** The life of a judgement while nothing changed, for a chain or a list may end. Milliseconds. */
const judgementLifeMs = 1000

/**
 * Whom the server trusts: the authorities, and the revocation lists of each in a file, which is read again when it has
 * changed, so that a revocation holds at once. Each certificate of a chain is looked for in the list of its issuer, which
 * has to be there, signed and in force. Where the file cannot be read, nobody is trusted.
 */
export class Trust {
  readonly #path: string
  readonly #files: ListFiles
  readonly #onTrouble: (message: string) => void
  #authorities: readonly Certificate[] = []
  #lists: readonly RevocationList[] = []
  #seen: string | undefined
  #loading: Promise<void> | undefined
  #trouble: string | undefined
  #state = {}
  readonly #judged = new WeakMap<Certificate, Judgement>()

  constructor(path: string, files: ListFiles, onTrouble: (message: string) => void) {
    this.#path = path
    this.#files = files
    this.#onTrouble = onTrouble
  }

  /** Takes other authorities, in PEM, and reads the lists. Throws where either cannot be read. */
  async open(authorities: string): Promise<void> {
    const take = await this.prepare(authorities)
    take()
  }

  /** Reads other authorities and the lists; answers how to trust those authorities. Throws where either cannot be read. */
  async prepare(authorities: string): Promise<() => void> {
    const certificates = parseCertificates(authorities)
    await this.#refresh()
    return () => {
      this.#authorities = certificates
      this.#state = {}
    }
  }

  /** The revocation lists as they were read last. */
  get lists(): readonly RevocationList[] {
    return this.#lists
  }

  async verdictOn(certificate: Certificate): Promise<Verdict> {
    try {
      await this.#refresh()
      this.#trouble = undefined
    } catch (error) {
      const { message } = error as Error
      if (this.#trouble !== message) this.#onTrouble(message)
      this.#trouble = message
      return { refused: `the certificate cannot be checked: ${message}`, unchecked: true, revoked: false }
    }
    const now = Date.now()
    const known = this.#judged.get(certificate)
    if (known?.state === this.#state && now - known.at < judgementLifeMs && now >= known.at) return known.verdict
    const verdict = this.#judge(certificate, new Date(now))
    this.#judged.set(certificate, { state: this.#state, at: now, verdict })
    return verdict
  }

  #judge(certificate: Certificate, now: Date): Verdict {
    try {
      verifyChain(certificate, { authorities: this.#authorities, lists: this.#lists, revocation: 'chain' }, now)
      return 'trusted'
    } catch (error) {
      const { message } = error as Error
      const revoked = error instanceof ChainError && error.fault === 'CERT_REVOKED' && error.certificate === certificate
      return { refused: message, unchecked: false, revoked }
    }
  }

  /** Brings the lists to what the file is now: not as it was when somebody else began to read it. */
  async #refresh(): Promise<void> {
    for (;;) {
      const stat = this.#files.stat(this.#path)
      if (!stat) fail(issues.CRL_FILE_MISSING, { path: this.#path })
      const version = fileVersion(stat)
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
    this.#lists = this.#read(text ?? fail(issues.CRL_FILE_MISSING, { path: this.#path }))
    this.#seen = version
    this.#state = {}
  }

  #read(text: string): RevocationList[] {
    try {
      return parseRevocationLists(text)
    } catch (error) {
      return fail(issues.CRL_FILE_UNREADABLE, { path: this.#path, why: errorText(error) })
    }
  }
}
