import { openSeal } from '../sealing/open-seal.ts'
import { audit } from './audit.ts'
import { authority } from './authority.ts'
import { part } from './part.ts'

/** Signatures of catalogs, and their records in the audit log. */
export const seal = part('seal', [authority, audit], async (parts) => {
  const seal = await openSeal(parts)
  return { value: seal, refresh: () => seal.renew() }
})
