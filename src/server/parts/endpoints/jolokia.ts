import type { FastifyInstance } from 'fastify'
import { jolokiaRoutes } from '../../jolokia/routes.ts'
import { serverBeans } from '../../jolokia/server-beans.ts'
import { storeBeans } from '../../pdb/metrics.ts'
import { part } from '../part.ts'
import { pool } from '../pool.ts'
import { store } from '../store.ts'
import { telemetry } from '../telemetry.ts'

/** Routes of `/metrics/v2`, which returns metrics as JMX beans. */
export const jolokia = part(
  'jolokia',
  [telemetry, store, pool],
  ({ settings, system, version, telemetry, store, pool }) => {
    const ofStore = store ? storeBeans(store.store) : []
    const ofServer = () => serverBeans({ ...telemetry, pool, serverId: settings.metrics_server_id })
    const sources = { beans: () => [...ofStore, ...ofServer()], version, now: () => system.now() }
    const routes = (http: FastifyInstance) => jolokiaRoutes(http, sources)
    return { value: { routes }, routes }
  },
)
