import type { CertificateStatus } from '../certificate-status.ts'
import type { InventoryEntry } from '../inventory.ts'

/**
 * The storage of a CA: a folder in the format of Puppet Server, or a database that several servers share. Texts are
 * PEM. Names that are no certnames are never found or written.
 */
export interface AuthorityStorage extends AuthorityRecords {
  /** Location for messages, such as the path of the folder. */
  readonly place: string
  /**
   * Runs a change; changes run one after another, on all servers that share the storage. A failed change, or a crash
   * during it, leaves a consistent CA: a folder keeps each completed step, a database none.
   */
  change<Result>(work: (records: AuthorityRecords) => Promise<Result>): Promise<Result>
  /** Returns true if the storage contains a CA. */
  exists(): Promise<boolean>
  /** Stores a new CA, with the records that `fill` adds. Throws CA_EXISTS if there is a CA, or a part of one. */
  create(authority: NewAuthority, fill?: (records: AuthorityRecords) => Promise<void>): Promise<void>
  /** Removes the remains of writes that a crash interrupted. */
  tidy(): Promise<void>
  close(): Promise<void>
}

/** The parts of a new CA. */
export interface NewAuthority {
  readonly certificates: string
  /** PEM of the public key. */
  readonly publicKey: string
  /** The private key; `undefined` if a command signs with a key that is stored elsewhere. */
  readonly privateKey: string | undefined
  readonly revocationLists: string
  /** The serial of the next certificate. */
  readonly serial: bigint
}

/** The records of a CA. Within a change, they include the writes of this change. */
export interface AuthorityRecords {
  /** The CA certificate, followed by the certificates of its parent CAs. */
  readonly certificates: StoredDocument
  readonly privateKey: StoredDocument
  /** The full revocation list of the CA, and the lists of its parent CAs. */
  readonly revocationLists: StoredDocument
  /** The revocation list for infrastructure nodes; absent if the storage has none. */
  readonly infra?: InfraRecords
  readonly signed: SignedCertificates
  readonly requests: PendingRequests
  readonly inventory: Inventory
  /** Returns the serial of the next certificate. */
  nextSerial(): Promise<bigint>
  /** Returns the serial of the next certificate, and reserves it. Only within a change. */
  allocateSerial(): Promise<bigint>
}

/** Certificates or revocation lists of a CA, with the time of their last change. */
export interface Document {
  readonly pem: string
  readonly modified: Date
  /** Changes with the text. */
  readonly version: string
}

/** A text that is replaced as a whole. */
export interface StoredDocument {
  /** Location for messages. */
  readonly place: string
  /** Returns a version that changes with the text; cheap. `undefined` if there is no text. */
  version(): Promise<string | undefined>
  read(): Promise<Document | undefined>
  write(pem: string): Promise<void>
}

/** The revocation list for infrastructure nodes, and the certnames of these nodes. */
export interface InfraRecords {
  readonly lists: StoredDocument
  /** Returns the certnames; `undefined` if nobody has listed them. */
  names(): Promise<ReadonlySet<string> | undefined>
  /** Location of the list of certnames, for messages. */
  readonly namesPlace: string
}

/** The current certificate of each certname. */
export interface SignedCertificates {
  read(name: string): Promise<string | undefined>
  write(name: string, pem: string): Promise<void>
  /** Returns false if there was none. */
  remove(name: string): Promise<boolean>
  /** Returns those of the names that have a certificate. */
  findPresent(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the status of a certificate, regardless of revocations. */
  status(name: string): Promise<CertificateStatus | undefined>
  /** Yields the statuses of all certificates in slices, sorted by certname. */
  slices(): AsyncIterable<readonly CertificateStatus[]>
  /** Yields all certificates in slices. */
  texts(): AsyncIterable<readonly NamedText[]>
  /** Checks everything that other programs may have changed. */
  lookThrough(): Promise<void>
}

/** A certificate or request in PEM with its certname. */
export interface NamedText {
  readonly name: string
  readonly pem: string
}

/**
 * The pending requests. A request is undecided until autosign has answered; after a crash, this distinguishes requests
 * that wait for autosign from requests that wait for a person.
 */
export interface PendingRequests {
  read(name: string): Promise<string | undefined>
  /** Stores an undecided request. */
  write(name: string, pem: string): Promise<void>
  isUndecided(name: string): Promise<boolean>
  /** Leaves the decision on a request to a person. */
  settle(name: string): Promise<void>
  /** Returns false if there was none. */
  remove(name: string): Promise<boolean>
  names(): Promise<readonly string[]>
  count(): Promise<number>
  findPresent(names: readonly string[]): Promise<ReadonlySet<string>>
  status(name: string): Promise<CertificateStatus | undefined>
  /** Returns the statuses of all requests, sorted by certname. */
  statuses(): Promise<CertificateStatus[]>
}

/** All certificates that the CA has ever issued. Entries are only added. */
export interface Inventory {
  append(entries: readonly InventoryEntry[]): Promise<void>
  has(serial: bigint): Promise<boolean>
  /** Returns the serials of all certificates issued to these names. */
  listSerials(names: readonly string[]): Promise<bigint[]>
  /** Returns the serials of the certificates that expired before this time. */
  listExpired(now: Date): Promise<bigint[]>
  /** Yields all entries in slices, in the order of their serials or of their issue. */
  entries(): AsyncIterable<readonly InventoryEntry[]>
}
