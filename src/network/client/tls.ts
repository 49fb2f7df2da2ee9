import type { ConnectionOptions } from 'node:tls'
import { pemBlocks, toPem } from '../../ca/x509/pem.ts'

/** Trusted authorities, their revocation lists, and the client's own identity. All PEM. */
export interface TlsContext {
  /**
   * Trusted CAs. If undefined, the server is not verified, as for the first download of the CA
   * certificate.
   */
  readonly ca: string | undefined
  /** Revocation lists, one or more in one text; if undefined, revocation is not checked. */
  readonly crl?: string
  /** Certificates to look up in `crl`: the whole chain by default, or only the server's own. */
  readonly revocation?: 'chain' | 'leaf'
  readonly cert?: string
  readonly key?: string
}

/**
 * Options of Node's TLS. Node can only check whole chains: with `leaf`, the client checks
 * revocation after the handshake.
 */
export function connectionOptions({ ca, crl, revocation, cert, key }: TlsContext): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: ca !== undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(ca === undefined || crl === undefined || revocation === 'leaf' ? {} : { crl: separateLists(crl) }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  }
}

/** Splits a bundle into one text for each list: Node reads only the first list of a text. */
function separateLists(bundle: string): string[] {
  return pemBlocks(bundle)
    .filter(({ label }) => label === 'X509 CRL')
    .map(({ label, der }) => toPem(label, der))
}
