import { Counter, Gauge, type Registry } from 'prom-client'

/** Sources of the metrics of orders. */
export interface OrderMetricSources {
  readonly connections: { readonly size: number }
  /** Number of orders by result. */
  readonly counts: ReadonlyMap<string, number>
}

/** Registers the metrics of orders to nodes. */
export function addOrderMetrics(registry: Registry, { connections, counts }: OrderMetricSources): void {
  new Gauge({
    name: 'plumb_order_connections',
    help: 'Nodes that wait for orders on this server.',
    registers: [registry],
    collect() {
      this.set(connections.size)
    },
  })
  new Counter({
    name: 'plumb_orders_total',
    help: 'Orders whose result this server received.',
    ...{ labelNames: ['result'], registers: [registry] },
    collect() {
      this.reset()
      for (const [result, count] of counts) this.inc({ result }, count)
    },
  })
}
