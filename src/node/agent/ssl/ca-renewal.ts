import type { Certificate } from '../../../ca/x509/certificate.ts'
import { isSignedBy } from '../../../ca/x509/signature.ts'

/**
 * True if the certificates renew all known CA certificates. Each certificate must have the name and
 * key of a known certificate, and be signed by the key of a known certificate.
 */
export function isAuthorityRenewal(known: readonly Certificate[], given: readonly Certificate[]): boolean {
  const isSameAuthority = (one: Certificate, other: Certificate) =>
    one.subject.der.equals(other.subject.der) && one.spki.equals(other.spki)
  const isSignedByKnown = (each: Certificate) =>
    known.some(({ subject, publicKey }) => subject.der.equals(each.issuer.der) && isSignedBy(each, publicKey))
  return (
    known.every((old) => given.some((each) => isSameAuthority(each, old))) &&
    given.every((each) => isSignedByKnown(each) && known.some((old) => isSameAuthority(each, old)))
  )
}
