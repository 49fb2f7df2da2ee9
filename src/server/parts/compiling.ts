import { beginAhead } from '../ahead/open-ahead.ts'
import { ahead } from './ahead.ts'
import { listening } from './http.ts'
import { part } from './part.ts'
import { pool } from './pool.ts'
import { services } from './services.ts'
import { store } from './store.ts'

/**
 * Starts the compile threads and compiling ahead, once the server listens. `requestsRead` resolves
 * when the stored requests are read.
 */
export const compiling = part(
  'compiling',
  [ahead, pool, services, store, listening],
  ({ settings, log, ahead, pool, services, store }) => {
    pool.warmUp()
    const requestsRead = beginAhead(ahead, { settings, services, store: store?.store }, log)
    return { value: { requestsRead }, close: async () => ahead.close() }
  },
)
