import type { IncomingHttpHeaders } from 'node:http'
import { parseCertificate } from '../../x509/certificate.ts'
import { type Client, stranger } from './client.ts'
import { puppetExtensions } from './client-certificate.ts'

/**
 * Who the client is by the word of a proxy that ended TLS before us: `X-Client-Verify`, `X-Client-DN`, `X-Client-Cert`.
 * Only for `allow-header-cert-info`, and then the certificate of the connection does not count. protocol.md 1.1.
 */
export function clientByHeaders(headers: IncomingHttpHeaders, address: string): Client {
  if (headers['x-client-verify'] !== 'SUCCESS') return stranger(address, 'X-Client-Verify is not SUCCESS')
  const certname = commonName(String(headers['x-client-dn'] ?? ''))
  if (certname === undefined) return stranger(address, 'X-Client-DN has no common name')
  const pem = headers['x-client-cert']
  try {
    const extensions = typeof pem === 'string' ? puppetExtensions(parseCertificate(decodeURIComponent(pem))) : {}
    return { certname, extensions, address, refused: undefined }
  } catch {
    return stranger(address, 'X-Client-Cert is no certificate')
  }
}

/** Of `CN=a,O=b` (RFC 2253) or `/O=b/CN=a`. */
function commonName(name: string): string | undefined {
  const parts = name.startsWith('/') ? name.split('/').reverse() : name.split(',')
  return parts.map((part) => /^\s*CN=([^\s"\\+]+)\s*$/i.exec(part)?.[1]).find((found) => found !== undefined)
}
