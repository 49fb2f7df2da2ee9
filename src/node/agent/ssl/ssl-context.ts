import type { KeyObject } from 'node:crypto'
import { fail } from '../../../base/issue.ts'
import { type Certificate, certificatePem, parseCertificate, parseCertificates } from '../../../ca/x509/certificate.ts'
import { ChainError, type Trust, verifyChain } from '../../../ca/x509/chain.ts'
import { isSamePair, privateKeyPem } from '../../../ca/x509/keys.ts'
import { commonNameOf, nameText } from '../../../ca/x509/name.ts'
import { parseRevocationLists, revocationListPem } from '../../../ca/x509/revocation-list.ts'
import type { TlsContext } from '../../../network/client/tls.ts'
import { withAdvice } from './advice.ts'
import { issues } from './issues.ts'

/** The CA certificates and TLS settings that this host trusts. */
export interface CaContext {
  readonly trust: Trust
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
export function caContext(authorities: string, lists: string | undefined, setting: RevocationSetting): CaContext {
  const trust: Trust = {
    authorities: parseCertificates(authorities),
    lists: lists === undefined ? [] : parseRevocationLists(lists),
    revocation: lists === undefined || setting === 'false' ? false : setting === 'leaf' ? 'leaf' : 'chain',
  }
  const { revocation } = trust
  return {
    trust,
    tls: {
      ca: trust.authorities.map(certificatePem).join(''),
      ...(revocation !== false && { crl: trust.lists.map(revocationListPem).join(''), revocation }),
    },
  }
}

/** Adds the certificate. Throws if it does not match the key or is not trusted. */
export function sslContext({ trust, tls }: CaContext, certificate: string, key: KeyObject, now: Date): SslContext {
  const parsed = parseCertificate(certificate)
  if (!isSamePair(parsed.publicKey, key))
    fail(issues.CERT_KEY_MISMATCH, { subject: nameText(parsed.subject), name: commonNameOf(parsed.subject) ?? '' })
  const chain = chainOf(parsed, trust, now)
  return { trust, tls: { ...tls, cert: certificate, key: privateKeyPem(key) }, certificate: parsed, chain }
}

function chainOf(own: Certificate, trust: Trust, now: Date): readonly Certificate[] {
  try {
    return verifyChain(own, trust, now)
  } catch (error) {
    throw error instanceof ChainError ? withAdvice(error, own) : error
  }
}
