import { throwIssue } from '../base/issue.ts'
import { authorityConflicts, authorityFaults } from './issues.ts'
import type { StoredDocument } from './storage/authority-storage.ts'
import type { Certificate } from './x509/certificate.ts'
import {
  buildRevocationList,
  type EntryFilter,
  filterEntries,
  type ListIssuer,
  parseRevocationListsAsync,
  type Revocation,
  type RevocationList,
  toRevocationListPem,
} from './x509/revocation-list.ts'
import { isSignedBy } from './x509/signature.ts'

const dayMs = 86_400_000

/** Default lifetime of a revocation list in milliseconds: 30 days. */
export const usualLifeMs: number = 30 * dayMs

/**
 * Lifetime in milliseconds of a list for clients that never fetch it again: five years, as in Puppet Server. Agents
 * before Puppet 8 fetch the list once, unless `crl_refresh_interval` is set, and trust no certificate after the list
 * has expired.
 */
const longLifeMs = 5 * 365 * dayMs

/** The revocation lists in a document: the CA's own list, and others. */
export interface RevocationContents {
  readonly own: RevocationList
  /** Revocation lists of the parent CAs. */
  readonly others: readonly RevocationList[]
}

/**
 * A document with the CA's own list and the lists of its parent CAs, such as the file `ca_crl.pem`. The document is read
 * again after a change. Methods that change it take the document as the current change sees it.
 */
export class RevocationDocument {
  readonly #document: StoredDocument
  readonly #issuer: ListIssuer
  readonly #lifeMs: number
  #long: { readonly version: string; readonly pem: Promise<string> } | undefined
  #known: { readonly version: string; readonly contents: RevocationContents } | undefined

  constructor(document: StoredDocument, issuer: ListIssuer, lifeMs: number = usualLifeMs) {
    this.#document = document
    this.#issuer = issuer
    this.#lifeMs = lifeMs
  }

  /**
   * Returns the lists with a long lifetime, for clients that never fetch them again. They are created once for each
   * state of the document.
   */
  async longLived(now: Date): Promise<string> {
    const contents = await this.contents()
    const version = (await this.#document.version()) ?? ''
    if (this.#long?.version !== version) {
      const long = { version, pem: this.#buildLongLived(contents, now) }
      this.#long = long
      // The next caller retries a failed signature.
      long.pem.catch(() => {
        if (this.#long === long) this.#long = undefined
      })
    }
    return this.#long.pem
  }

  async #buildLongLived({ own, others }: RevocationContents, now: Date): Promise<string> {
    const number = (own.number ?? 0n) - 1n
    const long = await this.#next({ ...own, number }, [], now, longLifeMs)
    return [long, ...others].map(toRevocationListPem).join('')
  }

  async contents(document: StoredDocument = this.#document): Promise<RevocationContents> {
    const version = (await document.version()) ?? ''
    if (this.#known?.version === version) return this.#known.contents
    const found = await document.read()
    const lists = await parseRevocationListsAsync(found?.pem ?? '')
    const own = lists.find(({ issuer }) => issuer.der.equals(this.#issuer.name.der))
    if (!own) throwIssue(authorityFaults.CA_LIST_MISSING, { file: document.place })
    const contents = { own, others: lists.filter((list) => list !== own) }
    this.#known = { version: found?.version ?? '', contents }
    return contents
  }

  /** Adds entries to the CA's own list. */
  async add(document: StoredDocument, added: readonly Revocation[], now: Date): Promise<void> {
    const { own, others } = await this.contents(document)
    await this.#write(document, await this.#next(own, added, now), others)
  }

  /**
   * Renews the CA's own list if less than half of its lifetime is left, or if its lifetime exceeds the current setting;
   * returns true if the list was renewed.
   */
  async refresh(document: StoredDocument, now: Date): Promise<boolean> {
    const { own, others } = await this.contents(document)
    const left = own.nextUpdate ? own.nextUpdate.getTime() - now.getTime() : Number.POSITIVE_INFINITY
    if (left > this.#lifeMs / 2 && left <= this.#lifeMs && own.thisUpdate <= now) return false
    await this.#write(document, await this.#next(own, [], now), others)
    return true
  }

  /** Renews the CA's own list, keeping only the selected entries. */
  async prune(document: StoredDocument, isKept: EntryFilter, now: Date): Promise<void> {
    const { own, others } = await this.contents(document)
    await this.#write(document, await this.#next(filterEntries(own, isKept), [], now), others)
  }

  /** Writes an empty list of this CA, and the lists `others`. */
  async begin(document: StoredDocument, others: readonly RevocationList[], now: Date): Promise<void> {
    await this.#write(document, await createEmptyRevocationList(this.#issuer, now, this.#lifeMs), others)
  }

  /**
   * Installs newer lists of the parent CAs. Throws NO_LISTS if the text contains none.
   */
  async replaceOthers(document: StoredDocument, pem: string, authorities: readonly Certificate[]): Promise<void> {
    const { own, others } = await this.contents(document)
    const valid = (await parseSubmittedLists(pem)).filter((list) =>
      authorities.some(
        ({ subject, publicKey }) =>
          subject.der.equals(list.issuer.der) &&
          !subject.der.equals(this.#issuer.name.der) &&
          isSignedBy(list, publicKey),
      ),
    )
    if (valid.length === 0) throwIssue(authorityConflicts.NO_LISTS, {})
    const newest = new Map(others.map((list) => [list.issuer.der.toString('hex'), list]))
    for (const list of valid) {
      const key = list.issuer.der.toString('hex')
      if ((list.number ?? 0n) >= (newest.get(key)?.number ?? 0n)) newest.set(key, list)
    }
    await this.#write(document, own, [...newest.values()])
  }

  #next(
    previous: RevocationList,
    added: readonly Revocation[],
    now: Date,
    lifeMs: number = this.#lifeMs,
  ): Promise<RevocationList> {
    return buildRevocationList(this.#issuer, { previous, added, ...computeValidity(now, lifeMs) })
  }

  async #write(document: StoredDocument, own: RevocationList, others: readonly RevocationList[]): Promise<void> {
    await document.write([own, ...others].map(toRevocationListPem).join(''))
    this.#known = { version: (await document.version()) ?? '', contents: { own, others } }
  }
}

/** Returns the empty list of a new CA. */
export function createEmptyRevocationList(
  issuer: ListIssuer,
  now: Date,
  lifeMs: number = usualLifeMs,
): Promise<RevocationList> {
  return buildRevocationList(issuer, computeValidity(now, lifeMs))
}

/** Returns a validity period that begins a day ago, for machines whose clocks are slow. */
function computeValidity(now: Date, lifeMs: number): { readonly thisUpdate: Date; readonly nextUpdate: Date } {
  return { thisUpdate: new Date(now.getTime() - dayMs), nextUpdate: new Date(now.getTime() + lifeMs) }
}

async function parseSubmittedLists(pem: string): Promise<RevocationList[]> {
  try {
    return await parseRevocationListsAsync(pem)
  } catch {
    return throwIssue(authorityConflicts.NO_LISTS, {})
  }
}
