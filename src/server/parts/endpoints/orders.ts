import { budgets } from '../../../base/budgets/budgets.ts'
import { openMemoryOrders } from '../../../store/orders/stored-orders.ts'
import { addOrderMetrics } from '../../metrics/order-metrics.ts'
import { NodeConnections } from '../../orders/node-connections.ts'
import { OrderDispatch } from '../../orders/order-dispatch.ts'
import { addOrderRoute } from '../../orders/order-route.ts'
import { addRunRoutes, createRunHandler } from '../../orders/run-requests.ts'
import { listWaveNodes } from '../../rollouts/wave-nodes.ts'
import { auditPart } from '../audit.ts'
import { sealPart } from '../catalog-seal.ts'
import { listeningPart } from '../http.ts'
import { identityPart } from '../identity.ts'
import { definePart } from '../part.ts'
import { rolloutStatesPart } from '../rollouts/rollouts.ts'
import { storePart } from '../store.ts'

/** Share of the open connections that may wait for orders. */
const connectionShare = 0.8

/** Orders to nodes, and the connections on which nodes wait for orders. */
export const ordersPart = definePart(
  'orders',
  [auditPart, sealPart, storePart, rolloutStatesPart, identityPart],
  async ({ settings, system, log, audit, seal, store, rolloutStates, identity }) => {
    const connections = new NodeConnections({
      onMessage: (node, message) => dispatch.receive(node, message),
      onOpen: (node) => dispatch.connected(node),
      onClose: (node) => dispatch.disconnected(node),
      warn: (message) => log.warn(message),
    })
    const dispatch = new OrderDispatch({
      rows: store?.store.orders ?? (await openMemoryOrders()),
      server: settings.certname,
      shared: store?.store.orders !== undefined && settings.store !== 'sqlite',
      connections,
      orderWriter: () => seal.orderWriter(),
      note: (record) => audit?.add(record),
      log: (level, message) => log[level](message),
      now: () => system.now(),
    })
    const requests = {
      ...{ orders: dispatch, store: store?.store },
      listWaveNodes: (environment = settings.environment, wave: string) =>
        listWaveNodes(rolloutStates?.table, environment, wave),
    }
    const most = () => Math.min(budgets.order.connections.bound, Math.floor(settings.max_connections * connectionShare))
    return {
      value: { connections, dispatch, handleRequest: createRunHandler(requests) },
      routes(http) {
        addOrderRoute(http, { connections, most, identify: identity.identifyConnection })
        addRunRoutes(http, requests)
      },
      metrics: (registry) => addOrderMetrics(registry, { connections, counts: dispatch.counts }),
      close: () => dispatch.close(),
    }
  },
)

/** Ends the connections before the port closes. */
export const orderHandoverPart = definePart('orderHandover', [ordersPart, listeningPart], ({ orders }) => ({
  close: () => orders.connections.close(),
}))
