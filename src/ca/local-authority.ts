import { KeyObject } from 'node:crypto'
import { fail } from '../base/issue.ts'
import { FileLock } from '../system/file-lock.ts'
import type { System } from '../system/system.ts'
import { type Certificate, certificatePem, parseCertificate, parseCertificates } from '../x509/certificate.ts'
import { type CertificateRequest, parseRequest, requestPem } from '../x509/certificate-request.ts'
import { type Extension, isAuthority, subjectAltNames, textExtension } from '../x509/extensions.ts'
import { isSamePair, newKey, parsePrivateKey, publicKeyDer } from '../x509/keys.ts'
import { commonNameOf, nameText } from '../x509/name.ts'
import { isWithin, puppetArcs, puppetOids } from '../x509/oids.ts'
import { keyCompromise, type RevocationList } from '../x509/revocation-list.ts'
import { isSignedBy } from '../x509/signed.ts'
import type { Autosign } from './autosign.ts'
import type { CertificateAuthority, Document, Expirations, GenerateOptions, KeyPair } from './certificate-authority.ts'
import { isCertname } from './certname.ts'
import { appendToInventory, nextSerial, parseInventory, timestamp } from './inventory.ts'
import { conflicts, refusals, troubles } from './issues.ts'
import { type CaLayout, caLayout } from './layout.ts'
import { checkContent, checkSubject, type SigningPolicy } from './policy.ts'
import { hostCertificate, type Issuer, listIssuer } from './profile.ts'
import { type Records, records } from './records.ts'
import { RevocationFile } from './revocation-file.ts'
import { type CertificateState, type CertificateStatus, statusOfCertificate, statusOfRequest } from './status.ts'

/** How an authority decides. Times in seconds. */
export interface AuthorityOptions extends SigningPolicy {
  readonly cadir: string
  readonly ttl: number
  readonly autosign: Autosign
  readonly allowDuplicates: boolean
  readonly allowAutoRenewal: boolean
  readonly autoRenewalTtl: number
  readonly system: Pick<System, 'files' | 'now'>
}

const autoRenew = puppetOids.get('pp_auth_auto_renew')!
const cliAuth = puppetOids.get('pp_cli_auth')!

/** The authority in this directory. Throws CA_MISSING, or what is wrong with it. */
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
 * An authority in files. Whatever changes something does so under the lock, each file whole or not at all, in an order
 * that a crash may cut anywhere: the serial is taken, the inventory names it, the certificate appears, the request goes.
 */
class LocalAuthority implements CertificateAuthority {
  readonly #options: AuthorityOptions
  readonly #layout: CaLayout
  readonly #issuer: Issuer
  readonly #lock: FileLock
  readonly #signed: Records
  readonly #requests: Records
  readonly #revocations: RevocationFile

  constructor(options: AuthorityOptions, layout: CaLayout, issuer: Issuer) {
    const { files } = options.system
    this.#options = options
    this.#layout = layout
    this.#issuer = issuer
    this.#lock = new FileLock(layout.lock)
    this.#signed = records(files, layout.signed)
    this.#requests = records(files, layout.requests)
    this.#revocations = new RevocationFile(files, layout.revocationList, listIssuer(issuer))
  }

  get renews(): boolean {
    return this.#options.allowAutoRenewal
  }

  certificates(): Promise<Document> {
    return this.#document(this.#layout.certificate)
  }

  revocationLists(): Promise<Document> {
    return this.#document(this.#layout.revocationList)
  }

  certificate(name: string): Promise<string | undefined> {
    return this.#signed.read(name)
  }

  request(name: string): Promise<string | undefined> {
    return this.#requests.read(name)
  }

  async submit(name: string, pem: string): Promise<void> {
    const request = parseRequest(pem)
    await this.#lock.run(async () => {
      await this.#checkDuplicate(request.commonName ?? name)
      checkSubject(name, request)
      await this.#requests.write(name, requestPem(request))
    })
    if (await this.#options.autosign(name, requestPem(request))) await this.sign(name)
  }

  sign(name: string, { ttl }: { readonly ttl?: number } = {}): Promise<Certificate> {
    return this.#lock.run(async () => {
      const pem = (await this.#requests.read(name)) ?? fail(conflicts.NO_REQUEST, { name })
      const request = parseRequest(pem)
      const earlier = await this.#unfinished(name, request)
      if (earlier) return earlier
      checkSubject(name, request)
      checkContent(name, request, this.#options)
      const certificate = await this.#issue(name, this.#contentFor(request, ttl))
      await this.#requests.remove(name)
      return certificate
    })
  }

  async generate(name: string, { key, altNames = [], administers, ttl }: GenerateOptions): Promise<KeyPair> {
    if (!isCertname(name)) fail(/[A-Z]/.test(name) ? refusals.UPPER_CASE : refusals.INVALID_SUBJECT_NAME, {})
    const privateKey = key instanceof KeyObject ? key : await newKey(key)
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

  async renew(old: Certificate, ttl = this.#options.autoRenewalTtl): Promise<Certificate> {
    const name = commonNameOf(old.subject) ?? ''
    const now = this.#now()
    const ours = isSignedBy(old, this.#issuer.certificate.publicKey) && old.notAfter > now && isCertname(name)
    if (!ours || (await this.isRevoked(old.serial))) fail(conflicts.CERT_NOT_OURS, {})
    return this.#lock.run(() =>
      this.#issue(name, {
        spki: old.spki,
        altNames: subjectAltNames(old.extensions),
        extensions: old.extensions.filter(isPuppets),
        ttl,
      }),
    )
  }

  revoke(name: string): Promise<void> {
    return this.#lock.run(async () => {
      if (!(await this.#revokeAll([name]))) fail(conflicts.NO_SIGNED_CERT, { name })
    })
  }

  clean(names: readonly string[]): Promise<readonly string[]> {
    return this.#lock.run(async () => {
      const missing: string[] = []
      for (const name of names) if ((await this.#signed.read(name)) === undefined) missing.push(name)
      await this.#revokeAll(names.filter((name) => !missing.includes(name)))
      for (const name of names) {
        await this.#signed.remove(name)
        await this.#requests.remove(name)
      }
      return missing
    })
  }

  remove(name: string): Promise<boolean> {
    return this.#lock.run(async () => {
      const removed = [await this.#signed.remove(name), await this.#requests.remove(name)]
      return removed.includes(true)
    })
  }

  removeRequest(name: string): Promise<boolean> {
    return this.#lock.run(() => this.#requests.remove(name))
  }

  async status(name: string): Promise<CertificateStatus | undefined> {
    const signed = await this.#signed.read(name)
    if (signed !== undefined) {
      const certificate = parseCertificate(signed)
      return statusOfCertificate(name, certificate, (await this.isRevoked(certificate.serial)) ? 'revoked' : 'signed')
    }
    const requested = await this.#requests.read(name)
    return requested === undefined ? undefined : statusOfRequest(name, parseRequest(requested))
  }

  async statuses(state?: CertificateState): Promise<readonly CertificateStatus[]> {
    const names = new Set([...(await this.#signed.names()), ...(await this.#requests.names())])
    const found: CertificateStatus[] = []
    for (const name of [...names].sort()) {
      const status = await this.status(name)
      if (status && (state === undefined || status.state === state)) found.push(status)
    }
    return found
  }

  async isRevoked(serial: bigint): Promise<boolean> {
    return (await this.#revocations.contents()).own.revoked.has(serial.toString(16))
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

  async expirations(): Promise<Expirations> {
    const { own, others } = await this.#revocations.contents()
    const certificates = parseCertificates((await this.certificates()).pem)
    const end = (list: RevocationList) => (list.nextUpdate ? timestamp(list.nextUpdate) : '')
    return {
      certificates: Object.fromEntries(
        certificates.map(({ subject, notAfter }) => [commonNameOf(subject) ?? '', timestamp(notAfter)]),
      ),
      lists: Object.fromEntries([own, ...others].map((list) => [commonNameOf(list.issuer) ?? '', end(list)])),
    }
  }

  /** To be called under the lock. */
  async #issue(name: string, content: HostContent): Promise<Certificate> {
    const serial = await nextSerial(this.#options.system.files, this.#layout.serial)
    const certificate = hostCertificate({ name, serial, now: this.#now(), ...content }, this.#issuer)
    await appendToInventory(this.#layout.inventory, certificate)
    await this.#signed.write(name, certificatePem(certificate))
    return certificate
  }

  #contentFor(request: CertificateRequest, ttl: number | undefined): HostContent {
    const renewing = this.renews && request.attributes.some(([oid, value]) => oid === autoRenew && value === 'true')
    return {
      spki: publicKeyDer(request.publicKey),
      altNames: subjectAltNames(request.extensions),
      extensions: [...request.extensions.filter(isPuppets), ...(renewing ? [textExtension(autoRenew, 'true')] : [])],
      ttl: ttl ?? (renewing ? this.#options.autoRenewalTtl : this.#options.ttl),
    }
  }

  /** The certificate of a request that a crash left behind after it was signed. */
  async #unfinished(name: string, request: CertificateRequest): Promise<Certificate | undefined> {
    if (this.#options.allowDuplicates) return undefined
    const pem = await this.#signed.read(name)
    if (pem === undefined) return undefined
    const certificate = parseCertificate(pem)
    if (!isSamePair(certificate.publicKey, request.publicKey)) await this.#checkDuplicate(name)
    await this.#requests.remove(name)
    return certificate
  }

  async #checkDuplicate(name: string): Promise<void> {
    if (this.#options.allowDuplicates) return
    const status = await this.status(name)
    if (status) fail(refusals.DUPLICATE_CERT, { name, state: status.state })
  }

  /** Whether there was anything to revoke, now or before. To be called under the lock. */
  async #revokeAll(names: readonly string[]): Promise<boolean> {
    const subjects = new Set(names.map((name) => `/CN=${name}`))
    const inventory = parseInventory((await this.#options.system.files.readText(this.#layout.inventory)) ?? '')
    const serials = new Set(inventory.filter(({ subject }) => subjects.has(subject)).map(({ serial }) => serial))
    for (const name of names) {
      const pem = await this.#signed.read(name)
      if (pem !== undefined) serials.add(parseCertificate(pem).serial)
    }
    const { revoked } = (await this.#revocations.contents()).own
    const date = this.#now()
    const added = [...serials].filter((serial) => !revoked.has(serial.toString(16)))
    if (added.length > 0)
      await this.#revocations.add(
        added.map((serial) => ({ serial, date, reason: keyCompromise })),
        date,
      )
    return serials.size > 0
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

interface HostContent {
  readonly spki: Buffer
  readonly altNames: readonly string[]
  readonly extensions: readonly Extension[]
  readonly ttl: number
}

function isPuppets({ oid }: Extension): boolean {
  return Object.values(puppetArcs).some((arc) => isWithin(oid, arc))
}
