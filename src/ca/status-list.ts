import type { PendingRequest } from './certificate-authority.ts'
import type { CertificateState, CertificateStatus } from './certificate-status.ts'
import type { RevocationContents } from './revocation-document.ts'
import type { AuthorityRecords } from './storage/authority-storage.ts'

/** The records of a CA, and its current revocation lists. */
export interface StatusParts {
  readonly storage: Pick<AuthorityRecords, 'signed' | 'requests'>
  readonly revocations: { contents(): Promise<RevocationContents> }
}

/** Statuses of all certnames with a certificate or request. */
export class Statuses {
  readonly #storage: StatusParts['storage']
  readonly #revocations: StatusParts['revocations']

  constructor({ storage, revocations }: StatusParts) {
    this.#storage = storage
    this.#revocations = revocations
  }

  /** Returns the status of one certname; `undefined` if it is unknown. */
  async of(name: string, { signed, requests } = this.#storage): Promise<CertificateStatus | undefined> {
    const status = await signed.status(name)
    return status ? applyRevocation(status, await this.#revoked()) : requests.status(name)
  }

  /** Yields the statuses in slices, sorted by certname: of all certnames, or of the certnames in one state. */
  async *slices(state?: CertificateState): AsyncGenerator<readonly CertificateStatus[]> {
    // Requests are read first, so that a request signed meanwhile is in both lists, instead of in neither list.
    const waiting = (await this.#storage.requests.statuses()).toReversed()
    const known = state === 'requested' ? await this.#withoutSigned(waiting) : waiting
    const isInState = (status: CertificateStatus) => state === undefined || status.state === state
    // The lists are read once, after the certificates, so that they contain all earlier revocations.
    let revoked: Revoked | undefined
    if (state !== 'requested')
      for await (const signed of this.#storage.signed.slices()) {
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
    const found = await this.#withoutSigned(await this.#storage.requests.statuses())
    return found.map(({ name, state, fingerprint }) => ({
      name,
      fingerprint: state === 'broken' ? undefined : fingerprint,
    }))
  }

  async #withoutSigned(requests: readonly CertificateStatus[]): Promise<CertificateStatus[]> {
    const signed = await this.#storage.signed.findPresent(requests.map(({ name }) => name))
    return requests.filter(({ name }) => !signed.has(name))
  }

  async #revoked(): Promise<Revoked> {
    return (await this.#revocations.contents()).own.revoked
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
