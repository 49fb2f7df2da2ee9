import { type Certificate, parseCertificates } from '../../ca/x509/certificate.ts'
import { type Client, createUnauthenticatedClient } from '../http/client.ts'
import { type CertificateName, readCertificateName, validateCertname } from './certificate-name.ts'
import { type ExtensionNames, getCertificateClaims } from './client-certificate.ts'
import { parseDistinguishedName } from './distinguished-name.ts'

/** Headers by lowercase name, each with all of its values. */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>

/**
 * Identifies the client by the headers of a TLS-terminating proxy: `X-Client-Verify`, `X-Client-DN`, `X-Client-Cert`.
 * Used only with `allow-header-cert-info`; the certificate of the connection is then ignored. A repeated header is
 * rejected, because the client itself may have sent one of the copies. protocol.md 1.1.
 */
export function identifyByHeaders(headers: DistinctHeaders, address: string, names: ExtensionNames): Client {
  for (const name of ['X-Client-Verify', 'X-Client-DN', 'X-Client-Cert'])
    if ((headers[name.toLowerCase()]?.length ?? 0) > 1)
      return createUnauthenticatedClient(address, `${name} occurs more than once`)
  const [verify, dn = '', pem] = ['verify', 'dn', 'cert'].map((name) => headers[`x-client-${name}`]?.[0])
  if (verify !== 'SUCCESS') return createUnauthenticatedClient(address, 'X-Client-Verify is not SUCCESS')
  const { certname, refused } = readHeaderCertname(dn)
  if (certname === undefined) return createUnauthenticatedClient(address, refused)
  if (pem === undefined) return { ...createUnauthenticatedClient(address), certname }
  const certificate = parseEncodedCertificate(pem)
  if (!certificate) return createUnauthenticatedClient(address, 'X-Client-Cert is not a certificate')
  const shown = readCertificateName(certificate)
  if (shown.certname !== certname)
    return createUnauthenticatedClient(address, shown.refused ?? 'X-Client-Cert does not match X-Client-DN')
  return { ...createUnauthenticatedClient(address), certname, ...getCertificateClaims(certificate, names) }
}

function readHeaderCertname(dn: string): CertificateName {
  const rejectName = (refused: string): CertificateName => ({ certname: undefined, refused })
  const attributes = parseDistinguishedName(dn)
  if (!attributes) return rejectName('X-Client-DN is not a distinguished name')
  const names = attributes.filter(([type]) => type === 'cn')
  if (names.length === 0) return rejectName('X-Client-DN has no common name')
  if (names.length > 1) return rejectName('X-Client-DN has more than one common name')
  return validateCertname(names[0]![1], 'X-Client-DN')
}

/** The certificate in a percent-encoded PEM text; `undefined` unless the text contains exactly one certificate. */
function parseEncodedCertificate(encoded: string): Certificate | undefined {
  try {
    const certificates = parseCertificates(decodeURIComponent(encoded))
    return certificates.length === 1 ? certificates[0] : undefined
  } catch {
    return undefined
  }
}
