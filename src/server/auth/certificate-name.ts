import type { Certificate } from '../../ca/x509/certificate.ts'
import { type Extension, isAuthority, typedAltNames } from '../../ca/x509/extensions.ts'
import { oids } from '../../ca/x509/oids.ts'

/** A certname, or why there is none. */
export interface CertificateName {
  readonly certname: string | undefined
  readonly refused: string | undefined
}

/**
 * Who a certificate says its owner is: only one that can be read in one way, and is a client's. Which authority signed
 * it is not asked here.
 */
export function nameOn({ subject, extensions }: Certificate): CertificateName {
  const refuse = (refused: string): CertificateName => ({ certname: undefined, refused })
  if (isAuthority(extensions)) return refuse('the certificate is one of an authority')
  // RFC 5280, 4.2: never two of the same kind. Which of them would be meant?
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    return refuse('the certificate has an extension twice')
  const names = subject.attributes.filter(([type]) => type === oids.commonName)
  if (names.length === 0) return refuse('the certificate has no common name')
  if (names.length > 1) return refuse('the certificate has more than one common name')
  if (!hasReadableAltNames(extensions))
    return refuse('a DNS alternative name of the certificate is not printable ASCII')
  return nameIn(names[0]![1], 'the certificate')
}

/** True if all DNS names are printable ASCII. Rules of auth.conf match DNS names: an ambiguous name would evade them. */
function hasReadableAltNames(extensions: readonly Extension[]): boolean {
  try {
    return typedAltNames(extensions).every(({ kind, name }) => kind !== 'dns' || /^[!-~]*$/.test(name))
  } catch {
    return false
  }
}

/** A common name as a certname, in the words of `what` it was found in. */
export function nameIn(commonName: string, what: string): CertificateName {
  return isName(commonName)
    ? { certname: commonName, refused: undefined }
    : { certname: undefined, refused: `the common name of ${what} is no certname` }
}

/** Puppet: ssl/base.rb, VALID_CERTNAME. What is in upper case stays another name than the same in lower case. */
function isName(text: string): boolean {
  return /^[ -.0-~]{1,255}$/.test(text)
}
