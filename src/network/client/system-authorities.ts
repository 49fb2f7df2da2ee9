import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { localSystem } from '../../machine/system/local-system.ts'
import type { System } from '../../machine/system/system.ts'
import { isWindows } from '../../machine/windows/machine-path.ts'
import { readFingerprint, readWindowsAuthorities } from './windows-authorities.ts'

/** Paths of the CA bundles of Linux distributions and other systems. On Windows, any user could create them. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Returns the CAs that this machine trusts, also those that Windows trusts, and the CA of Plumb, as PEM. */
export async function readTrustedAuthorities(
  localcacert: string,
  system: System = localSystem,
  onWindows: boolean = isWindows,
): Promise<string> {
  const windows = onWindows ? await readWindowsAuthorities(system) : undefined
  return (windows?.trusted ?? '') + readAuthorities(localcacert, onWindows, windows?.distrusted ?? new Set())
}

/** Returns the CAs that this machine trusts, without those of the stores of Windows, and the CA of Plumb, as PEM. */
export function readSystemAuthorities(localcacert: string): string {
  return readAuthorities(localcacert, isWindows, new Set())
}

/** The CAs of Node that are not distrusted, or those of a bundle in their place, and the CA of Plumb. */
function readAuthorities(localcacert: string, onWindows: boolean, distrusted: ReadonlySet<string>): string {
  const paths = [process.env['SSL_CERT_FILE'] ?? '', ...(onWindows ? [] : bundles)]
  const own = paths.map(readTextFile).find((text) => text !== undefined)
  const ofNode = () =>
    distrusted.size === 0
      ? rootCertificates
      : rootCertificates.filter((pem) => !distrusted.has(readFingerprint(new X509Certificate(pem))))
  return [own ?? ofNode().join('\n'), readTextFile(localcacert) ?? ''].join('\n')
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
