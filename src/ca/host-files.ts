import type { KeyObject } from 'node:crypto'
import { dirname } from 'node:path'
import { isCatalogIssue } from '../base/issue.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { System } from '../machine/system/system.ts'
import { getKeyKind, type KeySettings } from './authority-settings.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import { isExpiring } from './expiring-certificates.ts'
import { authorityConflicts } from './issues.ts'
import { type Certificate, parseCertificate, toCertificatePem } from './x509/certificate.ts'
import { generatePrivateKey, isSameKeyPair, parsePrivateKey, toPrivateKeyPem, toPublicKeyPem } from './x509/keys.ts'

/** Settings with the file paths and names of the CA's own host. */
export type HostSettings = KeySettings &
  Pick<
    Settings,
    | 'server_key_type'
    | 'certname'
    | 'dns_alt_names'
    | 'hostcert'
    | 'hostprivkey'
    | 'hostpubkey'
    | 'localcacert'
    | 'hostcrl'
  >

/**
 * Creates the key and certificate of the CA's own host if they are missing, and updates the host's copies of the CA
 * certificates and revocation lists. Returns true if a certificate was created.
 */
export async function ensureHostCertificate(
  settings: HostSettings,
  authority: CertificateAuthority,
  { files }: Pick<System, 'files'>,
): Promise<boolean> {
  const { hostcert, hostprivkey, hostpubkey } = settings
  for (const file of [hostcert, hostpubkey]) await files.makeDirectory(dirname(file), 0o755)
  await files.makeDirectory(dirname(hostprivkey), 0o750)
  await updateTrustFiles(settings, authority, { files })
  if ((await files.stat(hostcert)) && (await files.stat(hostprivkey))) return false

  // The key is written first: after a crash, the next start continues with the same key.
  const found = await files.readText(hostprivkey)
  const key =
    found === undefined
      ? await generatePrivateKey(getKeyKind({ ...settings, key_type: settings.server_key_type }))
      : parsePrivateKey(found)
  if (found === undefined) await files.write(hostprivkey, toPrivateKeyPem(key), 0o600)
  await files.write(hostpubkey, toPublicKeyPem(key), 0o644)
  await files.write(hostcert, await issueHostCertificate(settings, key, authority), 0o644)
  return true
}

/** Updates the copies of the CA certificates and revocation lists on the CA's own host. */
export async function updateTrustFiles(
  { localcacert, hostcrl }: Pick<Settings, 'localcacert' | 'hostcrl'>,
  authority: CertificateAuthority,
  { files }: Pick<System, 'files'>,
): Promise<void> {
  for (const file of [localcacert, hostcrl]) await files.makeDirectory(dirname(file), 0o755)
  await createTrustFileUpdate({ localcacert, hostcrl }, authority, { files })()
}

/** Returns a function that updates the copies if the CA certificates or revocation lists changed since its last call. */
export function createTrustFileUpdate(
  { localcacert, hostcrl }: Pick<Settings, 'localcacert' | 'hostcrl'>,
  authority: CertificateAuthority,
  { files }: Pick<System, 'files'>,
): () => Promise<void> {
  const written = new Map<string, string>()
  const update = async (file: string, pem: string) => {
    if (written.get(file) === pem) return
    await files.write(file, pem, 0o644)
    written.set(file, pem)
  }
  return async () => {
    await update(localcacert, (await authority.certificates()).pem)
    await update(hostcrl, (await authority.revocationLists()).pem)
  }
}

/**
 * Replaces the certificate in a host's file on this machine, if the file contains a certificate with the same key;
 * returns true if it was replaced.
 */
export async function replaceHostCertificate(
  hostcert: string,
  certificate: Certificate,
  { files }: Pick<System, 'files'>,
): Promise<boolean> {
  const old = await files.readText(hostcert)
  if (old === undefined || !parseCertificate(old).spki.equals(certificate.spki)) return false
  await files.write(hostcert, toCertificatePem(certificate), 0o644)
  return true
}

/**
 * Milliseconds by which a host certificate is renewed before warnings about its expiration would
 * begin.
 */
const aheadOfWarningMs = 2 * 86_400_000

/**
 * Renews the certificate of the CA's own host before it expires, with the same key, and writes the file. Returns the
 * new certificate, if it was renewed. Revoked certificates and certificates of another CA are not renewed.
 */
export async function renewHostCertificate(
  { hostcert, ca_ttl: ttl }: Pick<Settings, 'hostcert' | 'ca_ttl'>,
  authority: CertificateAuthority,
  { files, now }: Pick<System, 'files' | 'now'>,
): Promise<Certificate | undefined> {
  const pem = await files.readText(hostcert)
  const old = pem === undefined ? undefined : parseCertificate(pem)
  if (!old || !isExpiring(old, new Date(now() + aheadOfWarningMs))) return undefined
  try {
    const certificate = await authority.renew(old, { ttl, evenExpired: true })
    await replaceHostCertificate(hostcert, certificate, { files })
    return certificate
  } catch (error) {
    if (isCatalogIssue(error, authorityConflicts)) return undefined
    throw error
  }
}

async function issueHostCertificate(
  { certname, dns_alt_names: given }: HostSettings,
  key: KeyObject,
  authority: CertificateAuthority,
): Promise<string> {
  const signed = await authority.certificate(certname)
  if (signed !== undefined && isSameKeyPair(parseCertificate(signed).publicKey, key)) return signed
  const altNames = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const { certificate } = await authority.generate(certname, {
    key,
    altNames: altNames.length > 0 ? altNames : listDefaultAltNames(certname),
    administers: true,
  })
  return toCertificatePem(certificate)
}

/**
 * Returns the default alternative names: `puppet`, and `puppet` in the server's domain, which agents contact by
 * default.
 */
function listDefaultAltNames(certname: string): string[] {
  const domain = certname.split('.').slice(1).join('.')
  return domain === '' ? ['puppet'] : ['puppet', `puppet.${domain}`]
}
