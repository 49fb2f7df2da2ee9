import { sealPart } from './catalog-seal.ts'
import { upkeepPart } from './certificate-upkeep.ts'
import { definePart } from './part.ts'
import { reloadPart } from './reload.ts'
import { storePart } from './store.ts'

/** Checks certificates and revocation lists each hour. */
export const hourlyUpkeepPart = definePart(
  'hourlyUpkeep',
  [upkeepPart, sealPart, storePart, reloadPart],
  ({ upkeep, seal, store, reload }) => ({
    close: upkeep.begin({ renewed: reload, looked: () => Promise.all([seal.renew(), store?.store.reload?.()]) }),
  }),
)
