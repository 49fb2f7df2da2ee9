import type { Certificate } from '../../ca/x509/certificate.ts'
import { type Extension, isAuthority, listTypedAltNames } from '../../ca/x509/extensions.ts'
import { oids } from '../../ca/x509/oids.ts'

/** The certname in a certificate, or the reason why there is none. */
export interface CertificateName {
  readonly certname: string | undefined
  readonly refused: string | undefined
}

/**
 * Returns the certname in a certificate, or a refusal if the name is ambiguous or the certificate belongs to an
 * authority. The signature is not checked here.
 */
export function readCertificateName({ subject, extensions }: Certificate): CertificateName {
  const rejectName = (refused: string): CertificateName => ({ certname: undefined, refused })
  if (isAuthority(extensions)) return rejectName('the certificate is a CA certificate')
  // RFC 5280, 4.2: an extension may occur only once; a duplicate is ambiguous.
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    return rejectName('the certificate contains an extension twice')
  const names = subject.attributes.filter(([type]) => type === oids.commonName)
  if (names.length === 0) return rejectName('the certificate has no common name')
  if (names.length > 1) return rejectName('the certificate has more than one common name')
  if (!hasReadableAltNames(extensions))
    return rejectName('a DNS alternative name of the certificate is not printable ASCII')
  return validateCertname(names[0]![1], 'the certificate')
}

/**
 * True if all DNS names are printable ASCII. Rules of auth.conf match DNS names, and an ambiguous name could evade a
 * rule.
 */
function hasReadableAltNames(extensions: readonly Extension[]): boolean {
  try {
    return listTypedAltNames(extensions).every(({ kind, name }) => kind !== 'dns' || /^[!-~]*$/.test(name))
  } catch {
    return false
  }
}

/** Validates a common name as a certname; `what` names the source of the name in the error message. */
export function validateCertname(commonName: string, what: string): CertificateName {
  return isCertname(commonName)
    ? { certname: commonName, refused: undefined }
    : { certname: undefined, refused: `the common name of ${what} is not a certname` }
}

/** Puppet: ssl/base.rb, VALID_CERTNAME. Names that differ only in case are different names. */
function isCertname(text: string): boolean {
  return /^[ -.0-~]{1,255}$/.test(text)
}
