import { isSignerName } from './signer-uses.ts'
import type { Certificate } from './x509/certificate.ts'
import { commonNameOf } from './x509/name.ts'

/**
 * True if no node may have this certname: `ca`, by which the authority's certificate is requested, the authority's own name
 * in any case, and the name of a signer.
 */
export function isReservedName(name: string, authority: Pick<Certificate, 'subject'>): boolean {
  const own = commonNameOf(authority.subject)?.toLowerCase()
  return name.toLowerCase() === 'ca' || name.toLowerCase() === own || isSignerName(name)
}
