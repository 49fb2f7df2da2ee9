import { growingLru } from '../base/growing-lru.ts'
import { mapSeveral } from '../base/threads/several-at-once.ts'
import type { Files } from '../machine/system/system.ts'
import type { WaitingRequest } from './certificate-authority.ts'
import { CertificateIndex } from './certificate-index.ts'
import type { CaLayout } from './layout.ts'
import type { Records } from './records.ts'
import type { Contents } from './revocation-file.ts'
import { type CertificateState, type CertificateStatus, statusOfRequest, unlessBroken } from './status.ts'
import { parseRequest } from './x509/certificate-request.ts'

/** Files that are looked at for a change at the same time; many, since a busy event loop takes in their answers in rounds. */
const looksAtOnce = 512
/** Files that are read at the same time, each with a descriptor. */
const readsAtOnce = 64
/** Requests whose statuses are remembered; some 1.5 KiB each. */
const maxRemembered = 20_000

/** The folders of an authority, and its revocation lists as they are now. */
export interface StatusParts {
  readonly files: Files
  readonly layout: CaLayout
  readonly signed: Records
  readonly requests: Records
  readonly revocations: { contents(): Promise<Contents> }
}

/** Statuses of all certnames, by the folders of an authority. */
export class Statuses {
  readonly #parts: StatusParts
  readonly #certificates: CertificateIndex
  readonly #requests: Requests

  constructor(parts: StatusParts) {
    this.#parts = parts
    this.#certificates = new CertificateIndex(parts.files, parts.signed, parts.layout)
    this.#requests = new Requests(parts.requests)
  }

  /** The status of one certname; `undefined` of an unknown one. */
  async of(name: string): Promise<CertificateStatus | undefined> {
    const signed = await this.#certificates.find(name)
    return signed ? unlessRevoked(signed, await this.#revoked()) : this.#requests.find(name)
  }

  /** Statuses of all certnames, or of those in one state, sorted, some at a time. */
  async *slices(state?: CertificateState): AsyncGenerator<readonly CertificateStatus[]> {
    // In this order: what is signed meanwhile is in both, and not in neither.
    const waiting = (await this.#requests.all()).toReversed()
    const known = state === 'requested' ? await this.#withoutSigned(waiting) : waiting
    const isWanted = (status: CertificateStatus) => state === undefined || status.state === state
    // Read once, and after the certificates are known: what was revoked by then is.
    let revoked: Revoked | undefined
    if (state !== 'requested')
      for await (const signed of this.#certificates.slices()) {
        revoked ??= await this.#revoked()
        yield merged(known, signed, revoked).filter(isWanted)
      }
    yield known.toReversed().filter(isWanted)
  }

  /** The same, all at once. */
  async all(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    const found: CertificateStatus[] = []
    for await (const slice of this.slices(state)) found.push(...slice)
    return found
  }

  /** Requests that nobody has decided on, damaged ones, too. */
  async waiting(): Promise<readonly WaitingRequest[]> {
    const found = await this.#withoutSigned(await this.#requests.all())
    return found.map(({ name, state, fingerprint }) => ({
      name,
      fingerprint: state === 'broken' ? undefined : fingerprint,
    }))
  }

  /** Looks at the file of every certificate, beside other work. */
  lookThrough(): Promise<void> {
    return this.#certificates.refresh(true)
  }

  async #withoutSigned(requests: readonly CertificateStatus[]): Promise<CertificateStatus[]> {
    const signed = await mapSeveral(requests, looksAtOnce, ({ name }) => this.#parts.signed.version(name))
    return requests.filter((_, at) => signed[at] === undefined)
  }

  async #revoked(): Promise<Revoked> {
    return (await this.#parts.revocations.contents()).own.revoked
  }
}

/** Certificates as they are now, with the requests that come before them. */
function merged(
  requests: CertificateStatus[],
  signed: readonly CertificateStatus[],
  revoked: Revoked,
): readonly CertificateStatus[] {
  return signed.flatMap((status) => [...before(requests, status.name), unlessRevoked(status, revoked)])
}

/** Takes the requests that come before a certificate from the end of the list; one of the same name is taken, and left out. */
function before(requests: CertificateStatus[], name: string): CertificateStatus[] {
  const taken: CertificateStatus[] = []
  while (requests.length > 0 && requests.at(-1)!.name <= name) {
    const request = requests.pop()!
    if (request.name !== name) taken.push(request)
  }
  return taken
}

/** Serial numbers, in hexadecimal. */
type Revoked = { has(serial: string): boolean }

function unlessRevoked(status: CertificateStatus, revoked: Revoked): CertificateStatus {
  const { serial_number: serial } = status
  return serial !== undefined && revoked.has(BigInt(serial).toString(16)) ? { ...status, state: 'revoked' } : status
}

/** Statuses of requests by their files; a file is read again only when it has changed. */
class Requests {
  readonly #records: Records
  readonly #known = growingLru<{ readonly version: string; readonly status: CertificateStatus }>(maxRemembered)

  constructor(records: Records) {
    this.#records = records
  }

  async find(name: string): Promise<CertificateStatus | undefined> {
    return this.#read(name, await this.#records.version(name))
  }

  /** Statuses of all certnames, sorted. */
  async all(): Promise<CertificateStatus[]> {
    const names = await this.#records.names()
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
    const status = unlessBroken(name, () => statusOfRequest(name, parseRequest(pem)))
    this.#known.set(name, { version, status })
    return status
  }
}
