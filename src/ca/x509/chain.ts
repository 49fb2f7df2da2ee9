import { createDiagnostic, type Diagnostic, defineIssues, type Issue, PuppetError } from '../../base/issue.ts'
import { formatUtcDate } from '../../base/time/utc-text.ts'
import type { Certificate } from './certificate.ts'
import { formatDistinguishedName } from './distinguished-name.ts'
import { isAuthority } from './extensions.ts'
import type { RevocationList } from './revocation-list.ts'
import { isSignedBy } from './signature.ts'

interface Subject {
  readonly subject: string
}
interface Issuer {
  readonly issuer: string
}

interface Times {
  readonly from: Date
  readonly to: Date | undefined
  readonly now: Date
}

/** Errors of certificate chains, in the words of Puppet's `ssl_provider.rb`. */
export const chainIssues = defineIssues({
  CERT_NOT_YET_VALID: {
    text: (a: Subject & Times) => `The certificate '${a.subject}' is not yet valid, verify time is synchronized`,
    hint: formatValidityHint,
  },
  CERT_HAS_EXPIRED: {
    text: (a: Subject & Times) => `The certificate '${a.subject}' has expired, verify time is synchronized`,
    hint: formatValidityHint,
  },
  CRL_NOT_YET_VALID: {
    text: (a: Issuer & Times) => `The CRL issued by '${a.issuer}' is not yet valid, verify time is synchronized`,
    hint: formatValidityHint,
  },
  CRL_HAS_EXPIRED: {
    text: (a: Issuer & Times) => `The CRL issued by '${a.issuer}' has expired, verify time is synchronized`,
    hint: formatValidityHint,
  },
  CERT_SIGNATURE_FAILURE: {
    text: (a: Subject & Issuer) => `Invalid signature for certificate '${a.subject}'`,
    hint: (a) => `The key of the trusted CA '${a.issuer}' did not sign it. The CA or the certificate was re-created.`,
  },
  CRL_SIGNATURE_FAILURE: { text: (a: Issuer) => `Invalid signature for CRL issued by '${a.issuer}'` },
  ISSUER_MISSING: {
    text: (a: Subject & Issuer) => `The issuer '${a.issuer}' of certificate '${a.subject}' is missing`,
  },
  CRL_MISSING: { text: (a: Issuer) => `The CRL issued by '${a.issuer}' is missing` },
  CERT_REVOKED: { text: (a: Subject) => `Certificate '${a.subject}' is revoked` },
})

function formatValidityHint({ from, to, now }: Times): string {
  const span =
    to === undefined ? `from ${formatUtcDate(from)} on` : `from ${formatUtcDate(from)} to ${formatUtcDate(to)}`
  return `It is valid ${span}; the clock of this host shows ${formatUtcDate(now)}.`
}

/** Code of a chain error. */
export type ChainFault = keyof typeof chainIssues

/** The reason why a certificate is not trusted, with the certificate in the chain that is the cause. */
export class ChainError extends PuppetError {
  readonly fault: ChainFault
  readonly certificate: Certificate

  constructor(fault: ChainFault, certificate: Certificate, diagnostic: Diagnostic) {
    super(diagnostic)
    this.name = 'ChainError'
    this.fault = fault
    this.certificate = certificate
  }
}

function throwChainError<Arguments>(issue: Issue<Arguments>, certificate: Certificate, a: Arguments): never {
  throw new ChainError(issue.code as ChainFault, certificate, createDiagnostic(issue, a))
}

/** Trusted authorities, their revocation lists, and the certificates whose revocation is checked. */
export interface ChainTrust {
  readonly authorities: readonly Certificate[]
  readonly lists: readonly RevocationList[]
  readonly revocation: 'chain' | 'leaf' | false
}

/** A list whose validity starts at most this number of milliseconds in the future is accepted, since clocks differ. */
const clockToleranceMs = 5 * 60_000

/**
 * Returns the chain from the certificate to its root. For data signed at `then`, certificates and lists must have been
 * valid at that time; a certificate must not be revoked at any time. Throws ChainError with Puppet's message if a
 * certificate is not trusted.
 */
export function verifyChain(leaf: Certificate, trust: ChainTrust, now: Date, then: Date = now): Certificate[] {
  const chain = buildChain(leaf, trust.authorities, then)
  // Checked from the root downwards, since an expired CA invalidates all certificates below it.
  for (const each of chain.toReversed()) checkDates(each, then)
  const checked = trust.revocation === 'chain' ? chain : trust.revocation === 'leaf' ? [leaf] : []
  for (const [index, each] of checked.entries())
    checkRevocation(each, chain[index + 1] ?? each, trust.lists, { now, then })
  return chain
}

function buildChain(leaf: Certificate, authorities: readonly Certificate[], now: Date): Certificate[] {
  const chain = [leaf]
  for (let current = leaf; ; ) {
    const issuer = getIssuer(current, authorities, now)
    if (issuer.der.equals(current.der)) return chain
    const subject = formatDistinguishedName(current.subject)
    if (chain.includes(issuer)) throwChainError(chainIssues.ISSUER_MISSING, current, { subject, issuer: 'root' })
    chain.push(issuer)
    current = issuer
  }
}

/** Returns true for a root, that is, a self-signed certificate. */
export function isRootCertificate(certificate: Certificate): boolean {
  return certificate.issuer.der.equals(certificate.subject.der) && isSignedBy(certificate, certificate.publicKey)
}

function checkDates(certificate: Certificate, now: Date): void {
  const { notBefore: from, notAfter: to } = certificate
  const about = { subject: formatDistinguishedName(certificate.subject), from, to, now }
  if (from > now) throwChainError(chainIssues.CERT_NOT_YET_VALID, certificate, about)
  if (to < now) throwChainError(chainIssues.CERT_HAS_EXPIRED, certificate, about)
}

function getIssuer(certificate: Certificate, authorities: readonly Certificate[], now: Date): Certificate {
  const named = authorities.filter(
    ({ subject, extensions }) => subject.der.equals(certificate.issuer.der) && isAuthority(extensions),
  )
  const names = {
    subject: formatDistinguishedName(certificate.subject),
    issuer: formatDistinguishedName(certificate.issuer),
  }
  if (named.length === 0) throwChainError(chainIssues.ISSUER_MISSING, certificate, names)
  const signers = named.filter(({ publicKey }) => isSignedBy(certificate, publicKey))
  // A renewed CA has two certificates with the same name and key; a certificate that is valid now
  // is preferred.
  return (
    signers.find(({ notBefore, notAfter }) => notBefore <= now && notAfter >= now) ??
    signers[0] ??
    throwChainError(chainIssues.CERT_SIGNATURE_FAILURE, certificate, names)
  )
}

function checkRevocation(
  certificate: Certificate,
  issuer: Certificate,
  lists: readonly RevocationList[],
  { now, then }: { readonly now: Date; readonly then: Date },
): void {
  const about = { issuer: formatDistinguishedName(certificate.issuer) }
  // Partial lists and delta lists have a critical extension.
  const whole = lists.filter(({ extensions }) => !extensions.some(({ critical }) => critical))
  const named = whole.filter((list) => list.issuer.der.equals(certificate.issuer.der))
  if (named.length === 0) throwChainError(chainIssues.CRL_MISSING, certificate, about)
  const signed = named.filter((list) => isListIssuedBy(list, issuer))
  const [one] = signed
  if (!one) throwChainError(chainIssues.CRL_SIGNATURE_FAILURE, certificate, about)
  if (signed.some(({ revoked }) => revoked.has(certificate.serial.toString(16))))
    throwChainError(chainIssues.CERT_REVOKED, certificate, { subject: formatDistinguishedName(certificate.subject) })
  const getTimes = ({ thisUpdate: from, nextUpdate: to }: RevocationList) => ({ ...about, from, to, now })
  const begun = signed.filter(({ thisUpdate }) => thisUpdate.getTime() <= now.getTime() + clockToleranceMs)
  if (begun.length === 0) throwChainError(chainIssues.CRL_NOT_YET_VALID, certificate, getTimes(one))
  if (!begun.some(({ nextUpdate }) => !nextUpdate || nextUpdate >= then))
    throwChainError(chainIssues.CRL_HAS_EXPIRED, certificate, getTimes(begun[0]!))
}

/** Caches verified signatures, because a list may have megabytes and is used for each connection. */
const verified = new WeakMap<RevocationList, Map<string, boolean>>()

function isListIssuedBy(list: RevocationList, { publicKey, spki }: Certificate): boolean {
  const known = verified.get(list) ?? new Map<string, boolean>()
  verified.set(list, known)
  const key = spki.toString('base64')
  const answer = known.get(key) ?? isSignedBy(list, publicKey)
  known.set(key, answer)
  return answer
}
