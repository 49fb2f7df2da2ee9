import { openSeal } from '../sealing/open-seal.ts'
import { audit } from './audit.ts'
import { authority } from './authority.ts'
import { part } from './part.ts'

/** Signs catalogs and records them in the audit log. */
export const seal = part('seal', [authority, audit], async (parts) => {
  const seal = await openSeal(parts)
  return { value: seal, refresh: () => seal.renew() }
})
