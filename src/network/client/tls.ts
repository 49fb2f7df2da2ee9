import type { ConnectionOptions } from 'node:tls'
import { parsePemBlocks, toPem } from '../../ca/x509/pem.ts'

/** Trusted authorities, their revocation lists, and the client's own certificate and key. All texts are PEM. */
export interface TlsContext {
  /**
   * Trusted CAs. If undefined, the server is not verified; only the first download of the CA certificate needs this.
   */
  readonly ca: string | undefined
  /** One or more revocation lists in one text; if undefined, revocation is not checked. */
  readonly crl?: string
  /** Certificates whose revocation is checked: by default the whole chain, or only the server's own certificate. */
  readonly revocation?: 'chain' | 'leaf'
  readonly cert?: string
  readonly key?: string
}

/**
 * Returns the options for Node's TLS. Node can check revocation only for the whole chain; with `leaf`, the client
 * checks revocation after the handshake.
 */
export function buildTlsOptions({ ca, crl, revocation, cert, key }: TlsContext): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: ca !== undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(ca === undefined || crl === undefined || revocation === 'leaf' ? {} : { crl: splitRevocationLists(crl) }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  }
}

/** Splits a bundle of revocation lists into separate texts, since Node reads only the first list in a text. */
function splitRevocationLists(bundle: string): string[] {
  return parsePemBlocks(bundle)
    .filter(({ label }) => label === 'X509 CRL')
    .map(({ label, der }) => toPem(label, der))
}
