import { beginCompilingAhead } from '../ahead/open-ahead.ts'
import { aheadPart } from './ahead.ts'
import { listeningPart } from './http.ts'
import { definePart } from './part.ts'
import { poolPart } from './pool.ts'
import { servicesPart } from './services.ts'
import { storePart } from './store.ts'

/**
 * Starts the compile threads and compiling ahead, once the server listens. `requestsRead` resolves
 * when the nodes' stored catalog requests are read.
 */
export const compileAheadPart = definePart(
  'compiling',
  [aheadPart, poolPart, servicesPart, storePart, listeningPart],
  ({ settings, log, ahead, pool, services, store }) => {
    pool.warmUp()
    const requestsRead = beginCompilingAhead(ahead, { settings, services, store: store?.store }, log)
    return { value: { requestsRead }, close: async () => ahead.close() }
  },
)
