import { addPoolMetrics } from '../metrics/state-metrics.ts'
import { openPool } from '../open-pool.ts'
import { environments } from './environments.ts'
import { part } from './part.ts'
import { answers, exports, store } from './store.ts'
import { telemetry } from './telemetry.ts'

/** The compile threads. */
export const pool = part(
  'pool',
  [telemetry, environments, store, exports, answers],
  async ({ settings, system, version, telemetry, environments: { environments }, store, exports, answers }) => {
    const pool = await openPool({
      ...{ settings, system, version, environments, exports, answers },
      store: store?.store,
      ended: (job) => telemetry.jobEnded(job, pool.status()),
    })
    return { value: pool, metrics: (registry) => addPoolMetrics(registry, pool), close: () => pool.close() }
  },
)
