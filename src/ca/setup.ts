import { throwIssue } from '../base/issue.ts'
import type { System } from '../machine/system/system.ts'
import { createAuthorityCertificate, toListIssuer } from './certificate-profile.ts'
import { createCommandSigner } from './external-signer.ts'
import { getCaLayout } from './file-layout.ts'
import { formatStoredKey, type KeyAccess } from './issuer.ts'
import { authorityFaults } from './issues.ts'
import { checkKeyStrength } from './key-policy.ts'
import { createEmptyRevocationList } from './revocation-document.ts'
import type { AuthorityStorage } from './storage/authority-storage.ts'
import { type Certificate, parseCertificates, toCertificatePem } from './x509/certificate.ts'
import { verifyChain } from './x509/chain.ts'
import { formatDistinguishedName } from './x509/distinguished-name.ts'
import { isAuthority } from './x509/extensions.ts'
import {
  generatePrivateKey,
  isSameKeyPair,
  type KeyKind,
  parsePrivateKey,
  parsePublicKey,
  toPublicKeyPem,
} from './x509/keys.ts'
import { parseRevocationLists, type RevocationList, toRevocationListPem } from './x509/revocation-list.ts'
import { createKeySigner } from './x509/signature.ts'

/** Options for creating a CA. */
export interface SetupOptions {
  readonly storage: AuthorityStorage
  /** Common name of the CA certificate. */
  readonly name: string
  readonly key: KeyKind
  readonly access: KeyAccess
  /** PEM of the public key of the external signer; required if a command signs. */
  readonly publicKey?: string | undefined
  /** Lifetime in seconds. */
  readonly ttl: number
  /** Minimum size of RSA keys in bits. */
  readonly leastKeyBits?: number
  readonly system: Pick<System, 'now'>
}

/** Parts of a CA that was created elsewhere. Texts are PEM. */
export interface ImportOptions {
  readonly storage: AuthorityStorage
  readonly access: KeyAccess
  /** The private key; `undefined` if a command signs. */
  readonly privateKey: string | undefined
  /** The signing certificate and the certificates of its parent CAs, up to a root. */
  readonly certificates: string
  /** One revocation list for each CA. */
  readonly revocationLists: string
  /** Minimum size of RSA keys in bits. */
  readonly leastKeyBits?: number
  readonly system: Pick<System, 'now'>
}

/** Creates a self-signed CA. Throws CA_EXISTS if the storage contains parts of a CA, and PUBLIC_KEY_UNSET. */
export async function setUpAuthority(options: SetupOptions): Promise<void> {
  const { storage, name, access, ttl, leastKeyBits, system } = options
  const now = new Date(system.now())
  const { signer, privateKey } = await createKey(options)
  checkKeyStrength(name, signer.publicKey, leastKeyBits)
  const certificate = await createAuthorityCertificate(name, signer, ttl, now)
  const list = await createEmptyRevocationList(toListIssuer({ certificate, signer }), now)
  await storage.create({
    certificates: toCertificatePem(certificate),
    publicKey: toPublicKeyPem(signer.publicKey),
    privateKey: privateKey && (await formatStoredKey(privateKey, access)),
    revocationLists: toRevocationListPem(list),
    serial: 2n,
  })
}

/** Creates a private key, or uses the key of the external signer. */
async function createKey({ key: kind, access, publicKey }: SetupOptions) {
  if (access.command.length === 0) {
    const privateKey = await generatePrivateKey(kind)
    return { signer: createKeySigner(privateKey), privateKey }
  }
  if (publicKey === undefined) throwIssue(authorityFaults.PUBLIC_KEY_UNSET, {})
  const key = parsePublicKey(publicKey)
  return { signer: createCommandSigner(key, access.command, access.system.commands), privateKey: undefined }
}

/**
 * Imports a CA; the certificates and lists may be in any order. Throws CA_EXISTS, an error if the parts do not match,
 * or one of `chainIssues` if the chain is not trusted.
 */
export async function importAuthority(options: ImportOptions): Promise<void> {
  const { storage, access, system } = options
  const given = parseCertificates(options.certificates)
  const lists = parseRevocationLists(options.revocationLists)
  const key = options.privateKey === undefined ? undefined : parsePrivateKey(options.privateKey)
  const own = key ? given.find(({ publicKey }) => isSameKeyPair(publicKey, key)) : given[0]
  if (!own) throwIssue(authorityFaults.CA_KEY_MISMATCH, {})
  for (const { extensions, subject } of given)
    if (!isAuthority(extensions))
      throwIssue(authorityFaults.CA_NOT_AUTHORITY, { subject: formatDistinguishedName(subject) })
  checkKeyStrength(formatDistinguishedName(own.subject), own.publicKey, options.leastKeyBits)
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
  if (!key) await checkCommand(own, access)
  await storage.create({
    certificates: certificates.map(toCertificatePem).join(''),
    publicKey: toPublicKeyPem(own.publicKey),
    privateKey: key && (await formatStoredKey(key, access)),
    revocationLists: ordered.map(toRevocationListPem).join(''),
    serial: 1n,
  })
}

/** Throws SIGNER_FAILED if the command does not sign with the key of the certificate. */
export async function checkCommand({ publicKey }: Certificate, { command, system }: KeyAccess): Promise<void> {
  await createCommandSigner(publicKey, command, system.commands).sign(Buffer.from('Plumbline: test of ca_signer'))
}

/**
 * Throws CA_PARTIAL if a CA file that `enable-infra-crl` needs is missing. With `isKeyless`, a command signs, and the CA
 * has no key file.
 */
export async function checkInfraFiles(
  cadir: string,
  { files }: Pick<System, 'files'>,
  isKeyless: boolean,
): Promise<void> {
  const { certificate, key, revocationList, infraInventory, infraRevocationList } = getCaLayout(cadir)
  const found: string[] = []
  const missing: string[] = []
  const needed = [certificate, revocationList, ...(isKeyless ? [] : [key]), infraInventory, infraRevocationList]
  for (const file of needed) ((await files.stat(file)) ? found : missing).push(file)
  if (missing.length > 0) throwIssue(authorityFaults.CA_PARTIAL, { found, missing })
}
