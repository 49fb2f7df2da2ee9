import { type Certificate, parseCertificates } from '../../ca/x509/certificate.ts'
import { type Client, stranger } from '../http/client.ts'
import { type CertificateName, nameIn, nameOn } from './certificate-name.ts'
import { certificateClaims, type ExtensionNames } from './client-certificate.ts'
import { parseDistinguishedName } from './distinguished-name.ts'

/** Headers by lowercase name, each with all of its values. */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>

/**
 * Identifies the client by the headers of a TLS-terminating proxy: `X-Client-Verify`, `X-Client-DN`, `X-Client-Cert`.
 * Used only with `allow-header-cert-info`; the certificate of the connection is then ignored. A repeated header is
 * rejected, because the client itself may have sent one of the copies. protocol.md 1.1.
 */
export function clientByHeaders(headers: DistinctHeaders, address: string, names: ExtensionNames): Client {
  for (const name of ['X-Client-Verify', 'X-Client-DN', 'X-Client-Cert'])
    if ((headers[name.toLowerCase()]?.length ?? 0) > 1) return stranger(address, `${name} comes more than once`)
  const [verify, dn = '', pem] = ['verify', 'dn', 'cert'].map((name) => headers[`x-client-${name}`]?.[0])
  if (verify !== 'SUCCESS') return stranger(address, 'X-Client-Verify is not SUCCESS')
  const { certname, refused } = nameBy(dn)
  if (certname === undefined) return stranger(address, refused)
  if (pem === undefined) return { ...stranger(address), certname }
  const certificate = certificateIn(pem)
  if (!certificate) return stranger(address, 'X-Client-Cert is no certificate')
  const shown = nameOn(certificate)
  if (shown.certname !== certname) return stranger(address, shown.refused ?? 'X-Client-Cert is not of X-Client-DN')
  return { ...stranger(address), certname, ...certificateClaims(certificate, names) }
}

function nameBy(dn: string): CertificateName {
  const refuse = (refused: string): CertificateName => ({ certname: undefined, refused })
  const attributes = parseDistinguishedName(dn)
  if (!attributes) return refuse('X-Client-DN is no distinguished name')
  const names = attributes.filter(([type]) => type === 'cn')
  if (names.length === 0) return refuse('X-Client-DN has no common name')
  if (names.length > 1) return refuse('X-Client-DN has more than one common name')
  return nameIn(names[0]![1], 'X-Client-DN')
}

/** The certificate in a percent-encoded PEM text; `undefined` unless the text contains exactly one certificate. */
function certificateIn(encoded: string): Certificate | undefined {
  try {
    const certificates = parseCertificates(decodeURIComponent(encoded))
    return certificates.length === 1 ? certificates[0] : undefined
  } catch {
    return undefined
  }
}
