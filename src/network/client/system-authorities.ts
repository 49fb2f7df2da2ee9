import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** Paths of the CA bundles of Linux distributions and other systems. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Returns the CAs that this machine trusts, and the CA of Plumb, as PEM. */
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
