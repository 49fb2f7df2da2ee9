import { isCatalogIssue, throwIssue } from '../../base/issue.ts'
import type { Files } from '../../machine/system/system.ts'
import { authorityOutages } from '../issues.ts'
import { type Certificate, parseCertificates } from '../x509/certificate.ts'
import { isRootCertificate } from '../x509/chain.ts'
import { isSameKeyPair } from '../x509/keys.ts'
import { parseRevocationListsAsync, type RevocationList } from '../x509/revocation-list.ts'
import { isSignedBy } from '../x509/signature.ts'
import type { AuthorityRecords, AuthorityStorage, Document, StoredDocument } from './authority-storage.ts'

/** Files of a server with copies of the CA certificates and the revocation lists. */
export interface TrustFiles {
  readonly localcacert: string
  readonly hostcrl: string
}

/**
 * Adds the copies of a server to a storage that several servers share. While the storage is unavailable, the CA
 * certificates and revocation lists are read from the copies. Whoever can write to the storage cannot change what this
 * server trusts: the CA certificate must have the key of the copy, and a revocation list must be signed with this key
 * and must not be older than the copy. `report` receives each rejection.
 */
export function withTrustCopies(
  storage: AuthorityStorage,
  { localcacert, hostcrl }: TrustFiles,
  files: Pick<Files, 'readText' | 'stat'>,
  report: (message: string) => void = () => {},
): AuthorityStorage {
  const certificates = new TrustedDocument(storage.certificates, localcacert, files, report, acceptCertificates)
  const lists = new TrustedDocument(storage.revocationLists, hostcrl, files, report, async (pem, accepted) => {
    const found = await certificates.read()
    return acceptLists(pem, accepted, found && parseCertificates(found.pem)[0])
  })
  const trust = (records: AuthorityRecords): AuthorityRecords => ({
    ...records,
    certificates: certificates.within(records.certificates),
    revocationLists: lists.within(records.revocationLists),
  })
  return {
    ...storage,
    certificates,
    revocationLists: lists,
    change: (work) => storage.change((records) => work(trust(records))),
  }
}

/** Version of the copy. */
const copyVersion = 'copy'

/** Throws CA_DATABASE_REJECTED if a text must not replace the accepted text. */
type Accept = (pem: string, accepted: string | undefined) => Promise<void>

/** A document of the storage that is checked against the accepted text, with a copy for outages. */
class TrustedDocument implements StoredDocument {
  readonly place: string
  readonly #stored: StoredDocument
  readonly #copy: string
  readonly #files: Pick<Files, 'readText' | 'stat'>
  readonly #report: (message: string) => void
  readonly #accept: Accept
  #accepted: Document | undefined
  #rejected: { readonly pem: string; readonly version: string; readonly error: unknown } | undefined

  constructor(
    stored: StoredDocument,
    copy: string,
    files: Pick<Files, 'readText' | 'stat'>,
    report: (message: string) => void,
    accept: Accept,
  ) {
    this.place = stored.place
    this.#stored = stored
    this.#copy = copy
    this.#files = files
    this.#report = report
    this.#accept = accept
  }

  async version(): Promise<string | undefined> {
    try {
      const version = await this.#stored.version()
      return version !== undefined && version === this.#rejected?.version ? this.#lastVersion : version
    } catch (error) {
      if (!isCatalogIssue(error, authorityOutages)) throw error
      return this.#lastVersion
    }
  }

  get #lastVersion(): string {
    return this.#accepted?.version ?? copyVersion
  }

  async read(): Promise<Document | undefined> {
    try {
      return await this.#readAccepted(this.#stored)
    } catch (error) {
      const last = isCatalogIssue(error, authorityOutages) ? (this.#accepted ?? (await this.#readCopy())) : undefined
      if (!last) throw error
      return last
    }
  }

  write(pem: string): Promise<void> {
    return this.#stored.write(pem)
  }

  /** Returns the document as a change sees it: checked, but without the copy. */
  within(stored: StoredDocument): StoredDocument {
    return {
      place: stored.place,
      version: () => stored.version(),
      read: () => this.#readAccepted(stored, true),
      write: (pem) => stored.write(pem),
    }
  }

  async #readAccepted(stored: StoredDocument, isChange = false): Promise<Document | undefined> {
    const found = await stored.read()
    if (!found || found.pem === this.#accepted?.pem) return found
    if (found.pem === this.#rejected?.pem) throw this.#rejected.error
    try {
      await this.#accept(found.pem, (this.#accepted ?? (await this.#readCopy()))?.pem)
    } catch (error) {
      this.#rejected = { pem: found.pem, version: found.version, error }
      if (isCatalogIssue(error, authorityOutages)) this.#report(error.diagnostic.message)
      throw error
    }
    // The text of a change may be rolled back.
    if (!isChange) this.#accepted = found
    return found
  }

  async #readCopy(): Promise<Document | undefined> {
    const stat = await this.#files.stat(this.#copy)
    const pem = stat && (await this.#files.readText(this.#copy))
    return pem === undefined ? undefined : { pem, modified: new Date(stat!.modified), version: copyVersion }
  }
}

async function acceptCertificates(pem: string, accepted: string | undefined): Promise<void> {
  const [own, ...others] = parseCertificates(pem)
  const [trusted] = accepted === undefined ? [] : parseCertificates(accepted)
  if (trusted && !isSameKeyPair(trusted.publicKey, own!.publicKey))
    reject('the key of its certificate is not the key of the certificate in localcacert')
  // Servers trust each certificate of the text as a CA.
  const issuers = new Set(others)
  let last = own!
  for (let issuer = findIssuer(last, issuers); issuer; issuer = findIssuer(last, issuers)) {
    issuers.delete(issuer)
    last = issuer
  }
  if (issuers.size > 0) reject('a certificate in the bundle of the CA is not one of its issuers')
}

function findIssuer(certificate: Certificate, among: ReadonlySet<Certificate>): Certificate | undefined {
  if (isRootCertificate(certificate)) return undefined
  return [...among].find(
    ({ subject, publicKey }) => subject.der.equals(certificate.issuer.der) && isSignedBy(certificate, publicKey),
  )
}

async function acceptLists(pem: string, accepted: string | undefined, own: Certificate | undefined): Promise<void> {
  if (!own) return
  const isOwn = ({ issuer }: RevocationList) => issuer.der.equals(own.subject.der)
  const list = (await parseRevocationListsAsync(pem)).find(isOwn)
  if (!list || !isSignedBy(list, own.publicKey)) reject('the CA did not sign its revocation list')
  const before = accepted === undefined ? undefined : (await parseRevocationListsAsync(accepted)).find(isOwn)
  if (before && (list?.number ?? 0n) < (before.number ?? 0n))
    reject('its revocation list is older than the copy of this server')
}

function reject(why: string): never {
  throwIssue(authorityOutages.CA_DATABASE_REJECTED, { why })
}
