import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { localSystem } from '../../machine/system/local-system.ts'
import type { System } from '../../machine/system/system.ts'
import { isWindows } from '../../machine/windows/machine-path.ts'
import { readWindowsAuthorities } from './windows-authorities.ts'

/** Paths of the CA bundles of Linux distributions and other systems. On Windows, any user could create them. */
const bundles = isWindows
  ? []
  : [
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
  const windows = onWindows ? await readWindowsAuthorities(system) : ''
  return windows + readSystemAuthorities(localcacert)
}

/** Returns the CAs that this machine trusts, without those of the stores of Windows, and the CA of Plumb, as PEM. */
export function readSystemAuthorities(localcacert: string): string {
  const own = [process.env['SSL_CERT_FILE'] ?? '', ...bundles].map(readTextFile).find((text) => text !== undefined)
  return [own ?? rootCertificates.join('\n'), readTextFile(localcacert) ?? ''].join('\n')
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
