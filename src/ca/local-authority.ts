import { KeyObject } from 'node:crypto'
import { budgets } from '../base/budgets/budgets.ts'
import { throwIssue } from '../base/issue.ts'
import { splitIntoSlices } from '../base/slices.ts'
import { isCertname } from '../machine/settings/certname.ts'
import type { System } from '../machine/system/system.ts'
import type { Autosign } from './autosign.ts'
import type {
  CertificateAuthority,
  Expirations,
  GenerateOptions,
  KeyPair,
  PendingRequest,
  RenewOptions,
  RevocationListOptions,
  SignOptions,
} from './certificate-authority.ts'
import { createHostCertificate, type HostContent, type Issuer } from './certificate-profile.ts'
import type { CertificateState, CertificateStatus } from './certificate-status.ts'
import { getExpirations } from './expirations.ts'
import { toInventoryEntry } from './inventory.ts'
import { type KeyAccess, openIssuer } from './issuer.ts'
import { authorityConflicts, authorityFaults, requestRefusals } from './issues.ts'
import { checkKeyStrength } from './key-policy.ts'
import { parseRecord } from './pem-folder.ts'
import { Submissions } from './request-submissions.ts'
import { usualLifeMs } from './revocation-document.ts'
import { type PruneOptions, type PruneResult, Revocations } from './revocations.ts'
import { getSignerName, type SignerUse, signerKey, signerProfiles } from './signer-profiles.ts'
import {
  checkCertname,
  checkRequestContent,
  checkRequestForm,
  checkSubject,
  isNodeCertname,
  type SigningPolicy,
} from './signing-policy.ts'
import { Statuses } from './status-list.ts'
import type { AuthorityRecords, AuthorityStorage, Document, StoredDocument } from './storage/authority-storage.ts'
import { type Certificate, parseCertificate, parseCertificates, toCertificatePem } from './x509/certificate.ts'
import { type CertificateRequest, parseCertificateRequest } from './x509/certificate-request.ts'
import { findCommonName } from './x509/distinguished-name.ts'
import { buildTextExtension, listSubjectAltNames } from './x509/extensions.ts'
import { computeFingerprint } from './x509/fingerprint.ts'
import { generatePrivateKey, isSameKeyPair, toPublicKeyDer } from './x509/keys.ts'
import { isPuppetOid, puppetOids } from './x509/oids.ts'
import type { Revocation } from './x509/revocation-list.ts'
import { isSignedBy } from './x509/signature.ts'

/** Policy and limits of a CA. Times are in seconds unless the name says otherwise. */
export interface AuthorityOptions extends SigningPolicy {
  readonly storage: AuthorityStorage
  readonly key: KeyAccess
  readonly ttl: number
  readonly autosign: Autosign
  readonly allowDuplicates: boolean
  readonly allowAutoRenewal: boolean
  readonly autoRenewalTtl: number
  /** Largest number of requests that wait for a decision. */
  readonly maxWaitingRequests?: number
  /** Minimum size of RSA keys in bits. */
  readonly leastKeyBits?: number
  /** Lifetime of a revocation list in milliseconds; default 30 days. */
  readonly listLifeMs?: number
  /** True to send agents only the revocation list for infrastructure nodes. */
  readonly servesInfraList?: boolean
  readonly system: Pick<System, 'now'>
}

const { keyBits, lifetime, waitingRequests } = budgets.authority

const secondsOfDay = 86_400

/** Number of names revoked in one change, which takes about a second; other changes can run between two of them. */
const namesInOneChange = 500

const autoRenew = puppetOids.get('pp_auth_auto_renew')!
const cliAuth = puppetOids.get('pp_cli_auth')!

/** Opens the CA in a storage. Throws CA_MISSING if a part is missing, and errors of damaged parts. */
export async function openAuthority(options: AuthorityOptions): Promise<CertificateAuthority> {
  const { storage, servesInfraList } = options
  if (servesInfraList && !storage.infra) throwIssue(authorityFaults.INFRA_UNSUPPORTED, {})
  return new LocalAuthority(options, await openIssuer(storage, options.key))
}

/**
 * A CA in a storage. Each change writes in an order that is safe after a crash at any point: first the serial, then the
 * inventory, then the certificate; the request is removed last.
 */
class LocalAuthority implements CertificateAuthority {
  readonly #options: AuthorityOptions
  readonly #storage: AuthorityStorage
  readonly #issuer: Issuer
  readonly #revocations: Revocations
  readonly #statuses: Statuses
  readonly #submissions: Submissions

  constructor(options: AuthorityOptions, issuer: Issuer) {
    const { storage, listLifeMs = usualLifeMs, servesInfraList = false } = options
    this.#options = options
    this.#storage = storage
    this.#issuer = issuer
    this.#revocations = new Revocations({ storage, issuer, lifeMs: listLifeMs, isInfraServed: servesInfraList })
    this.#statuses = new Statuses({ storage, revocations: this.#revocations })
    this.#submissions = new Submissions({
      ...options,
      authority: issuer.certificate,
      maxWaitingRequests: options.maxWaitingRequests ?? waitingRequests.bound,
      leastKeyBits: this.#leastKeyBits,
      checkDuplicate: (records, name) => this.#checkDuplicate(records, name),
      sign: (name, which) => this.sign(name, which),
      signRequest: (records, name, request) => this.#signRequest(records, name, request),
    })
  }

  get renews(): boolean {
    return this.#options.allowAutoRenewal
  }

  certificates(): Promise<Document> {
    return this.#document(this.#storage.certificates)
  }

  async revocationLists({ forEver = false }: RevocationListOptions = {}): Promise<Document> {
    const served = await this.#document(this.#revocations.served)
    return forEver ? { ...served, pem: await this.#revocations.servedForEver(this.#now()) } : served
  }

  certificate(name: string): Promise<string | undefined> {
    return this.#storage.signed.read(name)
  }

  request(name: string): Promise<string | undefined> {
    return this.#storage.requests.read(name)
  }

  submit(name: string, pem: string, from = ''): Promise<void> {
    return this.#submissions.submit(name, pem, from)
  }

  sign(name: string, { ttl, fingerprint: wanted }: SignOptions = {}): Promise<Certificate> {
    return this.#storage.change(async (records) => {
      const pem = (await records.requests.read(name)) ?? throwIssue(authorityConflicts.NO_REQUEST, { name })
      const request = parseRecord(name, 'certificate request', () => parseCertificateRequest(pem))
      if (wanted !== undefined && computeFingerprint(request.der) !== wanted)
        throwIssue(authorityConflicts.REQUEST_CHANGED, { name })
      const certificate =
        (await this.#unfinished(records, name, request)) ?? (await this.#signRequest(records, name, request, ttl))
      await records.requests.remove(name)
      return certificate
    })
  }

  async resume(log: (message: string) => void, signal?: AbortSignal): Promise<void> {
    await this.#submissions.resume(log, signal)
    if (!signal?.aborted) await this.lookThrough()
  }

  lookThrough(): Promise<void> {
    return this.#storage.signed.lookThrough()
  }

  async generate(name: string, { key, altNames = [], administers, ttl }: GenerateOptions): Promise<KeyPair> {
    checkCertname(name, this.#issuer.certificate)
    const privateKey = key instanceof KeyObject ? key : await generatePrivateKey(key)
    this.#checkKey(name, privateKey)
    return this.#storage.change(async (records) => {
      await this.#checkDuplicate(records, name)
      const certificate = await this.#issue(records, name, {
        spki: toPublicKeyDer(privateKey),
        altNames: altNames.map((each) => (/^(DNS|IP):/.test(each) ? each : `DNS:${each}`)),
        extensions: administers ? [buildTextExtension(cliAuth, 'true')] : [],
        ttl: ttl ?? this.#options.ttl,
      })
      return { key: privateKey, certificate }
    })
  }

  async generateSigner(server: string, use: SignerUse = 'catalogs'): Promise<KeyPair> {
    const name = getSignerName(server, use)
    if (!isCertname(name)) throwIssue(requestRefusals.INVALID_SUBJECT_NAME, {})
    const key = await generatePrivateKey(signerKey)
    const { purpose: soleUse, ttl, extensions } = signerProfiles[use]
    const content = { spki: toPublicKeyDer(key), altNames: [], extensions, soleUse, ttl }
    return this.#storage.change(async (records) => ({ key, certificate: await this.#issue(records, name, content) }))
  }

  async renew(old: Certificate, options: RenewOptions = {}): Promise<Certificate> {
    const { ttl = this.#options.autoRenewalTtl, evenExpired = false } = options
    const name = findCommonName(old.subject) ?? ''
    const ours = isSignedBy(old, this.#issuer.certificate.publicKey) && isNodeCertname(name, this.#issuer.certificate)
    if (!ours) throwIssue(authorityConflicts.CERT_NOT_OURS, {})
    this.#checkKey(name, old.publicKey)
    return this.#storage.change(async (records) => {
      // Checked within the change, since the certificate may be revoked or expire during the wait for other changes.
      if (await this.#revocations.isRevoked(old.serial, records))
        throwIssue(authorityConflicts.ALREADY_REVOKED, { name })
      if (old.notAfter <= this.#now() && !evenExpired) throwIssue(authorityConflicts.CERT_NOT_OURS, {})
      return this.#issue(records, name, {
        spki: old.spki,
        altNames: listSubjectAltNames(old.extensions),
        extensions: old.extensions.filter(({ oid }) => isPuppetOid(oid)),
        ttl,
      })
    })
  }

  revoke(name: string): Promise<void> {
    return this.#storage.change(async (records) => {
      if (!(await this.#revocations.revoke(records, [name], this.#now())))
        throwIssue(authorityConflicts.NO_SIGNED_CERT, { name })
    })
  }

  async clean(names: readonly string[]): Promise<readonly string[]> {
    const wanted = [...new Set(names)]
    const signed = await this.#storage.signed.findPresent(wanted)
    const requested = await this.#storage.requests.findPresent(wanted)
    const known = wanted.filter((name) => signed.has(name) || requested.has(name))
    for (const slice of splitIntoSlices(known, namesInOneChange))
      await this.#storage.change(async (records) => {
        await this.#revocations.revoke(
          records,
          slice.filter((name) => signed.has(name)),
          this.#now(),
        )
        for (const name of slice) {
          await records.signed.remove(name)
          await records.requests.remove(name)
        }
      })
    return wanted.filter((name) => !signed.has(name))
  }

  remove(name: string): Promise<boolean> {
    return this.#storage.change(async ({ signed, requests }) => {
      const removed = [await signed.remove(name), await requests.remove(name)]
      return removed.includes(true)
    })
  }

  removeCertificate(name: string): Promise<boolean> {
    return this.#storage.change(({ signed }) => signed.remove(name))
  }

  removeRequest(name: string): Promise<boolean> {
    return this.#storage.change(({ requests }) => requests.remove(name))
  }

  status(name: string): Promise<CertificateStatus | undefined> {
    return this.#statuses.of(name)
  }

  waiting(): Promise<readonly PendingRequest[]> {
    return this.#statuses.waiting()
  }

  statuses(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    return this.#statuses.all(state)
  }

  statusSlices(state?: CertificateState): AsyncIterable<readonly CertificateStatus[]> {
    return this.#statuses.slices(state)
  }

  isRevoked(serial: bigint): Promise<boolean> {
    return this.#revocations.isRevoked(serial)
  }

  revocation(serial: bigint): Promise<Revocation | undefined> {
    return this.#revocations.find(serial)
  }

  isIssued(serial: bigint): Promise<boolean> {
    return this.#storage.inventory.has(serial)
  }

  updateRevocationLists(pem: string): Promise<void> {
    return this.#storage.change(async (records) => {
      const authorities = parseCertificates((await this.#document(records.certificates)).pem)
      await this.#revocations.replaceOthers(records, pem, authorities)
    })
  }

  refreshRevocationList(): Promise<boolean> {
    return this.#storage.change((records) => this.#revocations.refresh(records, this.#now()))
  }

  pruneRevocationList(wish: PruneOptions): Promise<PruneResult> {
    return this.#storage.change((records) => this.#revocations.prune(records, wish, this.#now()))
  }

  beginInfraList(): Promise<void> {
    return this.#storage.change((records) => this.#revocations.beginInfra(records, this.#now()))
  }

  async expirations(): Promise<Expirations> {
    return getExpirations(parseCertificates((await this.certificates()).pem), await this.#revocations.contents())
  }

  #signRequest(
    records: AuthorityRecords,
    name: string,
    request: CertificateRequest,
    ttl?: number,
  ): Promise<Certificate> {
    checkSubject(name, request, this.#issuer.certificate)
    checkRequestForm(name, request, this.#leastKeyBits)
    checkRequestContent(name, request, this.#options)
    return this.#issue(records, name, this.#contentFor(request, ttl))
  }

  #checkKey(name: string, key: KeyObject): void {
    checkKeyStrength(name, key, this.#leastKeyBits)
  }

  get #leastKeyBits(): number {
    return this.#options.leastKeyBits ?? keyBits.bound
  }

  async #issue(records: AuthorityRecords, name: string, content: HostContent): Promise<Certificate> {
    if (content.ttl > lifetime.bound * secondsOfDay) throwIssue(requestRefusals.LIFE_TOO_LONG, { name })
    const serial = await records.allocateSerial()
    const certificate = await createHostCertificate({ name, serial, now: this.#now(), ...content }, this.#issuer)
    await records.inventory.append([toInventoryEntry(certificate)])
    // Signer certificates are in the inventory only, not in the list of nodes.
    if (content.soleUse === undefined) await records.signed.write(name, toCertificatePem(certificate))
    return certificate
  }

  #contentFor(request: CertificateRequest, ttl: number | undefined): HostContent {
    const renewing = this.renews && request.attributes.some(([oid, value]) => oid === autoRenew && value === 'true')
    return {
      spki: toPublicKeyDer(request.publicKey),
      altNames: request.altNames,
      extensions: [
        ...request.extensions.filter(({ oid }) => isPuppetOid(oid)),
        ...(renewing ? [buildTextExtension(autoRenew, 'true')] : []),
      ],
      ttl: ttl ?? (renewing ? this.#options.autoRenewalTtl : this.#options.ttl),
    }
  }

  /** Returns the certificate of a request that was signed, but not removed, before a crash. */
  async #unfinished(
    records: AuthorityRecords,
    name: string,
    request: CertificateRequest,
  ): Promise<Certificate | undefined> {
    if (this.#options.allowDuplicates) return undefined
    const pem = await records.signed.read(name)
    if (pem === undefined) return undefined
    const certificate = parseRecord(name, 'certificate', () => parseCertificate(pem))
    if (!isSameKeyPair(certificate.publicKey, request.publicKey)) await this.#checkDuplicate(records, name)
    return certificate
  }

  async #checkDuplicate(records: AuthorityRecords, name: string): Promise<void> {
    if (this.#options.allowDuplicates) return
    const status = await this.#statuses.of(name, records)
    if (status) throwIssue(requestRefusals.DUPLICATE_CERT, { name, state: status.state })
  }

  async #document(stored: StoredDocument): Promise<Document> {
    return (await stored.read()) ?? throwIssue(authorityFaults.CA_MISSING, { file: stored.place })
  }

  #now(): Date {
    return new Date(this.#options.system.now())
  }
}
