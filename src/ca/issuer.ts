import type { KeyObject } from 'node:crypto'
import { isCatalogIssue, throwIssue } from '../base/issue.ts'
import type { System } from '../machine/system/system.ts'
import type { Issuer } from './certificate-profile.ts'
import { createCommandSigner } from './external-signer.ts'
import { authorityFaults, authorityOutages } from './issues.ts'
import type { AuthorityRecords } from './storage/authority-storage.ts'
import { parseCertificates } from './x509/certificate.ts'
import { formatDistinguishedName } from './x509/distinguished-name.ts'
import { isAuthority } from './x509/extensions.ts'
import { isSameKeyPair, parsePrivateKey, toPrivateKeyPem } from './x509/keys.ts'
import { createKeySigner, type Signer } from './x509/signature.ts'

/** Access to the private key of a CA: the stored key, or a command that signs. */
export interface KeyAccess {
  /** Program and arguments of the command; empty for the stored key. */
  readonly command: readonly string[]
  /** File with the passphrase of the stored key; `undefined` for a key that is not encrypted. */
  readonly passphraseFile: string | undefined
  readonly system: Pick<System, 'files' | 'commands'>
}

/** Access to a stored key that is not encrypted, as in the files of Puppet Server. */
export const plainKeyAccess = (system: KeyAccess['system']): KeyAccess => ({
  command: [],
  passphraseFile: undefined,
  system,
})

/** Minimum length of a passphrase. The key derivation of PKCS#8 does not protect short passphrases. */
const minPassphraseLength = 20
/** Maximum size of the passphrase file in bytes. */
const maxPassphraseBytes = 4096

/**
 * Reads the CA certificate, and the private key unless a command signs. If the storage is unavailable now, the key is
 * read before the first signature. Throws CA_MISSING, CA_NOT_AUTHORITY, CA_KEY_MISMATCH, and errors about the
 * passphrase.
 */
export async function openIssuer(
  storage: Pick<AuthorityRecords, 'certificates' | 'privateKey'>,
  access: KeyAccess,
): Promise<Issuer> {
  const found = await storage.certificates.read()
  if (!found) throwIssue(authorityFaults.CA_MISSING, { file: storage.certificates.place })
  const certificate = parseCertificates(found.pem)[0]!
  const { publicKey, extensions, subject } = certificate
  const { command, system } = access
  const signer =
    command.length > 0
      ? createCommandSigner(publicKey, command, system.commands)
      : await openStoredKey(publicKey, storage, access)
  if (!isAuthority(extensions))
    throwIssue(authorityFaults.CA_NOT_AUTHORITY, { subject: formatDistinguishedName(subject) })
  return { certificate, signer }
}

async function openStoredKey(
  publicKey: KeyObject,
  storage: Pick<AuthorityRecords, 'privateKey'>,
  access: KeyAccess,
): Promise<Signer> {
  const signer = new StoredKeySigner(publicKey, storage, access)
  await signer.load().catch((error: unknown) => {
    if (!isCatalogIssue(error, authorityOutages)) throw error
  })
  return signer
}

/** Returns the PEM of a private key as it is stored: encrypted, if a passphrase is configured. */
export async function formatStoredKey(key: KeyObject, access: KeyAccess): Promise<string> {
  return toPrivateKeyPem(key, await readPassphrase(access))
}

/** Reads the stored private key. Throws CA_MISSING, and errors about the passphrase. */
export async function readStoredKey(
  { privateKey }: Pick<AuthorityRecords, 'privateKey'>,
  access: KeyAccess,
): Promise<KeyObject> {
  const found = await privateKey.read()
  if (!found) throwIssue(authorityFaults.CA_MISSING, { file: privateKey.place })
  return parsePrivateKey(found.pem, await readPassphrase(access))
}

/** Signs with the stored key, which is read once. */
class StoredKeySigner implements Signer {
  readonly publicKey: KeyObject
  readonly #storage: Pick<AuthorityRecords, 'privateKey'>
  readonly #access: KeyAccess
  #signer: Signer | undefined

  constructor(publicKey: KeyObject, storage: Pick<AuthorityRecords, 'privateKey'>, access: KeyAccess) {
    this.publicKey = publicKey
    this.#storage = storage
    this.#access = access
  }

  async load(): Promise<Signer> {
    if (this.#signer) return this.#signer
    const key = await readStoredKey(this.#storage, this.#access)
    if (!isSameKeyPair(this.publicKey, key)) throwIssue(authorityFaults.CA_KEY_MISMATCH, {})
    this.#signer = createKeySigner(key)
    return this.#signer
  }

  async sign(content: Buffer): Promise<Buffer> {
    return (await this.load()).sign(content)
  }
}

/** Reads the passphrase without its final line break. Throws PASSPHRASE_MISSING, PASSPHRASE_EXPOSED, PASSPHRASE_SHORT. */
async function readPassphrase({ passphraseFile: file, system }: KeyAccess): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = (await system.files.readWithin(file, maxPassphraseBytes))?.toString('utf8').replace(/\r?\n$/, '')
  const stat = await system.files.stat(file)
  if (text === undefined || !stat) throwIssue(authorityFaults.PASSPHRASE_MISSING, { file })
  if ((stat.mode & 0o007) !== 0) throwIssue(authorityFaults.PASSPHRASE_EXPOSED, { file })
  if (text.length < minPassphraseLength)
    throwIssue(authorityFaults.PASSPHRASE_SHORT, { file, least: minPassphraseLength })
  return text
}
