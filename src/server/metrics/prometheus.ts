import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

/** `GET /metrics`: all metrics in the text format of Prometheus. */
export function addPrometheusRoute(server: FastifyInstance, registry: Registry): void {
  server.get('/metrics', async (_request, reply) => {
    const text = await registry.metrics()
    return reply.type(registry.contentType).send(text)
  })
}
