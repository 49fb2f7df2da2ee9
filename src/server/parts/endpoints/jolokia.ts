import type { FastifyInstance } from 'fastify'
import { allowLag } from '../../../store/node-store.ts'
import { addJolokiaRoutes } from '../../jolokia/routes.ts'
import { createServerBeans } from '../../jolokia/server-beans.ts'
import { createStoreBeans } from '../../pdb/metrics.ts'
import { definePart } from '../part.ts'
import { poolPart } from '../pool.ts'
import { storePart } from '../store.ts'
import { telemetryPart } from '../telemetry.ts'

/** Routes of `/metrics/v2`, which returns metrics as JMX beans. */
export const jolokiaPart = definePart(
  'jolokia',
  [telemetryPart, storePart, poolPart],
  ({ settings, system, version, telemetry, store, pool }) => {
    const ofStore = store ? createStoreBeans(allowLag(store.store)) : []
    const listServerBeans = () => createServerBeans({ ...telemetry, pool, serverId: settings.metrics_server_id })
    const sources = { beans: () => [...ofStore, ...listServerBeans()], version, now: () => system.now() }
    const routes = (http: FastifyInstance) => addJolokiaRoutes(http, sources)
    return { value: { routes }, routes }
  },
)
