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

/**
 * The root certificates that Windows trusts, as PEM; those that it distrusts are left out. They are read from the registry,
 * where Windows keeps its stores. Puppet: util/windows/root_certs.rb
 */
export async function readWindowsAuthorities(system: System): Promise<string> {
  const trusted = new Map<string, Buffer>()
  // Those that Windows distrusts are last.
  for (const store of ['Root', 'AuthRoot', 'Disallowed'])
    for (const key of storeKeys)
      for (const [name, certificate] of await readStore(system, `${key}\\${store}`))
        if (store === 'Disallowed') trusted.delete(name)
        else trusted.set(name, certificate)
  return [...trusted.values()].map(formatCertificate).join('')
}

/** The certificates of a store, by their fingerprints in upper case. */
async function readStore(system: System, key: string): Promise<readonly (readonly [string, Buffer])[]> {
  const keys = await readRegistryTree(system, `${key}\\Certificates`)
  return keys.flatMap(({ path, values }) => {
    const blob = values.find(({ name }) => name.toLowerCase() === 'blob')
    const certificate = blob && findCertificate(blob.data)
    return certificate ? [[path.slice(path.lastIndexOf('\\') + 1).toUpperCase(), certificate] as const] : []
  })
}

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

function formatCertificate(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
