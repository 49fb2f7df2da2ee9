import { KeyObject } from 'node:crypto'
import { budgets } from '../base/budgets/budgets.ts'
import { throwIssue } from '../base/issue.ts'
import { splitIntoSlices } from '../base/slices.ts'
import { isCertname } from '../machine/settings/certname.ts'
import { FileLock } from '../machine/system/file-lock.ts'
import type { System } from '../machine/system/system.ts'
import type { Autosign } from './autosign.ts'
import type {
  CertificateAuthority,
  Document,
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
import { type CaLayout, getCaLayout } from './file-layout.ts'
import { allocateSerial, appendToInventory } from './inventory.ts'
import { IssuedSerials } from './issued-serials.ts'
import { authorityConflicts, authorityFaults, requestRefusals } from './issues.ts'
import { checkKeyStrength } from './key-policy.ts'
import { listNamesWithRecords, openRecords, parseRecord, type Records } from './pem-folder.ts'
import { Submissions } from './request-submissions.ts'
import { usualLifeMs } from './revocation-file.ts'
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
import { type Certificate, parseCertificate, parseCertificates, toCertificatePem } from './x509/certificate.ts'
import { type CertificateRequest, parseCertificateRequest } from './x509/certificate-request.ts'
import { findCommonName, formatDistinguishedName } from './x509/distinguished-name.ts'
import { buildTextExtension, isAuthority, listSubjectAltNames } from './x509/extensions.ts'
import { computeFingerprint } from './x509/fingerprint.ts'
import { generatePrivateKey, isSameKeyPair, parsePrivateKey, toPublicKeyDer } from './x509/keys.ts'
import { isPuppetOid, puppetOids } from './x509/oids.ts'
import type { Revocation } from './x509/revocation-list.ts'
import { isSignedBy } from './x509/signature.ts'

/** Policy and limits of a CA. Times are in seconds unless the name says otherwise. */
export interface AuthorityOptions extends SigningPolicy {
  readonly cadir: string
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
  readonly system: Pick<System, 'files' | 'now'>
}

const { keyBits, lifetime, waitingRequests } = budgets.authority

const secondsOfDay = 86_400

/** Number of names revoked before the lock is released; this takes about a second. */
const namesUnderLock = 500

const autoRenew = puppetOids.get('pp_auth_auto_renew')!
const cliAuth = puppetOids.get('pp_cli_auth')!

/** Opens the CA in this directory. Throws CA_MISSING if a file is missing, and errors of damaged files. */
export async function openAuthority(options: AuthorityOptions): Promise<CertificateAuthority> {
  const { files } = options.system
  const layout = getCaLayout(options.cadir)
  const read = async (file: string) => (await files.readText(file)) ?? throwIssue(authorityFaults.CA_MISSING, { file })
  const [certificate] = parseCertificates(await read(layout.certificate))
  const key = parsePrivateKey(await read(layout.key))
  if (!isSameKeyPair(certificate!.publicKey, key)) throwIssue(authorityFaults.CA_KEY_MISMATCH, {})
  if (!isAuthority(certificate!.extensions))
    throwIssue(authorityFaults.CA_NOT_AUTHORITY, { subject: formatDistinguishedName(certificate!.subject) })
  return new LocalAuthority(options, layout, { certificate: certificate!, key })
}

/**
 * A CA stored in files. Each change holds the lock and writes each file atomically, in an order that is safe after a
 * crash at any point: first the serial, then the inventory, then the certificate; the request is removed last.
 */
class LocalAuthority implements CertificateAuthority {
  readonly #options: AuthorityOptions
  readonly #layout: CaLayout
  readonly #issuer: Issuer
  readonly #lock: FileLock
  readonly #signed: Records
  readonly #requests: Records
  readonly #revocations: Revocations
  readonly #statuses: Statuses
  readonly #issued: IssuedSerials
  readonly #submissions: Submissions

  constructor(options: AuthorityOptions, layout: CaLayout, issuer: Issuer) {
    const { files } = options.system
    this.#options = options
    this.#layout = layout
    this.#issuer = issuer
    this.#lock = new FileLock(layout.lock)
    this.#signed = openRecords(files, layout.signed)
    this.#requests = openRecords(files, layout.requests)
    const { listLifeMs = usualLifeMs, servesInfraList = false } = options
    const lists = { lifeMs: listLifeMs, isInfraServed: servesInfraList }
    this.#revocations = new Revocations({ files, layout, issuer, signed: this.#signed, ...lists })
    this.#issued = new IssuedSerials(files, layout.inventory)
    const folders = { signed: this.#signed, requests: this.#requests }
    this.#statuses = new Statuses({ files, layout, ...folders, revocations: this.#revocations })
    this.#submissions = new Submissions({
      ...options,
      layout,
      lock: this.#lock,
      signed: this.#signed,
      requests: this.#requests,
      authority: issuer.certificate,
      maxWaitingRequests: options.maxWaitingRequests ?? waitingRequests.bound,
      leastKeyBits: this.#leastKeyBits,
      checkDuplicate: (name) => this.#checkDuplicate(name),
      sign: (name, which) => this.sign(name, which),
      signRequest: (name, request) => this.#signRequest(name, request),
    })
  }

  get renews(): boolean {
    return this.#options.allowAutoRenewal
  }

  certificates(): Promise<Document> {
    return this.#document(this.#layout.certificate)
  }

  async revocationLists({ forEver = false }: RevocationListOptions = {}): Promise<Document> {
    const served = await this.#document(this.#revocations.served)
    return forEver ? { ...served, pem: await this.#revocations.servedForEver(this.#now()) } : served
  }

  certificate(name: string): Promise<string | undefined> {
    return this.#signed.read(name)
  }

  request(name: string): Promise<string | undefined> {
    return this.#requests.read(name)
  }

  submit(name: string, pem: string, from = ''): Promise<void> {
    return this.#submissions.submit(name, pem, from)
  }

  sign(name: string, { ttl, fingerprint: wanted }: SignOptions = {}): Promise<Certificate> {
    return this.#lock.run(async () => {
      const pem = (await this.#requests.read(name)) ?? throwIssue(authorityConflicts.NO_REQUEST, { name })
      const request = parseRecord(name, 'certificate request', () => parseCertificateRequest(pem))
      if (wanted !== undefined && computeFingerprint(request.der) !== wanted)
        throwIssue(authorityConflicts.REQUEST_CHANGED, { name })
      const certificate = (await this.#unfinished(name, request)) ?? (await this.#signRequest(name, request, ttl))
      await this.#requests.remove(name)
      return certificate
    })
  }

  async resume(log: (message: string) => void, signal?: AbortSignal): Promise<void> {
    await this.#submissions.resume(log, signal)
    if (!signal?.aborted) await this.lookThrough()
  }

  lookThrough(): Promise<void> {
    return this.#statuses.lookThrough()
  }

  async generate(name: string, { key, altNames = [], administers, ttl }: GenerateOptions): Promise<KeyPair> {
    checkCertname(name, this.#issuer.certificate)
    const privateKey = key instanceof KeyObject ? key : await generatePrivateKey(key)
    this.#checkKey(name, privateKey)
    return this.#lock.run(async () => {
      await this.#checkDuplicate(name)
      const certificate = await this.#issue(name, {
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
    return this.#lock.run(async () => ({ key, certificate: await this.#issue(name, content) }))
  }

  async renew(old: Certificate, options: RenewOptions = {}): Promise<Certificate> {
    const { ttl = this.#options.autoRenewalTtl, evenExpired = false } = options
    const name = findCommonName(old.subject) ?? ''
    const ours = isSignedBy(old, this.#issuer.certificate.publicKey) && isNodeCertname(name, this.#issuer.certificate)
    if (!ours) throwIssue(authorityConflicts.CERT_NOT_OURS, {})
    this.#checkKey(name, old.publicKey)
    return this.#lock.run(async () => {
      // Checked while the lock is held, since the certificate may be revoked or expire during the wait for the lock.
      if (await this.isRevoked(old.serial)) throwIssue(authorityConflicts.ALREADY_REVOKED, { name })
      if (old.notAfter <= this.#now() && !evenExpired) throwIssue(authorityConflicts.CERT_NOT_OURS, {})
      return this.#issue(name, {
        spki: old.spki,
        altNames: listSubjectAltNames(old.extensions),
        extensions: old.extensions.filter(({ oid }) => isPuppetOid(oid)),
        ttl,
      })
    })
  }

  revoke(name: string): Promise<void> {
    return this.#lock.run(async () => {
      if (!(await this.#revocations.revoke([name], this.#now())))
        throwIssue(authorityConflicts.NO_SIGNED_CERT, { name })
    })
  }

  async clean(names: readonly string[]): Promise<readonly string[]> {
    const wanted = [...new Set(names)]
    const signed = await listNamesWithRecords(this.#signed, wanted)
    const requested = await listNamesWithRecords(this.#requests, wanted)
    const known = wanted.filter((name) => signed.has(name) || requested.has(name))
    // Between two slices, other callers can acquire the lock.
    for (const slice of splitIntoSlices(known, namesUnderLock))
      await this.#lock.run(async () => {
        await this.#revocations.revoke(
          slice.filter((name) => signed.has(name)),
          this.#now(),
        )
        for (const name of slice) {
          await this.#signed.remove(name)
          await this.#requests.remove(name)
        }
      })
    return wanted.filter((name) => !signed.has(name))
  }

  remove(name: string): Promise<boolean> {
    return this.#lock.run(async () => {
      const removed = [await this.#signed.remove(name), await this.#requests.remove(name)]
      return removed.includes(true)
    })
  }

  removeCertificate(name: string): Promise<boolean> {
    return this.#lock.run(() => this.#signed.remove(name))
  }

  removeRequest(name: string): Promise<boolean> {
    return this.#lock.run(() => this.#requests.remove(name))
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
    return this.#issued.has(serial)
  }

  updateRevocationLists(pem: string): Promise<void> {
    return this.#lock.run(async () => {
      const authorities = parseCertificates((await this.certificates()).pem)
      await this.#revocations.replaceOthers(pem, authorities)
    })
  }

  refreshRevocationList(): Promise<boolean> {
    return this.#lock.run(() => this.#revocations.refresh(this.#now()))
  }

  pruneRevocationList(wish: PruneOptions): Promise<PruneResult> {
    return this.#lock.run(() => this.#revocations.prune(wish, this.#now()))
  }

  beginInfraList(): Promise<void> {
    return this.#lock.run(() => this.#revocations.beginInfra(this.#now()))
  }

  async expirations(): Promise<Expirations> {
    return getExpirations(parseCertificates((await this.certificates()).pem), await this.#revocations.contents())
  }

  /** Signs a request. The caller must hold the lock. */
  #signRequest(name: string, request: CertificateRequest, ttl?: number): Promise<Certificate> {
    checkSubject(name, request, this.#issuer.certificate)
    checkRequestForm(name, request, this.#leastKeyBits)
    checkRequestContent(name, request, this.#options)
    return this.#issue(name, this.#contentFor(request, ttl))
  }

  #checkKey(name: string, key: KeyObject): void {
    checkKeyStrength(name, key, this.#leastKeyBits)
  }

  get #leastKeyBits(): number {
    return this.#options.leastKeyBits ?? keyBits.bound
  }

  /** Issues a certificate. The caller must hold the lock. */
  async #issue(name: string, content: HostContent): Promise<Certificate> {
    if (content.ttl > lifetime.bound * secondsOfDay) throwIssue(requestRefusals.LIFE_TOO_LONG, { name })
    const serial = await allocateSerial(this.#options.system.files, this.#layout.serial)
    const certificate = createHostCertificate({ name, serial, now: this.#now(), ...content }, this.#issuer)
    await appendToInventory(this.#layout.inventory, certificate)
    // Signer certificates are in the inventory only, not in the list of nodes.
    if (content.soleUse === undefined) await this.#signed.write(name, toCertificatePem(certificate))
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
  async #unfinished(name: string, request: CertificateRequest): Promise<Certificate | undefined> {
    if (this.#options.allowDuplicates) return undefined
    const pem = await this.#signed.read(name)
    if (pem === undefined) return undefined
    const certificate = parseRecord(name, 'certificate', () => parseCertificate(pem))
    if (!isSameKeyPair(certificate.publicKey, request.publicKey)) await this.#checkDuplicate(name)
    return certificate
  }

  async #checkDuplicate(name: string): Promise<void> {
    if (this.#options.allowDuplicates) return
    const status = await this.status(name)
    if (status) throwIssue(requestRefusals.DUPLICATE_CERT, { name, state: status.state })
  }

  async #document(file: string): Promise<Document> {
    const { files } = this.#options.system
    const stat = await files.stat(file)
    const pem = await files.readText(file)
    if (!stat || pem === undefined) throwIssue(authorityFaults.CA_MISSING, { file })
    return { pem, modified: new Date(stat.modified) }
  }

  #now(): Date {
    return new Date(this.#options.system.now())
  }
}
