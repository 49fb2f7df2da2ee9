import { X509Certificate } from 'node:crypto'
import { readRegistryTree } from '../../machine/registry/registry.ts'
import type { System } from '../../machine/system/system.ts'

/** Keys of the stores of certificates: of the user, of the machine, from Microsoft, and from policies of a domain. */
const storeKeys = [
  'HKEY_CURRENT_USER\\SOFTWARE\\Microsoft\\SystemCertificates',
  'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\SystemCertificates',
  'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft\\SystemCertificates',
  'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\EnterpriseCertificates',
]

/** The property of a certificate that is its DER encoding: CERT_CERT_PROP_ID of wincrypt.h. */
const certificateProperty = 32
/** Bytes before each property: its number, the number of the encoding, and the length of the data. */
const propertyHead = 12

/** Root certificates in the stores of Windows. */
export interface WindowsAuthorities {
  /** Certificates that Windows trusts and does not distrust, as PEM. */
  readonly trusted: string
  /** Fingerprints (SHA-1, hexadecimal, in upper case) of certificates that Windows distrusts. */
  readonly distrusted: ReadonlySet<string>
}

/**
 * Reads the root certificates of Windows from the registry, where Windows keeps its stores. Damaged certificates are left out:
 * TLS would ignore all certificates after them. Puppet: util/windows/root_certs.rb
 */
export async function readWindowsAuthorities(system: System): Promise<WindowsAuthorities> {
  const trusted = new Map<string, X509Certificate>()
  for (const store of ['Root', 'AuthRoot'])
    for (const { certificate } of await readStore(system, store))
      if (certificate) trusted.set(readFingerprint(certificate), certificate)
  const distrusted = new Set<string>()
  // Windows distrusts a certificate by the name of the entry, which need not contain the certificate.
  for (const { name, certificate } of await readStore(system, 'Disallowed')) {
    distrusted.add(name)
    if (certificate) distrusted.add(readFingerprint(certificate))
  }
  const names = [...trusted.keys()].filter((name) => !distrusted.has(name))
  return { trusted: names.map((name) => trusted.get(name)!.toString()).join(''), distrusted }
}

interface StoreEntry {
  /** The fingerprint in upper case. */
  readonly name: string
  readonly certificate: X509Certificate | undefined
}

/** The entries of a store, from all its keys. */
async function readStore(system: System, store: string): Promise<readonly StoreEntry[]> {
  const entries: StoreEntry[] = []
  for (const key of storeKeys)
    for (const { path, values } of await readRegistryTree(system, `${key}\\${store}\\Certificates`)) {
      const blob = values.find(({ name }) => name.toLowerCase() === 'blob')
      if (!blob) continue
      const name = path.slice(path.lastIndexOf('\\') + 1).toUpperCase()
      entries.push({ name, certificate: parseCertificate(findCertificate(blob.data)) })
    }
  return entries
}

/** Undefined if the certificate is damaged, or other bytes follow it. */
function parseCertificate(der: Buffer | undefined): X509Certificate | undefined {
  try {
    const certificate = der && new X509Certificate(der)
    return certificate?.raw.equals(der!) ? certificate : undefined
  } catch {
    return undefined
  }
}

/** The fingerprint of a certificate as Windows names it: SHA-1 of its DER, hexadecimal, in upper case. */
export const readFingerprint = ({ fingerprint }: X509Certificate): string => fingerprint.replaceAll(':', '')

/** The certificate among the properties of an entry; undefined if the entry is damaged. */
export function findCertificate(blob: Buffer): Buffer | undefined {
  for (let at = 0; at + propertyHead <= blob.length; ) {
    const start = at + propertyHead
    const end = start + blob.readUInt32LE(at + 8)
    if (blob.readUInt32LE(at) === certificateProperty) return end <= blob.length ? blob.subarray(start, end) : undefined
    at = end
  }
  return undefined
}
