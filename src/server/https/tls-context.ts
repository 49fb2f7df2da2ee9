import { constants, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type Certificate, parseCertificate, parseCertificates } from '../../ca/x509/certificate.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'

/** Key, certificate and trusted authorities of a listening server, as PEM texts. */
export interface TlsOptions {
  readonly key: string
  readonly cert: string
  readonly ca: string
}

const issues = defineIssues({
  TLS_FILE_MISSING: { text: (a: { what: string; path: string }) => `The ${a.what} missing from '${a.path}'` },
  TLS_KEY_MISMATCH: {
    text: (a: { path: string; why: string }) => `Could not load the server certificate '${a.path}': ${a.why}`,
  },
})

/**
 * TLS options of each connection, set at the start and after each reload, because Node drops
 * options that are not set again. The client's identity is fixed when the handshake completes;
 * renegotiation and session tickets are disabled, since a ticket may refer to a certificate that is
 * no longer valid.
 */
export function getSecureContextOptions({ key, cert, ca }: TlsOptions): SecureContextOptions {
  return {
    key,
    cert,
    ca,
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
  }
}

/** The server's own certificate and the certificates of the trusted authorities. */
export function parseTlsCertificates({ cert, ca }: TlsOptions): {
  readonly own: Certificate
  readonly authorities: readonly Certificate[]
} {
  return { own: parseCertificate(cert), authorities: parseCertificates(ca) }
}

/**
 * Reads and validates the server's key, certificate and trusted authorities. Throws if one is
 * missing: without authorities Node would trust the public ones.
 */
export async function readTlsOptions(
  { hostprivkey, hostcert, localcacert }: Pick<Settings, 'hostprivkey' | 'hostcert' | 'localcacert'>,
  files: Pick<Files, 'readText'>,
): Promise<TlsOptions> {
  const read = async (what: string, path: string) =>
    (await files.readText(path)) ?? throwIssue(issues.TLS_FILE_MISSING, { what, path })
  const tls = {
    key: await read('private key is', hostprivkey),
    cert: await read('client certificate is', hostcert),
    ca: await read('CA certificates are', localcacert),
  }
  // Node ignores an empty key and would send no certificate.
  if (tls.key === '') throwIssue(issues.TLS_FILE_MISSING, { what: 'private key is', path: hostprivkey })
  parseCertificates(tls.ca)
  try {
    new X509Certificate(tls.cert)
    createSecureContext(getSecureContextOptions(tls))
  } catch (error) {
    throwIssue(issues.TLS_KEY_MISMATCH, { path: hostcert, why: formatError(error) })
  }
  return tls
}
