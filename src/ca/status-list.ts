import { createGrowingLru } from '../base/lru-cache.ts'
import { mapConcurrently } from '../base/threads/concurrent-map.ts'
import type { Files } from '../machine/system/system.ts'
import type { PendingRequest } from './certificate-authority.ts'
import { CertificateIndex } from './certificate-index.ts'
import { type CertificateState, type CertificateStatus, toRequestStatus, tryReadStatus } from './certificate-status.ts'
import type { CaLayout } from './file-layout.ts'
import type { Records } from './pem-folder.ts'
import type { RevocationContents } from './revocation-file.ts'
import { parseCertificateRequest } from './x509/certificate-request.ts'

/** Files checked concurrently. The number is high, since a busy event loop receives the results in batches. */
const looksAtOnce = 512
/** Files read concurrently. The number is low, since each file needs a descriptor. */
const readsAtOnce = 64
/** Number of cached request statuses, of about 1.5 KiB each. */
const maxRemembered = 20_000

/** The folders of a CA, and its current revocation lists. */
export interface StatusParts {
  readonly files: Files
  readonly layout: CaLayout
  readonly signed: Records
  readonly requests: Records
  readonly revocations: { contents(): Promise<RevocationContents> }
}

/** Statuses of all certnames with a certificate or request in the folders of a CA. */
export class Statuses {
  readonly #parts: StatusParts
  readonly #certificates: CertificateIndex
  readonly #requests: Requests

  constructor(parts: StatusParts) {
    this.#parts = parts
    this.#certificates = new CertificateIndex(parts.files, parts.signed, parts.layout)
    this.#requests = new Requests(parts.requests)
  }

  /** Returns the status of one certname; `undefined` if it is unknown. */
  async of(name: string): Promise<CertificateStatus | undefined> {
    const signed = await this.#certificates.find(name)
    return signed ? applyRevocation(signed, await this.#revoked()) : this.#requests.find(name)
  }

  /** Yields the statuses in slices, sorted by certname: of all certnames, or of the certnames in one state. */
  async *slices(state?: CertificateState): AsyncGenerator<readonly CertificateStatus[]> {
    // Requests are read first, so that a request signed meanwhile is in both lists, instead of in neither list.
    const waiting = (await this.#requests.all()).toReversed()
    const known = state === 'requested' ? await this.#withoutSigned(waiting) : waiting
    const isInState = (status: CertificateStatus) => state === undefined || status.state === state
    // The lists are read once, after the certificates, so that they contain all earlier revocations.
    let revoked: Revoked | undefined
    if (state !== 'requested')
      for await (const signed of this.#certificates.slices()) {
        revoked ??= await this.#revoked()
        yield mergeStatuses(known, signed, revoked).filter(isInState)
      }
    yield known.toReversed().filter(isInState)
  }

  /** Same as `slices`, but returns one list. */
  async all(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    const found: CertificateStatus[] = []
    for await (const slice of this.slices(state)) found.push(...slice)
    return found
  }

  /** Returns the pending requests, including damaged ones. */
  async waiting(): Promise<readonly PendingRequest[]> {
    const found = await this.#withoutSigned(await this.#requests.all())
    return found.map(({ name, state, fingerprint }) => ({
      name,
      fingerprint: state === 'broken' ? undefined : fingerprint,
    }))
  }

  /** Checks the file of every certificate; yields to other work. */
  lookThrough(): Promise<void> {
    return this.#certificates.refresh(true)
  }

  async #withoutSigned(requests: readonly CertificateStatus[]): Promise<CertificateStatus[]> {
    const signed = await mapConcurrently(requests, looksAtOnce, ({ name }) => this.#parts.signed.version(name))
    return requests.filter((_, at) => signed[at] === undefined)
  }

  async #revoked(): Promise<Revoked> {
    return (await this.#parts.revocations.contents()).own.revoked
  }
}

/** Merges certificates with requests in the order of their names; both lists are sorted. */
function mergeStatuses(
  requests: CertificateStatus[],
  signed: readonly CertificateStatus[],
  revoked: Revoked,
): readonly CertificateStatus[] {
  return signed.flatMap((status) => [...takePrecedingRequests(requests, status.name), applyRevocation(status, revoked)])
}

/**
 * Removes and returns the requests at the end of the list whose names precede the certificate's name; drops a request
 * with the same name.
 */
function takePrecedingRequests(requests: CertificateStatus[], name: string): CertificateStatus[] {
  const taken: CertificateStatus[] = []
  while (requests.length > 0 && requests.at(-1)!.name <= name) {
    const request = requests.pop()!
    if (request.name !== name) taken.push(request)
  }
  return taken
}

/** The serials of revoked certificates, in hexadecimal. */
type Revoked = { has(serial: string): boolean }

function applyRevocation(status: CertificateStatus, revoked: Revoked): CertificateStatus {
  const { serial_number: serial } = status
  return serial !== undefined && revoked.has(BigInt(serial).toString(16)) ? { ...status, state: 'revoked' } : status
}

/** Statuses of requests; a file is read again only after a change. */
class Requests {
  readonly #records: Records
  readonly #known = createGrowingLru<{ readonly version: string; readonly status: CertificateStatus }>(maxRemembered)

  constructor(records: Records) {
    this.#records = records
  }

  async find(name: string): Promise<CertificateStatus | undefined> {
    return this.#read(name, await this.#records.version(name))
  }

  /** Returns the statuses of all requests, sorted by certname. */
  async all(): Promise<CertificateStatus[]> {
    const names = await this.#records.names()
    const versions = await mapConcurrently(names, looksAtOnce, (name) => this.#records.version(name))
    const files = names.map((name, index) => ({ name, version: versions[index] }))
    const found = await mapConcurrently(files, readsAtOnce, ({ name, version }) => this.#read(name, version))
    return found.filter((status) => status !== undefined)
  }

  async #read(name: string, version: string | undefined): Promise<CertificateStatus | undefined> {
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
