import type { ConnectionOptions } from 'node:tls'

/** Whom we trust, and who we are. All PEM. */
export interface TlsContext {
  /** Authorities; without them nothing is verified, as when the authority's own certificate is first fetched. */
  readonly ca: string | undefined
  /** Revocation lists of every authority in the chain; `undefined` checks no revocation. */
  readonly crl?: string
  readonly cert?: string
  readonly key?: string
}

/** Options of Node's TLS. */
export function connectionOptions({ ca, crl, cert, key }: TlsContext): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: ca !== undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(ca === undefined || crl === undefined ? {} : { crl }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  }
}
