import { createGrowingLru } from '../../base/lru-cache.ts'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import { type CertificateStatus, toRequestStatus, tryReadStatus } from '../certificate-status.ts'
import { listNamesWithRecords, publicFileMode, type Records } from '../pem-folder.ts'
import { parseCertificateRequest } from '../x509/certificate-request.ts'
import type { PendingRequests } from './authority-storage.ts'

/** Files checked concurrently. The number is high, since a busy event loop receives the results in batches. */
const looksAtOnce = 512
/** Files read concurrently. The number is low, since each file needs a descriptor. */
const readsAtOnce = 64
/** Number of cached request statuses, of about 1.5 KiB each. */
const maxRemembered = 20_000
/** Permissions of an undecided request; afterwards, all users can read the file. */
const undecided = 0o600

/** The pending requests in a folder. The status of a request is computed again only after a change of its file. */
export class FolderRequests implements PendingRequests {
  readonly #records: Records
  readonly #known = createGrowingLru<{ readonly version: string; readonly status: CertificateStatus }>(maxRemembered)

  constructor(records: Records) {
    this.#records = records
  }

  read(name: string): Promise<string | undefined> {
    return this.#records.read(name)
  }

  write(name: string, pem: string): Promise<void> {
    return this.#records.write(name, pem, undecided)
  }

  async isUndecided(name: string): Promise<boolean> {
    return (await this.#records.mode(name)) === undecided
  }

  settle(name: string): Promise<void> {
    return this.#records.setMode(name, publicFileMode)
  }

  remove(name: string): Promise<boolean> {
    return this.#records.remove(name)
  }

  names(): Promise<readonly string[]> {
    return this.#records.names()
  }

  async count(): Promise<number> {
    return (await this.#records.names()).length
  }

  findPresent(names: readonly string[]): Promise<ReadonlySet<string>> {
    return listNamesWithRecords(this.#records, names)
  }

  async status(name: string): Promise<CertificateStatus | undefined> {
    return this.#readStatus(name, await this.#records.version(name))
  }

  async statuses(): Promise<CertificateStatus[]> {
    const names = await this.#records.names()
    const versions = await mapConcurrently(names, looksAtOnce, (name) => this.#records.version(name))
    const files = names.map((name, index) => ({ name, version: versions[index] }))
    const found = await mapConcurrently(files, readsAtOnce, ({ name, version }) => this.#readStatus(name, version))
    return found.filter((status) => status !== undefined)
  }

  async #readStatus(name: string, version: string | undefined): Promise<CertificateStatus | undefined> {
    if (version === undefined) return undefined
    const known = this.#known.get(name)
    if (known?.version === version) return known.status
    const pem = await this.#records.read(name)
    if (pem === undefined) return undefined
    const status = tryReadStatus(name, () => toRequestStatus(name, parseCertificateRequest(pem)))
    this.#known.set(name, { version, status })
    return status
  }
}
