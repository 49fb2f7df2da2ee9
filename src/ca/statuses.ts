import { createHash } from 'node:crypto'
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
const atOnce = 16
/** What is remembered of files that were read; some 1.5 KiB each. */
const remembered = 10_000

/** What the folders of an authority say of each name. What a file says is worked out once for its content. */
export class Statuses {
  readonly #signed: Records
  readonly #requests: Records
  readonly #revocations: RevocationFile
  readonly #known = new LRUCache<string, CertificateStatus>({ max: remembered })

  constructor(signed: Records, requests: Records, revocations: RevocationFile) {
    this.#signed = signed
    this.#requests = requests
    this.#revocations = revocations
  }

  /** Of one name; `undefined` when nothing is known of it. */
  async of(name: string): Promise<CertificateStatus | undefined> {
    return this.#read(name, await this.#revoked())
  }

  /** Of all names, sorted by them; only those of a state if one is given. */
  async all(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    const names = new Set([...(await this.#signed.names()), ...(await this.#requests.names())])
    const found = await this.#readAll([...names].sort())
    return state === undefined ? found : found.filter((status) => status.state === state)
  }

  /** Requests that nobody has decided on, damaged ones, too. */
  async waiting(): Promise<readonly WaitingRequest[]> {
    const found = await this.#readAll(await this.#requests.names())
    return found
      .filter(({ state }) => state === 'requested' || state === 'broken')
      .map(({ name, state, fingerprint }) => ({ name, fingerprint: state === 'broken' ? undefined : fingerprint }))
  }

  async #readAll(names: readonly string[]): Promise<CertificateStatus[]> {
    const revoked = await this.#revoked()
    const read = await mapSeveral(names, atOnce, (name) => this.#read(name, revoked))
    return read.filter((status) => status !== undefined)
  }

  async #read(name: string, revoked: Revoked): Promise<CertificateStatus | undefined> {
    const signed = await this.#signed.read(name)
    if (signed !== undefined) {
      const status = this.#worked(name, signed, () => statusOfCertificate(name, parseCertificate(signed)))
      const { serial_number: serial } = status
      return serial !== undefined && revoked.has(BigInt(serial).toString(16)) ? { ...status, state: 'revoked' } : status
    }
    const requested = await this.#requests.read(name)
    if (requested === undefined) return undefined
    return this.#worked(name, requested, () => statusOfRequest(name, parseRequest(requested)))
  }

  #worked(name: string, text: string, read: () => CertificateStatus): CertificateStatus {
    const content = createHash('sha256').update(`${name}\n${text}`).digest('base64')
    const known = this.#known.get(content) ?? unlessBroken(name, read)
    this.#known.set(content, known)
    return known
  }

  async #revoked(): Promise<Revoked> {
    return (await this.#revocations.contents()).own.revoked
  }
}

/** Serial numbers, in hexadecimal. */
type Revoked = { has(serial: string): boolean }
