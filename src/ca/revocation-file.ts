import { throwIssue } from '../base/issue.ts'
import { type Files, getFileVersion } from '../machine/system/system.ts'
import { authorityConflicts, authorityFaults } from './issues.ts'
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

/** The revocation lists in a file: the CA's own list, and others. */
export interface RevocationContents {
  readonly own: RevocationList
  /** Revocation lists of the parent CAs. */
  readonly others: readonly RevocationList[]
}

/**
 * The file `ca_crl.pem`, with the CA's own list and the lists of its parent CAs. The file is read again after a change.
 */
export class RevocationFile {
  readonly #files: Files
  readonly #path: string
  readonly #issuer: ListIssuer
  readonly #lifeMs: number
  #long: { readonly version: string; readonly pem: string } | undefined
  #known: { readonly version: string; readonly contents: RevocationContents } | undefined

  constructor(files: Files, path: string, issuer: ListIssuer, lifeMs: number = usualLifeMs) {
    this.#files = files
    this.#path = path
    this.#issuer = issuer
    this.#lifeMs = lifeMs
  }

  /** Returns true if the file exists. */
  async exists(): Promise<boolean> {
    return (await this.#files.stat(this.#path)) !== undefined
  }

  /**
   * Returns the lists with a long lifetime, for clients that never fetch them again. They are created once for each
   * state of the file.
   */
  async longLived(now: Date): Promise<string> {
    const { own, others } = await this.contents()
    const version = await this.#version()
    if (this.#long?.version === version) return this.#long.pem
    const number = (own.number ?? 0n) - 1n
    const long = this.#next({ ...own, number }, [], now, longLifeMs)
    const pem = [long, ...others].map(toRevocationListPem).join('')
    this.#long = { version, pem }
    return pem
  }

  async contents(): Promise<RevocationContents> {
    const version = await this.#version()
    if (this.#known?.version === version) return this.#known.contents
    const lists = await parseRevocationListsAsync((await this.#files.readText(this.#path)) ?? '')
    const own = lists.find(({ issuer }) => issuer.der.equals(this.#issuer.name.der))
    if (!own) throwIssue(authorityFaults.CA_LIST_MISSING, { file: this.#path })
    const contents = { own, others: lists.filter((list) => list !== own) }
    this.#known = { version, contents }
    return contents
  }

  /** Adds entries to the CA's own list. The caller must hold the lock. */
  async add(added: readonly Revocation[], now: Date): Promise<void> {
    const { own, others } = await this.contents()
    await this.#write(this.#next(own, added, now), others)
  }

  /**
   * Renews the CA's own list if less than half of its lifetime is left, or if its lifetime exceeds the current setting;
   * returns true if the list was renewed. The caller must hold the lock.
   */
  async refresh(now: Date): Promise<boolean> {
    const { own, others } = await this.contents()
    const left = own.nextUpdate ? own.nextUpdate.getTime() - now.getTime() : Number.POSITIVE_INFINITY
    if (left > this.#lifeMs / 2 && left <= this.#lifeMs && own.thisUpdate <= now) return false
    await this.#write(this.#next(own, [], now), others)
    return true
  }

  /** Renews the CA's own list, keeping only the selected entries. The caller must hold the lock. */
  async prune(isKept: EntryFilter, now: Date): Promise<void> {
    const { own, others } = await this.contents()
    await this.#write(this.#next(filterEntries(own, isKept), [], now), others)
  }

  /** Creates the file with an empty list of this CA, and with the lists `others`. The caller must hold the lock. */
  async begin(others: readonly RevocationList[], now: Date): Promise<void> {
    await this.#write(createEmptyRevocationList(this.#issuer, now, this.#lifeMs), others)
  }

  /**
   * Installs newer lists of the parent CAs; the caller must hold the lock. Throws NO_LISTS if the text contains none.
   */
  async replaceOthers(pem: string, authorities: readonly Certificate[]): Promise<void> {
    const { own, others } = await this.contents()
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
    await this.#write(own, [...newest.values()])
  }

  async #version(): Promise<string> {
    const stat = await this.#files.stat(this.#path)
    return stat ? getFileVersion(stat) : ''
  }

  #next(
    previous: RevocationList,
    added: readonly Revocation[],
    now: Date,
    lifeMs: number = this.#lifeMs,
  ): RevocationList {
    return buildRevocationList(this.#issuer, { previous, added, ...computeValidity(now, lifeMs) })
  }

  async #write(own: RevocationList, others: readonly RevocationList[]): Promise<void> {
    await this.#files.write(this.#path, [own, ...others].map(toRevocationListPem).join(''), 0o644)
    this.#known = { version: await this.#version(), contents: { own, others } }
  }
}

/** Returns the empty list of a new CA. */
export function createEmptyRevocationList(issuer: ListIssuer, now: Date, lifeMs: number = usualLifeMs): RevocationList {
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
