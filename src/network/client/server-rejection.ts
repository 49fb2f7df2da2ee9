import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { createPuppetError, type PuppetError, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { type Certificate, decodeCertificate, parseCertificates } from '../../ca/x509/certificate.ts'
import { ChainError, type ChainFault, type ChainTrust, isRootCertificate, verifyChain } from '../../ca/x509/chain.ts'
import { findCommonName, formatDistinguishedName } from '../../ca/x509/distinguished-name.ts'
import { parseRevocationLists } from '../../ca/x509/revocation-list.ts'
import { httpIssues } from './errors.ts'
import type { TlsContext } from './tls.ts'

/** OpenSSL's messages for faults of certificates; Puppet uses the same messages. */
const words: Readonly<Record<ChainFault, string>> = {
  CERT_NOT_YET_VALID: 'certificate is not yet valid',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CRL_NOT_YET_VALID: 'CRL is not yet valid',
  CRL_HAS_EXPIRED: 'CRL has expired',
  CERT_SIGNATURE_FAILURE: 'certificate signature failure',
  CRL_SIGNATURE_FAILURE: 'CRL signature failure',
  ISSUER_MISSING: 'unable to get local issuer certificate',
  CRL_MISSING: 'unable to get certificate CRL',
  CERT_REVOKED: 'certificate revoked',
}

/**
 * Throws the error for a server that Node rejected, or whose revocation Node cannot check; the error contains the
 * faulty certificate and a hint. Does nothing if the context has no trusted CAs.
 */
export function checkServer(socket: TLSSocket, tls: TlsContext, host: string): void {
  if (tls.ca === undefined) return
  if (!socket.authorized) throw createRejectionError(socket, tls, host)
  if (tls.revocation === 'leaf') checkLeafRevocation(socket, tls, host)
}

function createRejectionError(socket: TLSSocket, tls: TlsContext, host: string): PuppetError {
  const peer = socket.getPeerCertificate(true)
  const code = String(socket.authorizationError)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return createPuppetError(httpIssues.CERT_MISMATCH, { host, names: listCertificateNames(peer) })
  const shown = listPeerCertificates(peer)
  const [leaf] = shown
  const fault = leaf && findFault(leaf, createTrust(tls))
  if (leaf && fault)
    return createPuppetError(httpIssues.CERT_VERIFY, {
      ...describeChainError(fault, shown),
      hint: formatHint(fault, leaf, host),
    })
  // OpenSSL found a fault that our own check does not detect, such as a weak key.
  const why = code.toLowerCase().replaceAll('_', ' ')
  return createPuppetError(httpIssues.CERT_VERIFY, {
    why,
    subject: leaf ? formatDistinguishedName(leaf.subject) : host,
    hint: undefined,
  })
}

/**
 * Throws CERT_VERIFY if the server's certificate is revoked, or if the revocation list of its issuer is missing. Node
 * does not support this check for `certificate_revocation = leaf`. The chain was already verified by Node.
 */
function checkLeafRevocation(socket: TLSSocket, tls: TlsContext, host: string): void {
  const shown = listPeerCertificates(socket.getPeerCertificate(true))
  const [leaf] = shown
  if (!leaf || tls.crl === undefined) return
  const trust = createTrust(tls)
  // Node has verified the intermediate CAs that the server sent; they are needed here, since this host may have only
  // the root.
  const fault = findFault(leaf, { ...trust, authorities: [...trust.authorities, ...shown.slice(1)] })
  if (fault)
    throwIssue(httpIssues.CERT_VERIFY, { ...describeChainError(fault, shown), hint: formatHint(fault, leaf, host) })
}

function listCertificateNames({ subject, subjectaltname }: DetailedPeerCertificate): string[] {
  const names = (subjectaltname ?? '').split(', ')
  return [...new Set([subject?.CN ?? '', ...names].flat())].filter((name) => name !== '')
}

/** Returns the certificates that the server sent; the server's own certificate is first. */
function listPeerCertificates(peer: DetailedPeerCertificate): Certificate[] {
  const shown: Certificate[] = []
  for (let each: DetailedPeerCertificate | undefined = peer; each?.raw; each = each.issuerCertificate) {
    const { raw } = each
    if (shown.some(({ der }) => der.equals(raw))) break
    shown.push(decodeCertificate(raw))
  }
  return shown
}

/**
 * Parsed CAs and CRLs by TLS context, cached because a CRL may have megabytes and a context is used for many
 * connections.
 */
const parsed = new WeakMap<TlsContext, ChainTrust>()

function createTrust(tls: TlsContext): ChainTrust {
  const { ca = '', crl, revocation = 'chain' } = tls
  const trust = parsed.get(tls) ?? {
    authorities: parseCertificates(ca),
    lists: crl === undefined ? [] : parseRevocationLists(crl),
    revocation: crl === undefined ? false : revocation,
  }
  parsed.set(tls, trust)
  return trust
}

function findFault(leaf: Certificate, trust: ChainTrust): ChainError | undefined {
  try {
    verifyChain(leaf, trust, new Date())
    return undefined
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
}

/**
 * Returns OpenSSL's message and the certificate to report. If the server sent an untrusted root, the root is reported
 * instead of the certificate that it signed.
 */
function describeChainError(
  { fault, certificate }: ChainError,
  shown: readonly Certificate[],
): { why: string; subject: string } {
  const root =
    fault === 'ISSUER_MISSING' || fault === 'CERT_SIGNATURE_FAILURE' ? shown.find(isRootCertificate) : undefined
  if (!root) return { why: words[fault], subject: formatDistinguishedName(certificate.subject) }
  const why = root === shown[0] ? 'self-signed certificate' : 'self-signed certificate in certificate chain'
  return { why, subject: formatDistinguishedName(root.subject) }
}

function formatHint({ fault, certificate, diagnostic }: ChainError, leaf: Certificate, host: string): string {
  const own = certificate === leaf
  const name = toPrintable(findCommonName(leaf.subject) ?? host)
  const [issuer, subject] = [certificate.issuer, certificate.subject].map((each) =>
    toPrintable(formatDistinguishedName(each)),
  )
  switch (fault) {
    case 'ISSUER_MISSING':
    case 'CERT_SIGNATURE_FAILURE': {
      const why =
        fault === 'ISSUER_MISSING'
          ? `The certificate of ${host} was issued by the CA '${issuer}', which this host does not trust. The server is the wrong one, or the CA was re-created.`
          : `The certificate of ${host} was issued by a CA '${issuer}' whose key differs from the trusted key. The CA was re-created.`
      return `${why} To trust the new CA, run 'plumb ssl clean --localca' on this host; the next agent run requests a new certificate.`
    }
    case 'CERT_HAS_EXPIRED': {
      const what = own ? `certificate of ${host}` : `certificate of the CA '${subject}' of ${host}`
      const renewal = own ? `plumb ca renew --certname ${name}` : 'plumb ca renew --ca'
      return `The ${what} has expired, or the clock is wrong. ${diagnostic.hint} If the clock is correct, run '${renewal}' on the CA server and send SIGHUP to the server.`
    }
    case 'CERT_NOT_YET_VALID':
      return `The clock of this host is wrong, or the clock of the CA server was wrong when it signed '${subject}'. ${diagnostic.hint}`
    case 'CERT_REVOKED':
      return own
        ? `The CA has revoked the certificate of ${host}. To replace it, run 'plumb ca clean --certname ${name}' on the CA server, move the server's certificate and keys out of its ssldir, and restart the server.`
        : `The CA '${subject}' was revoked by '${issuer}'.`
    case 'CRL_HAS_EXPIRED':
    case 'CRL_NOT_YET_VALID':
      return `This host's revocation list of '${issuer}' is expired or not yet valid, or the clock is wrong. ${diagnostic.hint} If the clock is correct, remove the file that 'plumb config print hostcrl' prints; the next run downloads a new list.`
    case 'CRL_MISSING':
    case 'CRL_SIGNATURE_FAILURE':
      return `This host has no valid revocation list of '${issuer}'. Remove the file that 'plumb config print hostcrl' prints; the next run downloads the lists again.`
  }
}
