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

/** Files that are looked at for a change at the same time; many, since a busy event loop takes in their answers in rounds. */
const looksAtOnce = 512
/** Files that are read at the same time, each with a descriptor. */
const readsAtOnce = 64
/** Files whose statuses are remembered; some 1.5 KiB each. */
const maxRemembered = 20_000

/** Statuses of all certnames, by the folders of an authority. */
export class Statuses {
  readonly #signed: Folder
  readonly #requests: Folder
  readonly #revocations: RevocationFile

  constructor(signed: Records, requests: Records, revocations: RevocationFile) {
    this.#signed = new Folder(signed, (name, pem) => statusOfCertificate(name, parseCertificate(pem)))
    this.#requests = new Folder(requests, (name, pem) => statusOfRequest(name, parseRequest(pem)))
    this.#revocations = revocations
  }

  /** The status of one certname; `undefined` of an unknown one. */
  async of(name: string): Promise<CertificateStatus | undefined> {
    const signed = await this.#signed.find(name)
    return signed ? unlessRevoked(signed, await this.#revoked()) : this.#requests.find(name)
  }

  /** Statuses of all certnames, or of those in one state, sorted. */
  async all(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    // In this order: what is signed meanwhile is in both, and not in neither.
    const requests = await this.#requests.all()
    const signed = await this.#signed.all()
    const revoked = await this.#revoked()
    const found = new Map([...requests, ...signed].map((status) => [status.name, unlessRevoked(status, revoked)]))
    const sorted = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
    return state === undefined ? sorted : sorted.filter((status) => status.state === state)
  }

  /** Requests that nobody has decided on, damaged ones, too. */
  async waiting(): Promise<readonly WaitingRequest[]> {
    const signed = new Set(await this.#signed.names())
    const found = (await this.#requests.all()).filter(({ name }) => !signed.has(name))
    return found.map(({ name, state, fingerprint }) => ({
      name,
      fingerprint: state === 'broken' ? undefined : fingerprint,
    }))
  }

  async #revoked(): Promise<Revoked> {
    return (await this.#revocations.contents()).own.revoked
  }
}

/** Serial numbers, in hexadecimal. */
type Revoked = { has(serial: string): boolean }

function unlessRevoked(status: CertificateStatus, revoked: Revoked): CertificateStatus {
  const { serial_number: serial } = status
  return serial !== undefined && revoked.has(BigInt(serial).toString(16)) ? { ...status, state: 'revoked' } : status
}

/** Statuses by the files of one folder; a file is read again only when it has changed. */
class Folder {
  readonly #records: Records
  readonly #statusOf: (name: string, pem: string) => CertificateStatus
  readonly #known = new LRUCache<string, { readonly version: string; readonly status: CertificateStatus }>({
    max: maxRemembered,
  })

  constructor(records: Records, statusOf: (name: string, pem: string) => CertificateStatus) {
    this.#records = records
    this.#statusOf = statusOf
  }

  names(): Promise<string[]> {
    return this.#records.names()
  }

  async find(name: string): Promise<CertificateStatus | undefined> {
    return this.#read(name, await this.#records.version(name))
  }

  /** Statuses of all certnames, sorted. */
  async all(): Promise<CertificateStatus[]> {
    const names = await this.names()
    const versions = await mapSeveral(names, looksAtOnce, (name) => this.#records.version(name))
    const files = names.map((name, index) => ({ name, version: versions[index] }))
    const found = await mapSeveral(files, readsAtOnce, ({ name, version }) => this.#read(name, version))
    return found.filter((status) => status !== undefined)
  }

  async #read(name: string, version: string | undefined): Promise<CertificateStatus | undefined> {
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
