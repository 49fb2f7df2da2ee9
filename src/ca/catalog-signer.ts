import type { KeyObject } from 'node:crypto'
import { dirname } from 'node:path'
import { defineIssues, isCatalogIssue, throwIssue } from '../base/issue.ts'
import { formatErrorReason } from '../language/ruby-semantics/errno.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { System } from '../machine/system/system.ts'
import type { CertificateAuthority, KeyPair } from './certificate-authority.ts'
import { authorityOutages } from './issues.ts'
import { signerKey } from './signer-profiles.ts'
import { type Certificate, parseCertificate, toCertificatePem } from './x509/certificate.ts'
import { findExtension, listExtendedKeyUses } from './x509/extensions.ts'
import { getKeyStrength, isSameKeyPair, parsePrivateKey, toPrivateKeyPem } from './x509/keys.ts'
import { catalogSigning, oids } from './x509/oids.ts'
import { isSignedBy } from './x509/signature.ts'

const issues = defineIssues({
  SIGNER_BROKEN: {
    text: (a: { file: string; why: string }) => `${a.file} contains no key for signing catalogs: ${a.why}`,
    hint: () =>
      "Run 'plumb ca generate --certname NAME --catalog-signer FILE' on the CA server to create one, or set catalog_signing to false.",
  },
})

/**
 * A signer is renewed this number of milliseconds before it expires: 62 days, that is, two days before warnings begin.
 */
const renewedBeforeMs = 62 * 86_400_000

/** Returns true for a certificate that may sign catalogs and nothing else. */
export function isCatalogSigner({ extensions }: Pick<Certificate, 'extensions'>): boolean {
  const uses = findExtension(extensions, oids.extendedKeyUsage)
  return uses !== undefined && listExtendedKeyUses(uses).join() === catalogSigning
}

/** Settings of a server that signs catalogs. */
export type SignerSettings = Pick<Settings, 'certname' | 'catalog_signer'>

/** A signer's key and certificate; `isNew` is true if they were just created. */
export interface CatalogSigner extends KeyPair {
  readonly isNew: boolean
}

/**
 * Returns the key and certificate for signing this server's catalogs. With a local CA, they are created, and renewed
 * before they expire; otherwise they are read from the file that an administrator installed. Returns `undefined`
 * without a local CA and without that file, and while the CA cannot sign. Throws SIGNER_BROKEN.
 */
export async function ensureCatalogSigner(
  { certname, catalog_signer: file }: SignerSettings,
  authority: CertificateAuthority | undefined,
  { files, now }: Pick<System, 'files' | 'now'>,
): Promise<CatalogSigner | undefined> {
  const text = await files.readText(file)
  if (!authority) return text === undefined ? undefined : { ...parseSigner(text, file), isNew: false }
  const kept = text === undefined ? undefined : findUsableSigner(text, file)
  if (kept && (await isSignerUsable(kept, authority, now()))) return { ...kept, isNew: false }
  try {
    const made = await authority.generateSigner(certname)
    await writeSigner(made, file, { files })
    return { ...made, isNew: true }
  } catch (error) {
    // The next check tries again.
    if (!isCatalogIssue(error, authorityOutages)) throw error
    return kept && kept.certificate.notAfter.getTime() > now() ? { ...kept, isNew: false } : undefined
  }
}

/**
 * Writes key and certificate into one file, so that after a crash the file contains either the old pair or the new
 * pair.
 */
export async function writeSigner(
  { key, certificate }: KeyPair,
  file: string,
  { files }: Pick<System, 'files'>,
): Promise<void> {
  await files.makeDirectory(dirname(file), 0o755)
  await files.write(file, `${toPrivateKeyPem(key)}${toCertificatePem(certificate)}`, 0o600)
}

async function isSignerUsable(
  { certificate }: KeyPair,
  authority: CertificateAuthority,
  now: number,
): Promise<boolean> {
  if (certificate.notAfter.getTime() - now < renewedBeforeMs || certificate.notBefore.getTime() > now) return false
  const issuer = parseCertificate((await authority.certificates()).pem)
  return isSignedBy(certificate, issuer.publicKey) && !(await authority.isRevoked(certificate.serial))
}

/** Returns the signer in the text; `undefined` if the signer is unusable, so that the caller creates a new signer. */
function findUsableSigner(text: string, file: string): KeyPair | undefined {
  try {
    return parseSigner(text, file)
  } catch {
    return undefined
  }
}

function parseSigner(text: string, file: string): KeyPair {
  const failBroken = (why: string) => throwIssue(issues.SIGNER_BROKEN, { file, why })
  const { key, certificate } = parseKeyPair(text, failBroken)
  if (!isSameKeyPair(key, certificate.publicKey)) failBroken('the key does not match the certificate')
  if (!isCatalogSigner(certificate)) failBroken('the certificate is not a catalog signing certificate')
  const strength = getKeyStrength(key)
  if (strength.type !== 'ec' || strength.curve !== signerKey.curve) failBroken('the key is not on the curve P-256')
  return { key, certificate }
}

function parseKeyPair(text: string, broken: (why: string) => never): { key: KeyObject; certificate: Certificate } {
  try {
    return { key: parsePrivateKey(text), certificate: parseCertificate(text) }
  } catch (error) {
    return broken(formatErrorReason(error))
  }
}
