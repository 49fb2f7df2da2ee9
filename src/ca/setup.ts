import type { KeyObject } from 'node:crypto'
import { fail } from '../base/issue.ts'
import type { System } from '../machine/system/system.ts'
import { serialText } from './inventory.ts'
import { troubles } from './issues.ts'
import { checkKey } from './key-policy.ts'
import { type CaLayout, caLayout } from './layout.ts'
import { authorityCertificate, listIssuer } from './profile.ts'
import { ensureFolder } from './records.ts'
import { firstRevocationList } from './revocation-file.ts'
import { type Certificate, certificatePem, parseCertificates } from './x509/certificate.ts'
import { verifyChain } from './x509/chain.ts'
import { isAuthority } from './x509/extensions.ts'
import { isSamePair, type KeyKind, newKey, parsePrivateKey, privateKeyPem, publicKeyPem } from './x509/keys.ts'
import { nameText } from './x509/name.ts'
import { parseRevocationLists, type RevocationList, revocationListPem } from './x509/revocation-list.ts'

type World = Pick<System, 'files' | 'now'>

/** A new authority. */
export interface SetupOptions {
  readonly cadir: string
  /** The common name of its certificate. */
  readonly name: string
  readonly key: KeyKind
  /** Seconds. */
  readonly ttl: number
  /** The shortest RSA key that is trusted. */
  readonly leastKeyBits?: number
  readonly system: World
}

/** An authority made elsewhere. Texts are PEM. */
export interface ImportOptions {
  readonly cadir: string
  readonly privateKey: string
  /** The signing certificate and those above it, up to a root. */
  readonly certificates: string
  /** A list of each authority. */
  readonly revocationLists: string
  /** The shortest RSA key that is trusted. */
  readonly leastKeyBits?: number
  readonly system: World
}

/** Makes an authority that signs itself. Throws CA_EXISTS rather than replacing anything. */
export async function setUpAuthority(options: SetupOptions): Promise<void> {
  const { cadir, name, key: kind, ttl, leastKeyBits, system } = options
  const layout = caLayout(cadir)
  await refuseExisting(layout, system)
  const now = new Date(system.now())
  const key = await newKey(kind)
  checkKey(name, key, leastKeyBits)
  const certificate = authorityCertificate(name, key, ttl, now)
  const list = firstRevocationList(listIssuer({ certificate, key }), now)
  await writeAll(layout, { certificates: [certificate], key, lists: [list], serial: 2n }, system)
}

/**
 * Takes over an authority, of a bundle in any order. Throws CA_EXISTS, or what does not fit together: in the words of
 * `chainIssues` for a chain that cannot be trusted.
 */
export async function importAuthority(options: ImportOptions): Promise<void> {
  const { cadir, system } = options
  const layout = caLayout(cadir)
  await refuseExisting(layout, system)
  const given = parseCertificates(options.certificates)
  const key = parsePrivateKey(options.privateKey)
  const lists = parseRevocationLists(options.revocationLists)
  const own = given.find(({ publicKey }) => isSamePair(publicKey, key)) ?? fail(troubles.CA_KEY_MISMATCH, {})
  for (const { extensions, subject } of given)
    if (!isAuthority(extensions)) fail(troubles.CA_NOT_AUTHORITY, { subject: nameText(subject) })
  checkKey(nameText(own.subject), key, options.leastKeyBits)
  // Ours comes first, whatever the order of the bundle: by that a server knows its own.
  const certificates = [own, ...given.filter((each) => each !== own)]
  // Without the list of one of them a server knows of no certificate whether it was revoked, and takes none.
  for (const { subject } of certificates)
    if (!lists.some(({ issuer }) => issuer.der.equals(subject.der)))
      fail(troubles.CA_LISTS_INCOMPLETE, { subject: nameText(subject) })
  // Up to a root, each of them in force, none revoked, each list signed: nothing else would be trusted by anybody.
  verifyChain(own, { authorities: certificates, lists, revocation: 'chain' }, new Date(system.now()))
  const isOwn = ({ issuer }: RevocationList) => issuer.der.equals(own.subject.der)
  const ordered = [...lists.filter(isOwn), ...lists.filter((list) => !isOwn(list))]
  await writeAll(layout, { certificates, key, lists: ordered, serial: 1n }, system)
}

/** True when the directory holds an authority. */
export async function authorityExists(cadir: string, { files }: World): Promise<boolean> {
  const { certificate, key } = caLayout(cadir)
  return (await files.stat(certificate)) !== undefined && (await files.stat(key)) !== undefined
}

/** Throws CA_PARTIAL if a file is missing that a server with `enable-infra-crl` needs. */
export async function requireInfraFiles(cadir: string, { files }: Pick<World, 'files'>): Promise<void> {
  const { certificate, key, revocationList, infraInventory, infraRevocationList } = caLayout(cadir)
  const found: string[] = []
  const missing: string[] = []
  for (const file of [certificate, revocationList, key, infraInventory, infraRevocationList])
    ((await files.stat(file)) ? found : missing).push(file)
  if (missing.length > 0) fail(troubles.CA_PARTIAL, { found, missing })
}

/** Makes the authority's folders that are missing. */
export async function ensureFolders(cadir: string, { files }: Pick<System, 'files'>): Promise<void> {
  const { directory, signed, requests } = caLayout(cadir)
  for (const folder of [directory, signed, requests]) await ensureFolder(folder, files)
}

async function refuseExisting(layout: CaLayout, { files }: World): Promise<void> {
  const { certificate, key, revocationList, inventory, serial } = layout
  for (const file of [certificate, key, revocationList, inventory, serial])
    if (await files.stat(file)) fail(troubles.CA_EXISTS, { file })
}

interface Parts {
  readonly certificates: readonly Certificate[]
  readonly key: KeyObject
  readonly lists: readonly RevocationList[]
  readonly serial: bigint
}

/** The certificate comes last: an authority that has one is complete. */
async function writeAll(
  layout: CaLayout,
  { certificates, key, lists, serial }: Parts,
  { files }: World,
): Promise<void> {
  await ensureFolders(layout.directory, { files })
  const listPem = lists.map(revocationListPem).join('')
  await files.write(layout.key, privateKeyPem(key), 0o600)
  await files.write(layout.publicKey, publicKeyPem(key), 0o644)
  await files.write(layout.revocationList, listPem, 0o644)
  await files.write(layout.infraRevocationList, listPem, 0o644)
  await files.write(layout.infraInventory, '', 0o644)
  await files.write(layout.infraSerials, '', 0o644)
  await files.write(layout.inventory, '', 0o644)
  await files.write(layout.serial, serialText(serial), 0o644)
  await files.write(layout.certificate, certificates.map(certificatePem).join(''), 0o644)
}
