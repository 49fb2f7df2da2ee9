import { openMetricsPort } from '../../metrics/port.ts'
import { prometheusRoute } from '../../metrics/prometheus.ts'
import { listening } from '../http.ts'
import { part } from '../part.ts'
import { telemetry } from '../telemetry.ts'

/** Route of `/metrics`, which returns the metrics of all earlier parts in the table, for Prometheus. */
export const metrics = part('metrics', [telemetry], ({ opened, telemetry: { registry } }) => {
  for (const { metrics } of opened()) metrics?.(registry)
  return { routes: (http) => prometheusRoute(http, registry) }
})

/** The port of `metrics_plain_port`. */
export const metricsPort = part('metricsPort', [telemetry, listening], async ({ settings, log, telemetry }) => ({
  close: await openMetricsPort(settings, { log, registry: telemetry.registry }),
}))
