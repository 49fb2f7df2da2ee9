import { LRUCache } from 'lru-cache'
import { mapSeveral } from '../base/several-at-once.ts'
import { parseCertificate } from '../x509/certificate.ts'
import { parseRequest } from '../x509/certificate-request.ts'
import type { WaitingRequest } from './certificate-authority.ts'
import type { Records } from './records.ts'
import type { RevocationFile } from './revocation-file.ts'
import {
  type CertificateState,
  type CertificateStatus,
  statusOfCertificate,
  statusOfRequest,
  unlessBroken,
} from './status.ts'

/** Files that are read at the same time. */
const atOnce = 64
/** What is remembered of files that were read; some 1.5 KiB each. */
const remembered = 10_000

/** What the folders of an authority say of each name. */
export class Statuses {
  readonly #signed: Folder
  readonly #requests: Folder
  readonly #revocations: RevocationFile

  constructor(signed: Records, requests: Records, revocations: RevocationFile) {
    this.#signed = new Folder(signed, (name, pem) => statusOfCertificate(name, parseCertificate(pem)))
    this.#requests = new Folder(requests, (name, pem) => statusOfRequest(name, parseRequest(pem)))
    this.#revocations = revocations
  }

  /** Of one name; `undefined` when nothing is known of it. */
  async of(name: string): Promise<CertificateStatus | undefined> {
    return this.#find(name, await this.#revoked())
  }

  /** Of all names, sorted by them; only those of a state if one is given. */
  async all(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    const names = new Set([...(await this.#signed.names()), ...(await this.#requests.names())])
    const found = await this.#findAll([...names].sort())
    return state === undefined ? found : found.filter((status) => status.state === state)
  }

  /** Requests that nobody has decided on, damaged ones, too. */
  async waiting(): Promise<readonly WaitingRequest[]> {
    const found = await this.#findAll(await this.#requests.names())
    return found
      .filter(({ state }) => state === 'requested' || state === 'broken')
      .map(({ name, state, fingerprint }) => ({ name, fingerprint: state === 'broken' ? undefined : fingerprint }))
  }

  async #findAll(names: readonly string[]): Promise<CertificateStatus[]> {
    const revoked = await this.#revoked()
    const found = await mapSeveral(names, atOnce, (name) => this.#find(name, revoked))
    return found.filter((status) => status !== undefined)
  }

  async #find(name: string, revoked: Revoked): Promise<CertificateStatus | undefined> {
    const signed = await this.#signed.find(name)
    if (!signed) return this.#requests.find(name)
    const { serial_number: serial } = signed
    return serial !== undefined && revoked.has(BigInt(serial).toString(16)) ? { ...signed, state: 'revoked' } : signed
  }

  async #revoked(): Promise<Revoked> {
    return (await this.#revocations.contents()).own.revoked
  }
}

/** Serial numbers, in hexadecimal. */
type Revoked = { has(serial: string): boolean }

/** What the files of one folder say; a file is read again only when it has changed. */
class Folder {
  readonly #records: Records
  readonly #statusOf: (name: string, pem: string) => CertificateStatus
  readonly #known = new LRUCache<string, { readonly version: string; readonly status: CertificateStatus }>({
    max: remembered,
  })

  constructor(records: Records, statusOf: (name: string, pem: string) => CertificateStatus) {
    this.#records = records
    this.#statusOf = statusOf
  }

  names(): Promise<string[]> {
    return this.#records.names()
  }

  async find(name: string): Promise<CertificateStatus | undefined> {
    const version = await this.#records.version(name)
    if (version === undefined) return undefined
    const known = this.#known.get(name)
    if (known?.version === version) return known.status
    const pem = await this.#records.read(name)
    if (pem === undefined) return undefined
    const status = unlessBroken(name, () => this.#statusOf(name, pem))
    this.#known.set(name, { version, status })
    return status
  }
}
