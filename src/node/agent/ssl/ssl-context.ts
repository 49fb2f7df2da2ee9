import type { KeyObject } from 'node:crypto'
import { throwIssue } from '../../../base/issue.ts'
import {
  type Certificate,
  parseCertificate,
  parseCertificates,
  toCertificatePem,
} from '../../../ca/x509/certificate.ts'
import { ChainError, type ChainTrust, verifyChain } from '../../../ca/x509/chain.ts'
import { findCommonName, formatDistinguishedName } from '../../../ca/x509/distinguished-name.ts'
import { isSameKeyPair, toPrivateKeyPem } from '../../../ca/x509/keys.ts'
import { parseRevocationLists, toRevocationListPem } from '../../../ca/x509/revocation-list.ts'
import type { TlsContext } from '../../../network/client/tls.ts'
import { addAdvice } from './certificate-advice.ts'
import { sslIssues } from './issues.ts'

/** The CA certificates and TLS settings that this host trusts. */
export interface CaContext {
  readonly trust: ChainTrust
  readonly tls: TlsContext
}

/** The trusted CAs, and this host's own certificate. */
export interface SslContext extends CaContext {
  readonly certificate: Certificate
  /** The host certificate first, the root last. */
  readonly chain: readonly Certificate[]
}

/** The setting `certificate_revocation`. */
export type RevocationSetting = 'chain' | 'leaf' | 'true' | 'false'

/** A context without trusted CAs, which verifies no server. */
export const noTrust: CaContext = {
  trust: { authorities: [], lists: [], revocation: false },
  tls: { ca: undefined },
}

/** A context with these CA certificates (PEM) and, if revocation is checked, these revocation lists (PEM). */
export function createCaContext(authorities: string, lists: string | undefined, setting: RevocationSetting): CaContext {
  const trust: ChainTrust = {
    authorities: parseCertificates(authorities),
    lists: lists === undefined ? [] : parseRevocationLists(lists),
    revocation: lists === undefined || setting === 'false' ? false : setting === 'leaf' ? 'leaf' : 'chain',
  }
  const { revocation } = trust
  return {
    trust,
    tls: {
      ca: trust.authorities.map(toCertificatePem).join(''),
      ...(revocation !== false && { crl: trust.lists.map(toRevocationListPem).join(''), revocation }),
    },
  }
}

/** Adds the certificate. Throws if it does not match the key or is not trusted. */
export function createSslContext(
  { trust, tls }: CaContext,
  certificate: string,
  key: KeyObject,
  now: Date,
): SslContext {
  const parsed = parseCertificate(certificate)
  if (!isSameKeyPair(parsed.publicKey, key))
    throwIssue(sslIssues.CERT_KEY_MISMATCH, {
      subject: formatDistinguishedName(parsed.subject),
      name: findCommonName(parsed.subject) ?? '',
    })
  const chain = verifyCertificateChain(parsed, trust, now)
  return { trust, tls: { ...tls, cert: certificate, key: toPrivateKeyPem(key) }, certificate: parsed, chain }
}

function verifyCertificateChain(own: Certificate, trust: ChainTrust, now: Date): readonly Certificate[] {
  try {
    return verifyChain(own, trust, now)
  } catch (error) {
    throw error instanceof ChainError ? addAdvice(error, own) : error
  }
}
