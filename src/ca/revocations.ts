import { throwIssue } from '../base/issue.ts'
import type { Files } from '../machine/system/system.ts'
import { type Issuer, toListIssuer } from './certificate-profile.ts'
import type { CaLayout } from './file-layout.ts'
import { findInventoryEntries, parseInventoryAsync, parseInventoryTime } from './inventory.ts'
import { authorityFaults } from './issues.ts'
import type { Records } from './pem-folder.ts'
import { type RevocationContents, RevocationFile } from './revocation-file.ts'
import { type Certificate, parseCertificate } from './x509/certificate.ts'
import {
  indexEntriesBySerial,
  keyCompromise,
  listEntrySerials,
  parseRevocation,
  type Revocation,
  type RevocationList,
} from './x509/revocation-list.ts'

/** Selects the revocation list entries to remove. */
export interface PruneOptions {
  /** Removes repeated entries for one serial. */
  readonly duplicates?: boolean
  /** Removes entries of certificates that have expired according to the inventory. */
  readonly expired?: boolean
  readonly serials?: readonly bigint[]
  readonly names?: readonly string[]
}

/** Number of entries before the removal, and numbers of removed entries by reason. */
export interface PruneResult {
  readonly total: number
  readonly duplicates: number
  readonly entries: number
}

/** Dependencies for revoking certificates. */
export interface RevocationParts {
  readonly files: Files
  readonly layout: CaLayout
  readonly issuer: Issuer
  readonly signed: Records
  /** Lifetime of a list in milliseconds. */
  readonly lifeMs: number
  /** True to send agents only the revocation list for infrastructure nodes. */
  readonly isInfraServed: boolean
}

/**
 * The CA's revocation lists: the full list (`ca_crl.pem`), and the list for infrastructure nodes (`infra_crl.pem`),
 * whose names are in `infra_inventory.txt`. The caller of a method that changes a list must hold the CA's lock.
 */
export class Revocations {
  readonly #parts: RevocationParts
  readonly #whole: RevocationFile
  readonly #infra: RevocationFile
  /** Cached entries of lists by serial; discarded with the list. */
  readonly #entries = new WeakMap<RevocationList, Promise<ReadonlyMap<string, Buffer>>>()

  constructor(parts: RevocationParts) {
    const { files, layout, issuer, lifeMs } = parts
    this.#parts = parts
    this.#whole = new RevocationFile(files, layout.revocationList, toListIssuer(issuer), lifeMs)
    this.#infra = new RevocationFile(files, layout.infraRevocationList, toListIssuer(issuer), lifeMs)
  }

  contents(): Promise<RevocationContents> {
    return this.#whole.contents()
  }

  /** The revocation file that is sent to agents. */
  get served(): string {
    const { layout, isInfraServed } = this.#parts
    return isInfraServed ? layout.infraRevocationList : layout.revocationList
  }

  /** Returns the same lists with a long lifetime, for agents that never fetch them again. */
  servedForEver(now: Date): Promise<string> {
    return (this.#parts.isInfraServed ? this.#infra : this.#whole).longLived(now)
  }

  async isRevoked(serial: bigint): Promise<boolean> {
    return (await this.contents()).own.revoked.has(serial.toString(16))
  }

  /** Returns the revocation of a serial; `undefined` if it is not revoked. */
  async find(serial: bigint): Promise<Revocation | undefined> {
    const { own } = await this.contents()
    const key = serial.toString(16)
    if (!own.revoked.has(key)) return undefined
    const entries = this.#entries.get(own) ?? indexEntriesBySerial(own)
    this.#entries.set(own, entries)
    return parseRevocation((await entries).get(key)!)
  }

  /** Revokes all certificates ever issued to these names. Returns false if there are none. */
  async revoke(names: readonly string[], now: Date): Promise<boolean> {
    const serials = await this.#listSerials(names)
    await addRevocations(this.#whole, serials, now)
    // The full list, which the server itself uses, is written first. After a crash, the next revocation completes the
    // other list.
    if (await this.#infra.exists()) {
      const infra = await this.#infraNames()
      const named = names.filter((name) => infra.has(name))
      if (named.length > 0) await addRevocations(this.#infra, await this.#listSerials(named), now)
    }
    return serials.size > 0
  }

  /** Renews the lists after half of their lifetime; returns true if at least one list was renewed. */
  async refresh(now: Date): Promise<boolean> {
    const whole = await this.#whole.refresh(now)
    const infra = (await this.#infra.exists()) && (await this.#infra.refresh(now))
    return whole || infra
  }

  /** Installs newer lists of the parent CAs in both files. Throws NO_LISTS if the text contains none. */
  async replaceOthers(pem: string, authorities: readonly Certificate[]): Promise<void> {
    await this.#whole.replaceOthers(pem, authorities)
    if (await this.#infra.exists()) await this.#infra.replaceOthers(pem, authorities)
  }

  /** Removes entries from the full list. Does not write the file if no entry is removed. */
  async prune({ duplicates, expired, serials = [], names = [] }: PruneOptions, now: Date): Promise<PruneResult> {
    const { own } = await this.contents()
    const all = listEntrySerials(own)
    const gone = new Set(serials.map((serial) => serial.toString(16)))
    if (names.length > 0) for (const serial of await this.#listSerials(names)) gone.add(serial.toString(16))
    if (expired) for (const serial of await this.#expired(own, now)) gone.add(serial)
    const firsts = new Map(all.map((serial, index) => [serial, index] as const).toReversed())
    const isDuplicate = (index: number) => duplicates === true && firsts.get(all[index]!) !== index
    const entries = all.filter((serial) => gone.has(serial)).length
    const repeated = all.filter((serial, index) => !gone.has(serial) && isDuplicate(index)).length
    if (entries + repeated > 0)
      await this.#whole.prune((serial, index) => !gone.has(serial) && !isDuplicate(index), now)
    return { total: all.length, duplicates: repeated, entries }
  }

  /** Creates the list for infrastructure nodes. Throws INFRA_INVENTORY_MISSING, INFRA_LIST_EXISTS. */
  async beginInfra(now: Date): Promise<void> {
    const { files, layout } = this.#parts
    const { infraInventory, infraRevocationList: file } = layout
    if (!(await files.stat(infraInventory)))
      throwIssue(authorityFaults.INFRA_INVENTORY_MISSING, { file: infraInventory })
    if (await this.#infra.exists()) throwIssue(authorityFaults.INFRA_LIST_EXISTS, { file })
    await this.#infra.begin((await this.contents()).others, now)
  }

  /** Returns the serials of all certificates issued to these names, from the inventory and the current files. */
  async #listSerials(names: readonly string[]): Promise<Set<bigint>> {
    const subjects = new Set(names.map((name) => `/CN=${name}`))
    const entries = await findInventoryEntries(await this.#inventory(), subjects)
    const serials = new Set(entries.map(({ serial }) => serial))
    for (const name of names) {
      const pem = await this.#parts.signed.read(name)
      const serial = pem === undefined ? undefined : findCertificateSerial(pem)
      if (serial !== undefined) serials.add(serial)
    }
    return serials
  }

  async #expired({ revoked }: RevocationList, now: Date): Promise<string[]> {
    const entries = await parseInventoryAsync(await this.#inventory())
    const ended = entries.filter(({ notAfter }) => parseInventoryTime(notAfter) < now)
    return ended.map(({ serial }) => serial.toString(16)).filter((serial) => revoked.has(serial))
  }

  async #inventory(): Promise<string> {
    return (await this.#parts.files.readText(this.#parts.layout.inventory)) ?? ''
  }

  async #infraNames(): Promise<ReadonlySet<string>> {
    const text = (await this.#parts.files.readText(this.#parts.layout.infraInventory)) ?? ''
    const names = text.split('\n').map((line) => line.trim())
    return new Set(names.filter((name) => name !== ''))
  }
}

async function addRevocations(file: RevocationFile, serials: ReadonlySet<bigint>, date: Date): Promise<void> {
  const { revoked } = (await file.contents()).own
  const added = [...serials].filter((serial) => !revoked.has(serial.toString(16)))
  if (added.length === 0) return
  await file.add(
    added.map((serial) => ({ serial, date, reason: keyCompromise })),
    date,
  )
}

/**
 * Returns the serial of a certificate. Returns `undefined` for a damaged certificate, whose serial is also in the
 * inventory.
 */
function findCertificateSerial(pem: string): bigint | undefined {
  try {
    return parseCertificate(pem).serial
  } catch {
    return undefined
  }
}
