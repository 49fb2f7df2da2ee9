import { openCompilePool } from '../compile-pool.ts'
import { addPoolMetrics } from '../metrics/state-metrics.ts'
import { environmentsPart } from './environments.ts'
import { definePart } from './part.ts'
import { answersPart, exportsPart, storePart } from './store.ts'
import { telemetryPart } from './telemetry.ts'

/** The compile threads. */
export const poolPart = definePart(
  'pool',
  [telemetryPart, environmentsPart, storePart, exportsPart, answersPart],
  async ({ settings, system, version, telemetry, environments: { environments }, store, exports, answers }) => {
    const pool = await openCompilePool({
      ...{ settings, system, version, environments, exports, answers },
      store: store?.store,
      ended: (job) => telemetry.jobEnded(job, pool.status()),
    })
    return { value: pool, metrics: (registry) => addPoolMetrics(registry, pool), close: () => pool.close() }
  },
)
