import type { Expirations } from './certificate-authority.ts'
import { formatInventoryTime } from './inventory.ts'
import type { RevocationContents } from './revocation-document.ts'
import type { Certificate } from './x509/certificate.ts'
import { type DistinguishedName, findCommonName } from './x509/distinguished-name.ts'

/**
 * Returns the expirations of CA certificates and lists by common name, for `GET expirations`
 * (protocol.md 12).
 */
export function getExpirations(authorities: readonly Certificate[], { own, others }: RevocationContents): Expirations {
  const formatCommonName = (of: DistinguishedName) => findCommonName(of) ?? ''
  return {
    certificates: Object.fromEntries(
      authorities.map(({ subject, notAfter }) => [formatCommonName(subject), formatInventoryTime(notAfter)]),
    ),
    lists: Object.fromEntries(
      [own, ...others].map(({ issuer, nextUpdate }) => [
        formatCommonName(issuer),
        nextUpdate ? formatInventoryTime(nextUpdate) : '',
      ]),
    ),
  }
}
