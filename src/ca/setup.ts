import type { KeyObject } from 'node:crypto'
import { throwIssue } from '../base/issue.ts'
import type { System } from '../machine/system/system.ts'
import { createAuthorityCertificate, toListIssuer } from './certificate-profile.ts'
import { type CaLayout, getCaLayout } from './file-layout.ts'
import { formatSerial } from './inventory.ts'
import { authorityFaults } from './issues.ts'
import { checkKeyStrength } from './key-policy.ts'
import { ensureFolder } from './pem-folder.ts'
import { createEmptyRevocationList } from './revocation-file.ts'
import { type Certificate, parseCertificates, toCertificatePem } from './x509/certificate.ts'
import { verifyChain } from './x509/chain.ts'
import { formatDistinguishedName } from './x509/distinguished-name.ts'
import { isAuthority } from './x509/extensions.ts'
import {
  generatePrivateKey,
  isSameKeyPair,
  type KeyKind,
  parsePrivateKey,
  toPrivateKeyPem,
  toPublicKeyPem,
} from './x509/keys.ts'
import { parseRevocationLists, type RevocationList, toRevocationListPem } from './x509/revocation-list.ts'

type World = Pick<System, 'files' | 'now'>

/** Options for creating a CA. */
export interface SetupOptions {
  readonly cadir: string
  /** Common name of the CA certificate. */
  readonly name: string
  readonly key: KeyKind
  /** Lifetime in seconds. */
  readonly ttl: number
  /** Minimum size of RSA keys in bits. */
  readonly leastKeyBits?: number
  readonly system: World
}

/** Parts of a CA that was created elsewhere. Texts are PEM. */
export interface ImportOptions {
  readonly cadir: string
  readonly privateKey: string
  /** The signing certificate and the certificates of its parent CAs, up to a root. */
  readonly certificates: string
  /** One revocation list for each CA. */
  readonly revocationLists: string
  /** Minimum size of RSA keys in bits. */
  readonly leastKeyBits?: number
  readonly system: World
}

/** Creates a self-signed CA. Throws CA_EXISTS if the directory contains files of a CA. */
export async function setUpAuthority(options: SetupOptions): Promise<void> {
  const { cadir, name, key: kind, ttl, leastKeyBits, system } = options
  const layout = getCaLayout(cadir)
  await checkNoExistingFiles(layout, system)
  const now = new Date(system.now())
  const key = await generatePrivateKey(kind)
  checkKeyStrength(name, key, leastKeyBits)
  const certificate = createAuthorityCertificate(name, key, ttl, now)
  const list = createEmptyRevocationList(toListIssuer({ certificate, key }), now)
  await writeAuthorityFiles(layout, { certificates: [certificate], key, lists: [list], serial: 2n }, system)
}

/**
 * Imports a CA; the certificates and lists may be in any order. Throws CA_EXISTS, an error if the parts do not match,
 * or one of `chainIssues` if the chain is not trusted.
 */
export async function importAuthority(options: ImportOptions): Promise<void> {
  const { cadir, system } = options
  const layout = getCaLayout(cadir)
  await checkNoExistingFiles(layout, system)
  const given = parseCertificates(options.certificates)
  const key = parsePrivateKey(options.privateKey)
  const lists = parseRevocationLists(options.revocationLists)
  const own =
    given.find(({ publicKey }) => isSameKeyPair(publicKey, key)) ?? throwIssue(authorityFaults.CA_KEY_MISMATCH, {})
  for (const { extensions, subject } of given)
    if (!isAuthority(extensions))
      throwIssue(authorityFaults.CA_NOT_AUTHORITY, { subject: formatDistinguishedName(subject) })
  checkKeyStrength(formatDistinguishedName(own.subject), key, options.leastKeyBits)
  // The CA's own certificate must come first, since a server identifies its CA by the first certificate.
  const certificates = [own, ...given.filter((each) => each !== own)]
  // Without the list of one CA, a server cannot check revocation and would reject all certificates.
  for (const { subject } of certificates)
    if (!lists.some(({ issuer }) => issuer.der.equals(subject.der)))
      throwIssue(authorityFaults.CA_LISTS_INCOMPLETE, { subject: formatDistinguishedName(subject) })
  // Checks the chain up to a root: no certificate may be expired or revoked, and each list must have a valid signature.
  // Clients would reject any other chain.
  verifyChain(own, { authorities: certificates, lists, revocation: 'chain' }, new Date(system.now()))
  const isOwnList = ({ issuer }: RevocationList) => issuer.der.equals(own.subject.der)
  const ordered = [...lists.filter(isOwnList), ...lists.filter((list) => !isOwnList(list))]
  await writeAuthorityFiles(layout, { certificates, key, lists: ordered, serial: 1n }, system)
}

/** Returns true if the directory contains a CA. */
export async function hasAuthority(cadir: string, { files }: World): Promise<boolean> {
  const { certificate, key } = getCaLayout(cadir)
  return (await files.stat(certificate)) !== undefined && (await files.stat(key)) !== undefined
}

/** Throws CA_PARTIAL if a CA file that `enable-infra-crl` needs is missing. */
export async function checkInfraFiles(cadir: string, { files }: Pick<World, 'files'>): Promise<void> {
  const { certificate, key, revocationList, infraInventory, infraRevocationList } = getCaLayout(cadir)
  const found: string[] = []
  const missing: string[] = []
  for (const file of [certificate, revocationList, key, infraInventory, infraRevocationList])
    ((await files.stat(file)) ? found : missing).push(file)
  if (missing.length > 0) throwIssue(authorityFaults.CA_PARTIAL, { found, missing })
}

/** Creates the missing folders of a CA. */
export async function ensureFolders(cadir: string, { files }: Pick<System, 'files'>): Promise<void> {
  const { directory, signed, requests } = getCaLayout(cadir)
  for (const folder of [directory, signed, requests]) await ensureFolder(folder, files)
}

async function checkNoExistingFiles(layout: CaLayout, { files }: World): Promise<void> {
  const { certificate, key, revocationList, inventory, serial } = layout
  for (const file of [certificate, key, revocationList, inventory, serial])
    if (await files.stat(file)) throwIssue(authorityFaults.CA_EXISTS, { file })
}

interface Parts {
  readonly certificates: readonly Certificate[]
  readonly key: KeyObject
  readonly lists: readonly RevocationList[]
  readonly serial: bigint
}

/** Writes the certificate last, so that a CA that has a certificate is complete. */
async function writeAuthorityFiles(
  layout: CaLayout,
  { certificates, key, lists, serial }: Parts,
  { files }: World,
): Promise<void> {
  await ensureFolders(layout.directory, { files })
  const listPem = lists.map(toRevocationListPem).join('')
  await files.write(layout.key, toPrivateKeyPem(key), 0o600)
  await files.write(layout.publicKey, toPublicKeyPem(key), 0o644)
  await files.write(layout.revocationList, listPem, 0o644)
  await files.write(layout.infraRevocationList, listPem, 0o644)
  await files.write(layout.infraInventory, '', 0o644)
  await files.write(layout.infraSerials, '', 0o644)
  await files.write(layout.inventory, '', 0o644)
  await files.write(layout.serial, formatSerial(serial), 0o644)
  await files.write(layout.certificate, certificates.map(toCertificatePem).join(''), 0o644)
}
