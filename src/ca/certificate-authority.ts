import type { KeyObject } from 'node:crypto'
import type { Pruned, PruneWish } from './revocations.ts'
import type { SignerUse } from './signer-uses.ts'
import type { CertificateState, CertificateStatus } from './status.ts'
import type { Certificate } from './x509/certificate.ts'
import type { KeyKind } from './x509/keys.ts'
import type { Revocation } from './x509/revocation-list.ts'

/** A certificate authority, as the server's routes and the command line use it. Texts are PEM. */
export interface CertificateAuthority {
  /** The authority's certificate and those above it. */
  certificates(): Promise<Document>
  /** The authority's revocation list and those of the authorities above. */
  revocationLists(wish?: ListWish): Promise<Document>
  /** A signed certificate; `undefined` for none, whatever the name. */
  certificate(name: string): Promise<string | undefined>
  /** A request that waits; `undefined` for none, whatever the name. */
  request(name: string): Promise<string | undefined>

  /**
   * Takes a request in, and signs it when it may be at once: the very bytes that were decided on. `from` is the address of
   * who asks. Throws a refusal, a conflict or an overload.
   */
  submit(name: string, pem: string, from?: string): Promise<void>
  /** Signs a request that waits. Throws a refusal or a conflict. */
  sign(name: string, options?: SignOptions): Promise<Certificate>
  /**
   * Finishes what a crash cut off: decides on requests that autosign had not answered for, removes requests that were
   * signed, and temporary files. `signal` stops it between two requests.
   */
  resume(log: (message: string) => void, signal?: AbortSignal): Promise<void>
  /** A key and a certificate without a request. Throws a refusal when the name has one. */
  generate(name: string, options: GenerateOptions): Promise<KeyPair>
  /**
   * A new key that signs the catalogs of a server, or answers about revocation, and its certificate, which is good for
   * nothing else. The one before stays good: what it signed lies in the caches of nodes. Throws a refusal.
   */
  generateSigner(server: string, use?: SignerUse): Promise<KeyPair>
  /** A new certificate for the key of an old one. Throws a conflict when the old one is not ours or no longer good. */
  renew(certificate: Certificate, options?: RenewOptions): Promise<Certificate>

  /** Revokes every certificate that the name ever had. Throws a conflict when it never had one. */
  revoke(name: string): Promise<void>
  /** Revokes and removes; answers the names that have no certificate. */
  clean(names: readonly string[]): Promise<readonly string[]>
  /** Removes certificate and request without revoking; whether there was any. */
  remove(name: string): Promise<boolean>
  /** Removes a certificate without revoking, and no request; whether there was one. */
  removeCertificate(name: string): Promise<boolean>
  /** Removes a request that waits; whether there was one. */
  removeRequest(name: string): Promise<boolean>

  status(name: string): Promise<CertificateStatus | undefined>
  /** Requests that wait to be signed, sorted; those that are broken are among them, and cannot be signed. */
  waiting(): Promise<readonly WaitingRequest[]>
  /** Statuses of all certnames, or of those in one state, sorted. */
  statuses(state?: CertificateState): Promise<readonly CertificateStatus[]>
  /** The same, some at a time, beside other work. */
  statusSlices(state?: CertificateState): AsyncIterable<readonly CertificateStatus[]>
  /** Looks at the file of every certificate, whatever the index says: one may have been put back by hand. */
  lookThrough(): Promise<void>
  /** True of the serial of a revoked certificate of this authority. */
  isRevoked(serial: bigint): Promise<boolean>
  /** The revocation of a certificate of this authority; `undefined` for none. */
  revocation(serial: bigint): Promise<Revocation | undefined>
  /** True of a serial that this authority has ever given. */
  isIssued(serial: bigint): Promise<boolean>

  /** Takes newer revocation lists of the authorities above ours. Throws a conflict when no such list is among them. */
  updateRevocationLists(pem: string): Promise<void>
  /** Issues the revocation lists anew when half of their life is over; whether it did. */
  refreshRevocationList(): Promise<boolean>
  /** Takes entries out of the revocation list. */
  pruneRevocationList(wish: PruneWish): Promise<Pruned>
  /** Begins the list of infrastructure nodes. Throws INFRA_INVENTORY_MISSING, INFRA_LIST_EXISTS. */
  beginInfraList(): Promise<void>
  /** When certificates and lists end, by common name. */
  expirations(): Promise<Expirations>
  /** Agents may renew their certificates by themselves. */
  readonly renews: boolean
}

/** Which form of the revocation lists. */
export interface ListWish {
  /** True for a reader that never fetches them again: ours is good for five years then. */
  readonly forEver?: boolean
}

/** Options of a signature. */
export interface SignOptions {
  /** Seconds. */
  readonly ttl?: number | undefined
  /** SHA-256 of the request that was looked at, as `fingerprint` writes it: only that one is signed. */
  readonly fingerprint?: string | undefined
}

/** Options of a renewal. */
export interface RenewOptions {
  /** Seconds. */
  readonly ttl?: number | undefined
  /** True at the operator's wish: an expired certificate is renewed, too. */
  readonly evenExpired?: boolean
}

/** A request that waits, by the fingerprint of what was listed; without one its file is broken. */
export interface WaitingRequest {
  readonly name: string
  readonly fingerprint: string | undefined
}

/** A text that is served with the time it last changed. */
export interface Document {
  readonly pem: string
  readonly modified: Date
}

/** A private key and its certificate. */
export interface KeyPair {
  readonly key: KeyObject
  readonly certificate: Certificate
}

/** Options of a key pair that the authority makes. */
export interface GenerateOptions {
  readonly key: KeyKind | KeyObject
  /** As `DNS:name`, `IP:address`, or bare for DNS. */
  readonly altNames?: readonly string[]
  /** The certificate may manage the authority over HTTP: `pp_cli_auth`. */
  readonly administers?: boolean
  /** Seconds. */
  readonly ttl?: number
}

/** Timestamps such as `2031-11-20T10:56:11UTC`. */
export interface Expirations {
  readonly certificates: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, string>>
}
