import { type Diagnostic, defineIssues, diagnose, type Issue, PuppetError } from '../../base/issue.ts'
import { utcText } from '../../base/time/utc-text.ts'
import type { Certificate } from './certificate.ts'
import { isAuthority } from './extensions.ts'
import { nameText } from './name.ts'
import type { RevocationList } from './revocation-list.ts'
import { isSignedBy } from './signed.ts'

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
    hint: spanHint,
  },
  CERT_HAS_EXPIRED: {
    text: (a: Subject & Times) => `The certificate '${a.subject}' has expired, verify time is synchronized`,
    hint: spanHint,
  },
  CRL_NOT_YET_VALID: {
    text: (a: Issuer & Times) => `The CRL issued by '${a.issuer}' is not yet valid, verify time is synchronized`,
    hint: spanHint,
  },
  CRL_HAS_EXPIRED: {
    text: (a: Issuer & Times) => `The CRL issued by '${a.issuer}' has expired, verify time is synchronized`,
    hint: spanHint,
  },
  CERT_SIGNATURE_FAILURE: {
    text: (a: Subject & Issuer) => `Invalid signature for certificate '${a.subject}'`,
    hint: (a) => `The key of the trusted CA '${a.issuer}' did not sign it. One of the two was re-created.`,
  },
  CRL_SIGNATURE_FAILURE: { text: (a: Issuer) => `Invalid signature for CRL issued by '${a.issuer}'` },
  ISSUER_MISSING: {
    text: (a: Subject & Issuer) => `The issuer '${a.issuer}' of certificate '${a.subject}' is missing`,
  },
  CRL_MISSING: { text: (a: Issuer) => `The CRL issued by '${a.issuer}' is missing` },
  CERT_REVOKED: { text: (a: Subject) => `Certificate '${a.subject}' is revoked` },
})

function spanHint({ from, to, now }: Times): string {
  const span = to === undefined ? `from ${utcText(from)} on` : `from ${utcText(from)} to ${utcText(to)}`
  return `It is valid ${span}; the clock of this host shows ${utcText(now)}.`
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

function refuse<Arguments>(issue: Issue<Arguments>, certificate: Certificate, a: Arguments): never {
  throw new ChainError(issue.code as ChainFault, certificate, diagnose(issue, a))
}

/** Trusted authorities, their revocation lists, and the certificates whose revocation is checked. */
export interface Trust {
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
export function verifyChain(leaf: Certificate, trust: Trust, now: Date, then: Date = now): Certificate[] {
  const chain = chainOf(leaf, trust.authorities, then)
  // Checked from the root downwards, since an expired CA invalidates all certificates below it.
  for (const each of chain.toReversed()) checkDates(each, then)
  const checked = trust.revocation === 'chain' ? chain : trust.revocation === 'leaf' ? [leaf] : []
  for (const [index, each] of checked.entries())
    checkRevocation(each, chain[index + 1] ?? each, trust.lists, { now, then })
  return chain
}

function chainOf(leaf: Certificate, authorities: readonly Certificate[], now: Date): Certificate[] {
  const chain = [leaf]
  for (let current = leaf; ; ) {
    const issuer = issuerOf(current, authorities, now)
    if (issuer.der.equals(current.der)) return chain
    const subject = nameText(current.subject)
    if (chain.includes(issuer)) refuse(chainIssues.ISSUER_MISSING, current, { subject, issuer: 'root' })
    chain.push(issuer)
    current = issuer
  }
}

/** Returns true for a root, that is, a self-signed certificate. */
export function isRoot(certificate: Certificate): boolean {
  return certificate.issuer.der.equals(certificate.subject.der) && isSignedBy(certificate, certificate.publicKey)
}

function checkDates(certificate: Certificate, now: Date): void {
  const { notBefore: from, notAfter: to } = certificate
  const about = { subject: nameText(certificate.subject), from, to, now }
  if (from > now) refuse(chainIssues.CERT_NOT_YET_VALID, certificate, about)
  if (to < now) refuse(chainIssues.CERT_HAS_EXPIRED, certificate, about)
}

function issuerOf(certificate: Certificate, authorities: readonly Certificate[], now: Date): Certificate {
  const named = authorities.filter(
    ({ subject, extensions }) => subject.der.equals(certificate.issuer.der) && isAuthority(extensions),
  )
  const names = { subject: nameText(certificate.subject), issuer: nameText(certificate.issuer) }
  if (named.length === 0) refuse(chainIssues.ISSUER_MISSING, certificate, names)
  const signers = named.filter(({ publicKey }) => isSignedBy(certificate, publicKey))
  // A renewed CA has two certificates with the same name and key.
  return (
    signers.find(({ notBefore, notAfter }) => notBefore <= now && notAfter >= now) ??
    signers[0] ??
    refuse(chainIssues.CERT_SIGNATURE_FAILURE, certificate, names)
  )
}

function checkRevocation(
  certificate: Certificate,
  issuer: Certificate,
  lists: readonly RevocationList[],
  { now, then }: { readonly now: Date; readonly then: Date },
): void {
  const about = { issuer: nameText(certificate.issuer) }
  // Partial lists and delta lists have a critical extension.
  const whole = lists.filter(({ extensions }) => !extensions.some(({ critical }) => critical))
  const named = whole.filter((list) => list.issuer.der.equals(certificate.issuer.der))
  if (named.length === 0) refuse(chainIssues.CRL_MISSING, certificate, about)
  const signed = named.filter((list) => isListOf(list, issuer))
  const [one] = signed
  if (!one) refuse(chainIssues.CRL_SIGNATURE_FAILURE, certificate, about)
  if (signed.some(({ revoked }) => revoked.has(certificate.serial.toString(16))))
    refuse(chainIssues.CERT_REVOKED, certificate, { subject: nameText(certificate.subject) })
  const times = ({ thisUpdate: from, nextUpdate: to }: RevocationList) => ({ ...about, from, to, now })
  const begun = signed.filter(({ thisUpdate }) => thisUpdate.getTime() <= now.getTime() + clockToleranceMs)
  if (begun.length === 0) refuse(chainIssues.CRL_NOT_YET_VALID, certificate, times(one))
  if (!begun.some(({ nextUpdate }) => !nextUpdate || nextUpdate >= then))
    refuse(chainIssues.CRL_HAS_EXPIRED, certificate, times(begun[0]!))
}

/** Caches verified signatures, because a list may have megabytes and is used for each connection. */
const verified = new WeakMap<RevocationList, Map<string, boolean>>()

function isListOf(list: RevocationList, { publicKey, spki }: Certificate): boolean {
  const known = verified.get(list) ?? new Map<string, boolean>()
  verified.set(list, known)
  const key = spki.toString('base64')
  const answer = known.get(key) ?? isSignedBy(list, publicKey)
  known.set(key, answer)
  return answer
}
