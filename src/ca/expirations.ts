import type { Expirations } from './certificate-authority.ts'
import { timestamp } from './inventory.ts'
import type { Contents } from './revocation-file.ts'
import type { Certificate } from './x509/certificate.ts'
import { commonNameOf, type Name } from './x509/name.ts'

/**
 * Returns the expirations of CA certificates and lists by common name, for `GET expirations`
 * (protocol.md 12).
 */
export function expirationsOf(authorities: readonly Certificate[], { own, others }: Contents): Expirations {
  const name = (of: Name) => commonNameOf(of) ?? ''
  return {
    certificates: Object.fromEntries(authorities.map(({ subject, notAfter }) => [name(subject), timestamp(notAfter)])),
    lists: Object.fromEntries(
      [own, ...others].map(({ issuer, nextUpdate }) => [name(issuer), nextUpdate ? timestamp(nextUpdate) : '']),
    ),
  }
}
