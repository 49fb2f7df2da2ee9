import { addServerMetrics } from '../metrics/state-metrics.ts'
import { startTelemetry } from '../telemetry/telemetry.ts'
import { definePart } from './part.ts'

/** Metrics, access log and traces. */
export const telemetryPart = definePart('telemetry', [], ({ settings, log, version }) => {
  const telemetry = startTelemetry(settings, (details, message) => log.warn(details, message))
  return {
    value: telemetry,
    metrics: (registry) => addServerMetrics(registry, { ...telemetry, version }),
    reload: telemetry.reloadable,
    close: () => telemetry.close(),
  }
})
