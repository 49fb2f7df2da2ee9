import { throwIssue } from '../base/issue.ts'
import { type Issuer, toListIssuer } from './certificate-profile.ts'
import { authorityFaults } from './issues.ts'
import { type RevocationContents, RevocationDocument } from './revocation-document.ts'
import type { AuthorityRecords, StoredDocument } from './storage/authority-storage.ts'
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
  readonly storage: AuthorityRecords
  readonly issuer: Issuer
  /** Lifetime of a list in milliseconds. */
  readonly lifeMs: number
  /** True to send agents only the revocation list for infrastructure nodes. */
  readonly isInfraServed: boolean
}

/**
 * The CA's revocation lists: the full list, and the list for infrastructure nodes, if the storage has one. Methods that
 * change a list take the records of the current change.
 */
export class Revocations {
  readonly #whole: RevocationDocument
  readonly #infra: RevocationDocument | undefined
  readonly #served: { readonly document: RevocationDocument; readonly stored: StoredDocument }
  /** Cached entries of lists by serial; discarded with the list. */
  readonly #entries = new WeakMap<RevocationList, Promise<ReadonlyMap<string, Buffer>>>()

  constructor({ storage, issuer, lifeMs, isInfraServed }: RevocationParts) {
    const open = (stored: StoredDocument) => new RevocationDocument(stored, toListIssuer(issuer), lifeMs)
    this.#whole = open(storage.revocationLists)
    this.#infra = storage.infra && open(storage.infra.lists)
    this.#served = { document: this.#whole, stored: storage.revocationLists }
    if (isInfraServed && this.#infra) this.#served = { document: this.#infra, stored: storage.infra!.lists }
  }

  contents(): Promise<RevocationContents> {
    return this.#whole.contents()
  }

  /** The lists that are sent to agents. */
  get served(): StoredDocument {
    return this.#served.stored
  }

  /** Returns the same lists with a long lifetime, for agents that never fetch them again. */
  servedForEver(now: Date): Promise<string> {
    return this.#served.document.longLived(now)
  }

  /** Returns true if the serial is revoked, according to the current change or to the last completed one. */
  async isRevoked(serial: bigint, records?: AuthorityRecords): Promise<boolean> {
    return (await this.#whole.contents(records?.revocationLists)).own.revoked.has(serial.toString(16))
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
  async revoke(records: AuthorityRecords, names: readonly string[], now: Date): Promise<boolean> {
    const serials = await listSerials(records, names)
    await addRevocations(this.#whole, records.revocationLists, serials, now)
    // The full list, which the server itself uses, is written first. After a crash, the next revocation completes the
    // other list.
    const lists = await findInfraLists(records)
    if (lists && this.#infra) {
      const infra = (await records.infra?.names()) ?? new Set()
      const named = names.filter((name) => infra.has(name))
      if (named.length > 0) await addRevocations(this.#infra, lists, await listSerials(records, named), now)
    }
    return serials.size > 0
  }

  /** Renews the lists after half of their lifetime; returns true if at least one list was renewed. */
  async refresh(records: AuthorityRecords, now: Date): Promise<boolean> {
    const whole = await this.#whole.refresh(records.revocationLists, now)
    const lists = await findInfraLists(records)
    const infra = lists !== undefined && (await this.#infra?.refresh(lists, now)) === true
    return whole || infra
  }

  /** Installs newer lists of the parent CAs in both documents. Throws NO_LISTS if the text contains none. */
  async replaceOthers(records: AuthorityRecords, pem: string, authorities: readonly Certificate[]): Promise<void> {
    await this.#whole.replaceOthers(records.revocationLists, pem, authorities)
    const lists = await findInfraLists(records)
    if (lists) await this.#infra?.replaceOthers(lists, pem, authorities)
  }

  /** Removes entries from the full list. Does not write the list if no entry is removed. */
  async prune(records: AuthorityRecords, options: PruneOptions, now: Date): Promise<PruneResult> {
    const { duplicates, expired, serials = [], names = [] } = options
    const { own } = await this.#whole.contents(records.revocationLists)
    const all = listEntrySerials(own)
    const gone = new Set(serials.map((serial) => serial.toString(16)))
    if (names.length > 0) for (const serial of await listSerials(records, names)) gone.add(serial.toString(16))
    if (expired) for (const serial of await records.inventory.listExpired(now)) gone.add(serial.toString(16))
    const firsts = new Map(all.map((serial, index) => [serial, index] as const).toReversed())
    const isDuplicate = (index: number) => duplicates === true && firsts.get(all[index]!) !== index
    const entries = all.filter((serial) => gone.has(serial)).length
    const repeated = all.filter((serial, index) => !gone.has(serial) && isDuplicate(index)).length
    const isKept = (serial: string, index: number) => !gone.has(serial) && !isDuplicate(index)
    if (entries + repeated > 0) await this.#whole.prune(records.revocationLists, isKept, now)
    return { total: all.length, duplicates: repeated, entries }
  }

  /** Creates the list for infrastructure nodes. Throws INFRA_UNSUPPORTED, INFRA_INVENTORY_MISSING, INFRA_LIST_EXISTS. */
  async beginInfra(records: AuthorityRecords, now: Date): Promise<void> {
    const { infra } = records
    if (!infra || !this.#infra) throwIssue(authorityFaults.INFRA_UNSUPPORTED, {})
    if ((await infra.names()) === undefined)
      throwIssue(authorityFaults.INFRA_INVENTORY_MISSING, { file: infra.namesPlace })
    if ((await infra.lists.version()) !== undefined)
      throwIssue(authorityFaults.INFRA_LIST_EXISTS, { file: infra.lists.place })
    await this.#infra.begin(infra.lists, (await this.#whole.contents(records.revocationLists)).others, now)
  }
}

/** Returns the lists for infrastructure nodes; `undefined` if there are none. */
async function findInfraLists({ infra }: AuthorityRecords): Promise<StoredDocument | undefined> {
  return infra && (await infra.lists.version()) !== undefined ? infra.lists : undefined
}

/** Returns the serials of all certificates issued to these names, from the inventory and the current certificates. */
async function listSerials({ inventory, signed }: AuthorityRecords, names: readonly string[]): Promise<Set<bigint>> {
  const serials = new Set(await inventory.listSerials(names))
  for (const name of names) {
    const pem = await signed.read(name)
    const serial = pem === undefined ? undefined : findCertificateSerial(pem)
    if (serial !== undefined) serials.add(serial)
  }
  return serials
}

async function addRevocations(
  list: RevocationDocument,
  stored: StoredDocument,
  serials: ReadonlySet<bigint>,
  date: Date,
): Promise<void> {
  const { revoked } = (await list.contents(stored)).own
  const added = [...serials].filter((serial) => !revoked.has(serial.toString(16)))
  if (added.length === 0) return
  await list.add(
    stored,
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
