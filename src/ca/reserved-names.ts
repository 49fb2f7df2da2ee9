import { isSignerName } from './signer-profiles.ts'
import type { Certificate } from './x509/certificate.ts'
import { findCommonName } from './x509/distinguished-name.ts'

/**
 * Returns true for a certname that no node may have: `ca`, with which clients request the CA certificate; the CA's own
 * name in any case; and names of signers.
 */
export function isReservedName(name: string, authority: Pick<Certificate, 'subject'>): boolean {
  const own = findCommonName(authority.subject)?.toLowerCase()
  return name.toLowerCase() === 'ca' || name.toLowerCase() === own || isSignerName(name)
}
