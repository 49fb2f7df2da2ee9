import { addServerMetrics } from '../metrics/state-metrics.ts'
import { openTelemetry } from '../telemetry/telemetry.ts'
import { part } from './part.ts'

/** Metrics, access log and traces. */
export const telemetry = part('telemetry', [], ({ settings, log, version }) => {
  const telemetry = openTelemetry(settings, (details, message) => log.warn(details, message))
  return {
    value: telemetry,
    metrics: (registry) => addServerMetrics(registry, { ...telemetry, version }),
    reload: telemetry.reloadable,
    close: () => telemetry.close(),
  }
})
