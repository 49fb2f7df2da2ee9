import { fail } from '../base/issue.ts'
import { type Files, fileVersion } from '../machine/system/system.ts'
import { conflicts, troubles } from './issues.ts'
import type { Certificate } from './x509/certificate.ts'
import {
  buildRevocationList,
  type EntryChoice,
  type ListIssuer,
  parseRevocationListsInTurns,
  type Revocation,
  type RevocationList,
  revocationListPem,
  withEntries,
} from './x509/revocation-list.ts'
import { isSignedBy } from './x509/signed.ts'

const dayMs = 86_400_000

/** Milliseconds for which a list is good where nothing else is said: 30 days. */
export const usualLifeMs: number = 30 * dayMs

/**
 * Milliseconds for which a list is good that its reader never fetches again: five years, as Puppet Server has them. Puppet's
 * agents before 8 fetch a list once, unless `crl_refresh_interval` is set there, and trust nobody when it has ended.
 */
const longLifeMs = 5 * 365 * dayMs

/** Lists that a file holds. */
export interface Contents {
  readonly own: RevocationList
  /** Revocation lists of the authorities above ours. */
  readonly others: readonly RevocationList[]
}

/** The file `ca_crl.pem`: our own list, and those of the authorities above. Read anew when it changed. */
export class RevocationFile {
  readonly #files: Files
  readonly #path: string
  readonly #issuer: ListIssuer
  readonly #lifeMs: number
  #long: { readonly version: string; readonly pem: string } | undefined
  #known: { readonly version: string; readonly contents: Contents } | undefined

  constructor(files: Files, path: string, issuer: ListIssuer, lifeMs: number = usualLifeMs) {
    this.#files = files
    this.#path = path
    this.#issuer = issuer
    this.#lifeMs = lifeMs
  }

  /** True where the file is there. */
  async exists(): Promise<boolean> {
    return (await this.#files.stat(this.#path)) !== undefined
  }

  /** The same lists for a reader that never fetches them again; made when they are asked for, once for each state of the file. */
  async longLived(now: Date): Promise<string> {
    const { own, others } = await this.contents()
    const version = await this.#version()
    if (this.#long?.version === version) return this.#long.pem
    const number = (own.number ?? 0n) - 1n
    const long = this.#next({ ...own, number }, [], now, longLifeMs)
    const pem = [long, ...others].map(revocationListPem).join('')
    this.#long = { version, pem }
    return pem
  }

  async contents(): Promise<Contents> {
    const version = await this.#version()
    if (this.#known?.version === version) return this.#known.contents
    const lists = await parseRevocationListsInTurns((await this.#files.readText(this.#path)) ?? '')
    const own = lists.find(({ issuer }) => issuer.der.equals(this.#issuer.name.der))
    if (!own) fail(troubles.CA_LIST_MISSING, { file: this.#path })
    const contents = { own, others: lists.filter((list) => list !== own) }
    this.#known = { version, contents }
    return contents
  }

  /** Adds to our own list. To be called under the lock. */
  async add(added: readonly Revocation[], now: Date): Promise<void> {
    const { own, others } = await this.contents()
    await this.#write(this.#next(own, added, now), others)
  }

  /**
   * Issues our own list anew when less than half of its life is left, or when it is good for longer than lists are now; says
   * whether it did. To be called under the lock.
   */
  async refresh(now: Date): Promise<boolean> {
    const { own, others } = await this.contents()
    const left = own.nextUpdate ? own.nextUpdate.getTime() - now.getTime() : Number.POSITIVE_INFINITY
    if (left > this.#lifeMs / 2 && left <= this.#lifeMs && own.thisUpdate <= now) return false
    await this.#write(this.#next(own, [], now), others)
    return true
  }

  /** Issues our own list with some of its entries. To be called under the lock. */
  async prune(isKept: EntryChoice, now: Date): Promise<void> {
    const { own, others } = await this.contents()
    await this.#write(this.#next(withEntries(own, isKept), [], now), others)
  }

  /** Begins the file with an empty list of ours, beside `others`. To be called under the lock. */
  async begin(others: readonly RevocationList[], now: Date): Promise<void> {
    await this.#write(firstRevocationList(this.#issuer, now, this.#lifeMs), others)
  }

  /** Takes newer lists of the authorities above, under the lock. Throws NO_LISTS when no such list is among them. */
  async replaceOthers(pem: string, authorities: readonly Certificate[]): Promise<void> {
    const { own, others } = await this.contents()
    const valid = (await submitted(pem)).filter((list) =>
      authorities.some(
        ({ subject, publicKey }) =>
          subject.der.equals(list.issuer.der) &&
          !subject.der.equals(this.#issuer.name.der) &&
          isSignedBy(list, publicKey),
      ),
    )
    if (valid.length === 0) fail(conflicts.NO_LISTS, {})
    const newest = new Map(others.map((list) => [list.issuer.der.toString('hex'), list]))
    for (const list of valid) {
      const key = list.issuer.der.toString('hex')
      if ((list.number ?? 0n) >= (newest.get(key)?.number ?? 0n)) newest.set(key, list)
    }
    await this.#write(own, [...newest.values()])
  }

  async #version(): Promise<string> {
    const stat = await this.#files.stat(this.#path)
    return stat ? fileVersion(stat) : ''
  }

  #next(
    previous: RevocationList,
    added: readonly Revocation[],
    now: Date,
    lifeMs: number = this.#lifeMs,
  ): RevocationList {
    return buildRevocationList(this.#issuer, { previous, added, ...spanFrom(now, lifeMs) })
  }

  async #write(own: RevocationList, others: readonly RevocationList[]): Promise<void> {
    await this.#files.write(this.#path, [own, ...others].map(revocationListPem).join(''), 0o644)
    this.#known = { version: await this.#version(), contents: { own, others } }
  }
}

/** The list of a new authority: nobody is revoked. */
export function firstRevocationList(issuer: ListIssuer, now: Date, lifeMs: number = usualLifeMs): RevocationList {
  return buildRevocationList(issuer, spanFrom(now, lifeMs))
}

/** From a day ago, for clocks that are behind. */
function spanFrom(now: Date, lifeMs: number): { readonly thisUpdate: Date; readonly nextUpdate: Date } {
  return { thisUpdate: new Date(now.getTime() - dayMs), nextUpdate: new Date(now.getTime() + lifeMs) }
}

async function submitted(pem: string): Promise<RevocationList[]> {
  try {
    return await parseRevocationListsInTurns(pem)
  } catch {
    return fail(conflicts.NO_LISTS, {})
  }
}
