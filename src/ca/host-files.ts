import type { KeyObject } from 'node:crypto'
import { dirname } from 'node:path'
import { isIssueIn } from '../base/issue.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { System } from '../machine/system/system.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import { isEnding } from './ending.ts'
import { type KeySettings, keyKindOf } from './from-settings.ts'
import { conflicts } from './issues.ts'
import { type Certificate, certificatePem, parseCertificate } from './x509/certificate.ts'
import { isSamePair, newKey, parsePrivateKey, privateKeyPem, publicKeyPem } from './x509/keys.ts'

/** Settings of the authority's own host: its files and its names. */
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
 * Gives the authority's own host a key and a certificate, unless it has them, and the newest of the authority's
 * certificates and revocation lists. True when a new certificate was made.
 */
export async function ensureHostCertificate(
  settings: HostSettings,
  authority: CertificateAuthority,
  { files }: Pick<System, 'files'>,
): Promise<boolean> {
  const { hostcert, hostprivkey, hostpubkey } = settings
  for (const file of [hostcert, hostpubkey]) await files.makeDirectory(dirname(file), 0o755)
  await files.makeDirectory(dirname(hostprivkey), 0o750)
  await saveTrust(settings, authority, { files })
  if ((await files.stat(hostcert)) && (await files.stat(hostprivkey))) return false

  // The key first: cut off anywhere, the next start finishes with the same key.
  const found = await files.readText(hostprivkey)
  const key =
    found === undefined
      ? await newKey(keyKindOf({ ...settings, key_type: settings.server_key_type }))
      : parsePrivateKey(found)
  if (found === undefined) await files.write(hostprivkey, privateKeyPem(key), 0o600)
  await files.write(hostpubkey, publicKeyPem(key), 0o644)
  await files.write(hostcert, await certificateFor(settings, key, authority), 0o644)
  return true
}

/** Gives the authority's own host the newest of the authority's certificates and revocation lists. */
export async function saveTrust(
  { localcacert, hostcrl }: Pick<Settings, 'localcacert' | 'hostcrl'>,
  authority: CertificateAuthority,
  { files }: Pick<System, 'files'>,
): Promise<void> {
  for (const file of [localcacert, hostcrl]) await files.makeDirectory(dirname(file), 0o755)
  await files.write(localcacert, (await authority.certificates()).pem, 0o644)
  await files.write(hostcrl, (await authority.revocationLists()).pem, 0o644)
}

/** Replaces the certificate in the file of a host of this machine, if there is one of the same key; whether it did. */
export async function replaceHostCertificate(
  hostcert: string,
  certificate: Certificate,
  { files }: Pick<System, 'files'>,
): Promise<boolean> {
  const old = await files.readText(hostcert)
  if (old === undefined || !parseCertificate(old).spki.equals(certificate.spki)) return false
  await files.write(hostcert, certificatePem(certificate), 0o644)
  return true
}

/** Milliseconds by which a host's certificate is renewed before anybody is warned of its end. */
const aheadOfWarningMs = 2 * 86_400_000

/**
 * Renews the certificate of the authority's own host near its end, in its file, with the key that is there; the new one, if
 * it did. Left alone is what another authority has signed, or what is revoked.
 */
export async function renewHostCertificate(
  { hostcert, ca_ttl: ttl }: Pick<Settings, 'hostcert' | 'ca_ttl'>,
  authority: CertificateAuthority,
  { files, now }: Pick<System, 'files' | 'now'>,
): Promise<Certificate | undefined> {
  const pem = await files.readText(hostcert)
  const old = pem === undefined ? undefined : parseCertificate(pem)
  if (!old || !isEnding(old, new Date(now() + aheadOfWarningMs))) return undefined
  try {
    const certificate = await authority.renew(old, { ttl, evenExpired: true })
    await replaceHostCertificate(hostcert, certificate, { files })
    return certificate
  } catch (error) {
    if (isIssueIn(error, conflicts)) return undefined
    throw error
  }
}

async function certificateFor(
  { certname, dns_alt_names: given }: HostSettings,
  key: KeyObject,
  authority: CertificateAuthority,
): Promise<string> {
  const signed = await authority.certificate(certname)
  if (signed !== undefined && isSamePair(parseCertificate(signed).publicKey, key)) return signed
  const altNames = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const { certificate } = await authority.generate(certname, {
    key,
    altNames: altNames.length > 0 ? altNames : standardNames(certname),
    administers: true,
  })
  return certificatePem(certificate)
}

/** Agents ask `puppet`, in the server's domain too, unless they are told otherwise. */
function standardNames(certname: string): string[] {
  const domain = certname.split('.').slice(1).join('.')
  return domain === '' ? ['puppet'] : ['puppet', `puppet.${domain}`]
}
