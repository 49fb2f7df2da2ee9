import { defineIssues, fail } from '../base/issue.ts'
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

/** In the words of Puppet's `ssl_provider.rb`. */
const issues = defineIssues({
  CERT_NOT_YET_VALID: {
    text: (a: Subject) => `The certificate '${a.subject}' is not yet valid, verify time is synchronized`,
  },
  CERT_HAS_EXPIRED: {
    text: (a: Subject) => `The certificate '${a.subject}' has expired, verify time is synchronized`,
  },
  CRL_NOT_YET_VALID: {
    text: (a: Issuer) => `The CRL issued by '${a.issuer}' is not yet valid, verify time is synchronized`,
  },
  CRL_HAS_EXPIRED: { text: (a: Issuer) => `The CRL issued by '${a.issuer}' has expired, verify time is synchronized` },
  CERT_SIGNATURE_FAILURE: { text: (a: Subject) => `Invalid signature for certificate '${a.subject}'` },
  CRL_SIGNATURE_FAILURE: { text: (a: Issuer) => `Invalid signature for CRL issued by '${a.issuer}'` },
  ISSUER_MISSING: {
    text: (a: Subject & Issuer) => `The issuer '${a.issuer}' of certificate '${a.subject}' is missing`,
  },
  CRL_MISSING: { text: (a: Issuer) => `The CRL issued by '${a.issuer}' is missing` },
  CERT_REVOKED: { text: (a: Subject) => `Certificate '${a.subject}' is revoked` },
})

/** What is trusted, and how strictly revocation is asked. */
export interface Trust {
  readonly authorities: readonly Certificate[]
  readonly lists: readonly RevocationList[]
  readonly revocation: 'chain' | 'leaf' | false
}

/** Clocks may differ by this much before a new list counts as of the future. */
const tolerance = 5 * 60_000

/** The certificate, its issuer, and so on to the root. Throws, in Puppet's words, when one cannot be trusted. */
export function verifyChain(leaf: Certificate, trust: Trust, now: Date): Certificate[] {
  const chain = [leaf]
  for (let current = leaf; ; ) {
    checkDates(current, now)
    const issuer = issuerOf(current, trust.authorities)
    if (trust.revocation === 'chain' || (trust.revocation === 'leaf' && current === leaf))
      checkRevocation(current, issuer, trust.lists, now)
    if (issuer.der.equals(current.der)) return chain
    if (chain.includes(issuer)) fail(issues.ISSUER_MISSING, { subject: nameText(current.subject), issuer: 'root' })
    chain.push(issuer)
    current = issuer
  }
}

/** Whether the certificate signed itself: a root. */
export function isRoot(certificate: Certificate): boolean {
  return certificate.issuer.der.equals(certificate.subject.der) && isSignedBy(certificate, certificate.publicKey)
}

function checkDates(certificate: Certificate, now: Date): void {
  const subject = nameText(certificate.subject)
  if (certificate.notBefore > now) fail(issues.CERT_NOT_YET_VALID, { subject })
  if (certificate.notAfter < now) fail(issues.CERT_HAS_EXPIRED, { subject })
}

function issuerOf(certificate: Certificate, authorities: readonly Certificate[]): Certificate {
  const named = authorities.filter(
    ({ subject, extensions }) => subject.der.equals(certificate.issuer.der) && isAuthority(extensions),
  )
  const subject = nameText(certificate.subject)
  if (named.length === 0) fail(issues.ISSUER_MISSING, { subject, issuer: nameText(certificate.issuer) })
  return (
    named.find(({ publicKey }) => isSignedBy(certificate, publicKey)) ??
    fail(issues.CERT_SIGNATURE_FAILURE, { subject })
  )
}

/** Whether an issuer signed a list: asked once, for the digest of a long list takes a while, and each node's chain asks. */
const issuers = new WeakMap<RevocationList, WeakMap<Certificate, boolean>>()

function isListOf(list: RevocationList, issuer: Certificate): boolean {
  const known = issuers.get(list) ?? new WeakMap<Certificate, boolean>()
  issuers.set(list, known)
  const isSigned = known.get(issuer) ?? isSignedBy(list, issuer.publicKey)
  known.set(issuer, isSigned)
  return isSigned
}

function checkRevocation(
  certificate: Certificate,
  issuer: Certificate,
  lists: readonly RevocationList[],
  now: Date,
): void {
  const name = nameText(certificate.issuer)
  const named = lists.filter((list) => list.issuer.der.equals(certificate.issuer.der))
  if (named.length === 0) fail(issues.CRL_MISSING, { issuer: name })
  const list = named.find((each) => isListOf(each, issuer)) ?? fail(issues.CRL_SIGNATURE_FAILURE, { issuer: name })
  if (list.thisUpdate.getTime() > now.getTime() + tolerance) fail(issues.CRL_NOT_YET_VALID, { issuer: name })
  if (list.nextUpdate && list.nextUpdate < now) fail(issues.CRL_HAS_EXPIRED, { issuer: name })
  if (list.revoked.has(certificate.serial.toString(16)))
    fail(issues.CERT_REVOKED, { subject: nameText(certificate.subject) })
}
