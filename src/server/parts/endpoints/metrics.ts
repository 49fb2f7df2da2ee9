import { openMetricsPort } from '../../metrics/port.ts'
import { addPrometheusRoute } from '../../metrics/prometheus.ts'
import { listeningPart } from '../http.ts'
import { definePart } from '../part.ts'
import { telemetryPart } from '../telemetry.ts'

/** Route of `/metrics`, which returns the metrics of all earlier parts in the table, for Prometheus. */
export const metricsPart = definePart('metrics', [telemetryPart], ({ opened, telemetry: { registry } }) => {
  for (const { metrics } of opened()) metrics?.(registry)
  return { routes: (http) => addPrometheusRoute(http, registry) }
})

/** The port of `metrics_plain_port`. */
export const metricsPortPart = definePart(
  'metricsPort',
  [telemetryPart, listeningPart],
  async ({ settings, log, telemetry }) => ({
    close: await openMetricsPort(settings, { log, registry: telemetry.registry }),
  }),
)
