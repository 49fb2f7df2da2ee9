import { fail } from '../base/issue.ts'
import { type Files, fileVersion } from '../system/system.ts'
import type { Certificate } from '../x509/certificate.ts'
import {
  buildRevocationList,
  type ListIssuer,
  parseRevocationListsInTurns,
  type Revocation,
  type RevocationList,
  revocationListPem,
} from '../x509/revocation-list.ts'
import { isSignedBy } from '../x509/signed.ts'
import { conflicts, troubles } from './issues.ts'

/** Five years, and the last month of them, in milliseconds. */
const lifetimeMs = 5 * 365 * 86_400_000
const renewal = 30 * 86_400_000

interface Contents {
  readonly own: RevocationList
  /** Revocation lists of the authorities above ours. */
  readonly others: readonly RevocationList[]
}

/** The file `ca_crl.pem`: our own list, and those of the authorities above. Read anew when it changed. */
export class RevocationFile {
  readonly #files: Files
  readonly #path: string
  readonly #issuer: ListIssuer
  #known: { readonly version: string; readonly contents: Contents } | undefined

  constructor(files: Files, path: string, issuer: ListIssuer) {
    this.#files = files
    this.#path = path
    this.#issuer = issuer
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

  /** Issues our own list anew when it soon ends; says whether it did. To be called under the lock. */
  async refresh(now: Date): Promise<boolean> {
    const { own, others } = await this.contents()
    if (own.nextUpdate && own.nextUpdate.getTime() - now.getTime() > renewal) return false
    await this.#write(this.#next(own, [], now), others)
    return true
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

  #next(previous: RevocationList, added: readonly Revocation[], now: Date): RevocationList {
    return buildRevocationList(this.#issuer, {
      previous,
      added,
      thisUpdate: new Date(now.getTime() - 86_400_000),
      nextUpdate: new Date(now.getTime() + lifetimeMs),
    })
  }

  async #write(own: RevocationList, others: readonly RevocationList[]): Promise<void> {
    await this.#files.write(this.#path, [own, ...others].map(revocationListPem).join(''), 0o644)
    this.#known = { version: await this.#version(), contents: { own, others } }
  }
}

/** The list of a new authority: nobody is revoked. */
export function firstRevocationList(issuer: ListIssuer, now: Date): RevocationList {
  return buildRevocationList(issuer, {
    thisUpdate: new Date(now.getTime() - 86_400_000),
    nextUpdate: new Date(now.getTime() + lifetimeMs),
  })
}

async function submitted(pem: string): Promise<RevocationList[]> {
  try {
    return await parseRevocationListsInTurns(pem)
  } catch {
    return fail(conflicts.NO_LISTS, {})
  }
}
