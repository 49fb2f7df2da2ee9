import { upkeep } from './certificate-upkeep.ts'
import { part } from './part.ts'
import { reload } from './reload.ts'
import { seal } from './seal.ts'
import { store } from './store.ts'

/** Checks certificates and revocation lists each hour. */
export const hourlyUpkeep = part('hourlyUpkeep', [upkeep, seal, store, reload], ({ upkeep, seal, store, reload }) => ({
  close: upkeep.begin({ renewed: reload, looked: () => Promise.all([seal.renew(), store?.store.reload?.()]) }),
}))
