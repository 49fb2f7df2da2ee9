import { KeyObject } from 'node:crypto'
import { budgets } from '../base/budgets/budgets.ts'
import { fail } from '../base/issue.ts'
import { slicesOf } from '../base/slices-of.ts'
import { reasonText } from '../language/ruby-semantics/errno.ts'
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
  ListWish,
  RenewOptions,
  SignOptions,
  WaitingRequest,
} from './certificate-authority.ts'
import { expirationsOf } from './expirations.ts'
import { appendToInventory, nextSerial } from './inventory.ts'
import { IssuedSerials } from './issued-serials.ts'
import { conflicts, refusals, troubles } from './issues.ts'
import { checkKey } from './key-policy.ts'
import { type CaLayout, caLayout } from './layout.ts'
import { checkCertname, checkContent, checkForm, checkSubject, isNodeName, type SigningPolicy } from './policy.ts'
import { hostCertificate, type Issuer } from './profile.ts'
import { namesWithRecords, type Records, records } from './records.ts'
import { usualLifeMs } from './revocation-file.ts'
import { type Pruned, type PruneWish, Revocations } from './revocations.ts'
import { type SignerUse, signerKey, signerName, signerProfiles } from './signer-uses.ts'
import type { CertificateState, CertificateStatus } from './status.ts'
import { Statuses } from './statuses.ts'
import { Submissions } from './submissions.ts'
import { type Certificate, certificatePem, parseCertificate, parseCertificates } from './x509/certificate.ts'
import { type CertificateRequest, parseRequest } from './x509/certificate-request.ts'
import { type Extension, isAuthority, subjectAltNames, textExtension } from './x509/extensions.ts'
import { fingerprint } from './x509/fingerprint.ts'
import { isSamePair, newKey, parsePrivateKey, publicKeyDer } from './x509/keys.ts'
import { commonNameOf, nameText } from './x509/name.ts'
import { isWithin, puppetArcs, puppetOids } from './x509/oids.ts'
import type { Revocation } from './x509/revocation-list.ts'
import { isSignedBy } from './x509/signed.ts'

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

/** Number of names revoked in one hold of the lock, which takes about a second. */
const namesUnderLock = 500

const autoRenew = puppetOids.get('pp_auth_auto_renew')!
const cliAuth = puppetOids.get('pp_cli_auth')!

/** Opens the CA in this directory. Throws CA_MISSING if a file is missing, and errors of damaged files. */
export async function openAuthority(options: AuthorityOptions): Promise<CertificateAuthority> {
  const { files } = options.system
  const layout = caLayout(options.cadir)
  const read = async (file: string) => (await files.readText(file)) ?? fail(troubles.CA_MISSING, { file })
  const [certificate] = parseCertificates(await read(layout.certificate))
  const key = parsePrivateKey(await read(layout.key))
  if (!isSamePair(certificate!.publicKey, key)) fail(troubles.CA_KEY_MISMATCH, {})
  if (!isAuthority(certificate!.extensions))
    fail(troubles.CA_NOT_AUTHORITY, { subject: nameText(certificate!.subject) })
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
    this.#signed = records(files, layout.signed)
    this.#requests = records(files, layout.requests)
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

  async revocationLists({ forEver = false }: ListWish = {}): Promise<Document> {
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
      const pem = (await this.#requests.read(name)) ?? fail(conflicts.NO_REQUEST, { name })
      const request = whole(name, 'certificate request', () => parseRequest(pem))
      if (wanted !== undefined && fingerprint(request.der) !== wanted) fail(conflicts.REQUEST_CHANGED, { name })
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
    const privateKey = key instanceof KeyObject ? key : await newKey(key)
    this.#checkKey(name, privateKey)
    return this.#lock.run(async () => {
      await this.#checkDuplicate(name)
      const certificate = await this.#issue(name, {
        spki: publicKeyDer(privateKey),
        altNames: altNames.map((each) => (/^(DNS|IP):/.test(each) ? each : `DNS:${each}`)),
        extensions: administers ? [textExtension(cliAuth, 'true')] : [],
        ttl: ttl ?? this.#options.ttl,
      })
      return { key: privateKey, certificate }
    })
  }

  async generateSigner(server: string, use: SignerUse = 'catalogs'): Promise<KeyPair> {
    const name = signerName(server, use)
    if (!isCertname(name)) fail(refusals.INVALID_SUBJECT_NAME, {})
    const key = await newKey(signerKey)
    const { purpose: soleUse, ttl, extensions } = signerProfiles[use]
    const content = { spki: publicKeyDer(key), altNames: [], extensions, soleUse, ttl }
    return this.#lock.run(async () => ({ key, certificate: await this.#issue(name, content) }))
  }

  async renew(old: Certificate, options: RenewOptions = {}): Promise<Certificate> {
    const { ttl = this.#options.autoRenewalTtl, evenExpired = false } = options
    const name = commonNameOf(old.subject) ?? ''
    const ours = isSignedBy(old, this.#issuer.certificate.publicKey) && isNodeName(name, this.#issuer.certificate)
    if (!ours) fail(conflicts.CERT_NOT_OURS, {})
    this.#checkKey(name, old.publicKey)
    return this.#lock.run(async () => {
      // Checked while the lock is held, since the certificate may be revoked or expire during the wait for the lock.
      if (await this.isRevoked(old.serial)) fail(conflicts.ALREADY_REVOKED, { name })
      if (old.notAfter <= this.#now() && !evenExpired) fail(conflicts.CERT_NOT_OURS, {})
      return this.#issue(name, {
        spki: old.spki,
        altNames: subjectAltNames(old.extensions),
        extensions: old.extensions.filter(isPuppets),
        ttl,
      })
    })
  }

  revoke(name: string): Promise<void> {
    return this.#lock.run(async () => {
      if (!(await this.#revocations.revoke([name], this.#now()))) fail(conflicts.NO_SIGNED_CERT, { name })
    })
  }

  async clean(names: readonly string[]): Promise<readonly string[]> {
    const wanted = [...new Set(names)]
    const signed = await namesWithRecords(this.#signed, wanted)
    const requested = await namesWithRecords(this.#requests, wanted)
    const known = wanted.filter((name) => signed.has(name) || requested.has(name))
    // Between two slices, other callers can acquire the lock.
    for (const slice of slicesOf(known, namesUnderLock))
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

  waiting(): Promise<readonly WaitingRequest[]> {
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

  pruneRevocationList(wish: PruneWish): Promise<Pruned> {
    return this.#lock.run(() => this.#revocations.prune(wish, this.#now()))
  }

  beginInfraList(): Promise<void> {
    return this.#lock.run(() => this.#revocations.beginInfra(this.#now()))
  }

  async expirations(): Promise<Expirations> {
    return expirationsOf(parseCertificates((await this.certificates()).pem), await this.#revocations.contents())
  }

  /** The caller must hold the lock. */
  #signRequest(name: string, request: CertificateRequest, ttl?: number): Promise<Certificate> {
    checkSubject(name, request, this.#issuer.certificate)
    checkForm(name, request, this.#leastKeyBits)
    checkContent(name, request, this.#options)
    return this.#issue(name, this.#contentFor(request, ttl))
  }

  #checkKey(name: string, key: KeyObject): void {
    checkKey(name, key, this.#leastKeyBits)
  }

  get #leastKeyBits(): number {
    return this.#options.leastKeyBits ?? keyBits.bound
  }

  /** The caller must hold the lock. */
  async #issue(name: string, content: HostContent): Promise<Certificate> {
    if (content.ttl > lifetime.bound * secondsOfDay) fail(refusals.LIFE_TOO_LONG, { name })
    const serial = await nextSerial(this.#options.system.files, this.#layout.serial)
    const certificate = hostCertificate({ name, serial, now: this.#now(), ...content }, this.#issuer)
    await appendToInventory(this.#layout.inventory, certificate)
    // Signer certificates are in the inventory only, not in the list of nodes.
    if (content.soleUse === undefined) await this.#signed.write(name, certificatePem(certificate))
    return certificate
  }

  #contentFor(request: CertificateRequest, ttl: number | undefined): HostContent {
    const renewing = this.renews && request.attributes.some(([oid, value]) => oid === autoRenew && value === 'true')
    return {
      spki: publicKeyDer(request.publicKey),
      altNames: request.altNames,
      extensions: [...request.extensions.filter(isPuppets), ...(renewing ? [textExtension(autoRenew, 'true')] : [])],
      ttl: ttl ?? (renewing ? this.#options.autoRenewalTtl : this.#options.ttl),
    }
  }

  /** Returns the certificate of a request that was signed, but not removed, before a crash. */
  async #unfinished(name: string, request: CertificateRequest): Promise<Certificate | undefined> {
    if (this.#options.allowDuplicates) return undefined
    const pem = await this.#signed.read(name)
    if (pem === undefined) return undefined
    const certificate = whole(name, 'certificate', () => parseCertificate(pem))
    if (!isSamePair(certificate.publicKey, request.publicKey)) await this.#checkDuplicate(name)
    return certificate
  }

  async #checkDuplicate(name: string): Promise<void> {
    if (this.#options.allowDuplicates) return
    const status = await this.status(name)
    if (status) fail(refusals.DUPLICATE_CERT, { name, state: status.state })
  }

  async #document(file: string): Promise<Document> {
    const { files } = this.#options.system
    const stat = await files.stat(file)
    const pem = await files.readText(file)
    if (!stat || pem === undefined) fail(troubles.CA_MISSING, { file })
    return { pem, modified: new Date(stat.modified) }
  }

  #now(): Date {
    return new Date(this.#options.system.now())
  }
}

/** Runs `read`, which parses a file of the CA. Throws FILE_BROKEN if it fails. */
function whole<Result>(name: string, what: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const why = reasonText(error)
    return fail(conflicts.FILE_BROKEN, { name, what, why })
  }
}

interface HostContent {
  readonly spki: Buffer
  readonly altNames: readonly string[]
  readonly extensions: readonly Extension[]
  readonly soleUse?: string | undefined
  readonly ttl: number
}

function isPuppets({ oid }: Extension): boolean {
  return Object.values(puppetArcs).some((arc) => isWithin(oid, arc))
}
