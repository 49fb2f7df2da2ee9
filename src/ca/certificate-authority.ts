import type { KeyObject } from 'node:crypto'
import type { CertificateState, CertificateStatus } from './certificate-status.ts'
import type { PruneOptions, PruneResult } from './revocations.ts'
import type { SignerUse } from './signer-profiles.ts'
import type { Document } from './storage/authority-storage.ts'
import type { Certificate } from './x509/certificate.ts'
import type { KeyKind } from './x509/keys.ts'
import type { Revocation } from './x509/revocation-list.ts'

/** A certificate authority, for the server's routes and the command line. Texts are PEM. */
export interface CertificateAuthority {
  /** Returns the CA certificate, and the certificates of its parent CAs. */
  certificates(): Promise<Document>
  /** Returns the revocation lists of this CA and of its parent CAs. */
  revocationLists(wish?: RevocationListOptions): Promise<Document>
  /** Returns a signed certificate; `undefined` if the name is invalid or has no certificate. */
  certificate(name: string): Promise<string | undefined>
  /** Returns a pending request; `undefined` if the name is invalid or has no request. */
  request(name: string): Promise<string | undefined>

  /**
   * Accepts a request. Signs the request at once if autosign accepts exactly these bytes. `from` is
   * the client's address. Throws one of `requestRefusals`, `authorityConflicts` and
   * `authorityOverloads`.
   */
  submit(name: string, pem: string, from?: string): Promise<void>
  /** Signs a pending request. Throws one of `requestRefusals` and `authorityConflicts`. */
  sign(name: string, options?: SignOptions): Promise<Certificate>
  /**
   * Completes operations that a crash interrupted: decides on requests for which autosign had no
   * result, and removes signed requests and temporary files. If `signal` is aborted, the remaining
   * requests are not processed.
   */
  resume(log: (message: string) => void, signal?: AbortSignal): Promise<void>
  /**
   * Creates a key and a certificate without a request. Throws one of `requestRefusals`, for example
   * if the name has a certificate.
   */
  generate(name: string, options: GenerateOptions): Promise<KeyPair>
  /**
   * Creates a key and a certificate that are valid only for signing a server's catalogs or OCSP
   * responses. The previous certificate stays valid, since nodes may have cached catalogs that were
   * signed with its key. Throws one of `requestRefusals`.
   */
  generateSigner(server: string, use?: SignerUse): Promise<KeyPair>
  /**
   * Issues a new certificate for the key of an old certificate. Throws one of `authorityConflicts`
   * if another CA issued the old certificate, or if it is not valid.
   */
  renew(certificate: Certificate, options?: RenewOptions): Promise<Certificate>

  /**
   * Revokes all certificates ever issued to the name. Throws one of `authorityConflicts` if there
   * are none.
   */
  revoke(name: string): Promise<void>
  /** Revokes and removes certificates; returns the names that had no certificate. */
  clean(names: readonly string[]): Promise<readonly string[]>
  /** Removes certificate and request without revoking; returns false if there was neither. */
  remove(name: string): Promise<boolean>
  /** Removes a certificate, but not a request, without revoking; returns false if there was none. */
  removeCertificate(name: string): Promise<boolean>
  /** Removes a pending request; returns false if there was none. */
  removeRequest(name: string): Promise<boolean>

  status(name: string): Promise<CertificateStatus | undefined>
  /**
   * Returns the pending requests, sorted by name. Damaged requests are included, but cannot be
   * signed.
   */
  waiting(): Promise<readonly PendingRequest[]>
  /** Returns the statuses of all certnames, or of the certnames in one state, sorted by certname. */
  statuses(state?: CertificateState): Promise<readonly CertificateStatus[]>
  /** Same as `statuses`, in slices; other work can run between two slices. */
  statusSlices(state?: CertificateState): AsyncIterable<readonly CertificateStatus[]>
  /** Reads every certificate file again, since a file may have been restored manually. */
  lookThrough(): Promise<void>
  /** Returns true if the serial belongs to a revoked certificate of this CA. */
  isRevoked(serial: bigint): Promise<boolean>
  /** Returns the revocation of the certificate with this serial; `undefined` if the certificate is not revoked. */
  revocation(serial: bigint): Promise<Revocation | undefined>
  /** Returns true if this CA has issued the serial. */
  isIssued(serial: bigint): Promise<boolean>

  /**
   * Installs newer revocation lists of the parent CAs. Throws one of `authorityConflicts` if the
   * text contains none.
   */
  updateRevocationLists(pem: string): Promise<void>
  /** Renews the revocation lists after half of their lifetime; returns true if a list was renewed. */
  refreshRevocationList(): Promise<boolean>
  /** Removes entries from the revocation list. */
  pruneRevocationList(wish: PruneOptions): Promise<PruneResult>
  /** Creates the revocation list for infrastructure nodes. Throws INFRA_INVENTORY_MISSING, INFRA_LIST_EXISTS. */
  beginInfraList(): Promise<void>
  /** Returns the expiration times of CA certificates and revocation lists, by common name of the CA. */
  expirations(): Promise<Expirations>
  /** True if agents may renew their own certificates at this CA. */
  readonly renews: boolean
}

/** The requested form of the revocation lists. */
export interface RevocationListOptions {
  /** True for a client that never fetches the lists again; this CA's list is then valid for five years. */
  readonly forEver?: boolean
}

/** Options for signing a request. */
export interface SignOptions {
  /** Lifetime in seconds. */
  readonly ttl?: number | undefined
  /** SHA-256 of the reviewed request, in the format of `fingerprint`: another request is not signed. */
  readonly fingerprint?: string | undefined
}

/** Options for renewing a certificate. */
export interface RenewOptions {
  /** Lifetime in seconds. */
  readonly ttl?: number | undefined
  /** True to renew an expired certificate, too, on the operator's request. */
  readonly evenExpired?: boolean
}

/** A pending request with its fingerprint, which is undefined for a damaged file. */
export interface PendingRequest {
  readonly name: string
  readonly fingerprint: string | undefined
}

/** A private key and its certificate. */
export interface KeyPair {
  readonly key: KeyObject
  readonly certificate: Certificate
}

/** Options for creating a key pair. */
export interface GenerateOptions {
  readonly key: KeyKind | KeyObject
  /** Alternative names: `DNS:name`, `IP:address`, or a DNS name without prefix. */
  readonly altNames?: readonly string[]
  /** True if the certificate may manage the CA over HTTP: `pp_cli_auth`. */
  readonly administers?: boolean
  /** Lifetime in seconds. */
  readonly ttl?: number
}

/** Timestamps, such as `2031-11-20T10:56:11UTC`, by common name. */
export interface Expirations {
  readonly certificates: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, string>>
}
