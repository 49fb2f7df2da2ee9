import { openSeal } from '../sealing/open-seal.ts'
import { auditPart } from './audit.ts'
import { authorityPart } from './authority.ts'
import { definePart } from './part.ts'

/** Signs catalogs and records them in the audit log. */
export const sealPart = definePart('seal', [authorityPart, auditPart], async (parts) => {
  const seal = await openSeal(parts)
  return { value: seal, refresh: () => seal.renew() }
})
