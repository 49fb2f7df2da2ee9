import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { budgets } from '../../base/budgets/budgets.ts'
import { ordersPath } from '../../model/orders/order-messages.ts'
import type { ClientConnection } from '../auth/client-certificate.ts'
import { createRetryRefusal } from '../bodies/body-memory.ts'
import type { Client } from '../http/client.ts'
import { createPlainRefusal, Refusal } from '../http/refusal.ts'
import type { NodeConnections } from './node-connections.ts'

/** Dependencies of the route. */
export interface OrderRouteParts {
  readonly connections: Pick<NodeConnections, 'add' | 'has' | 'size'>
  /** Returns the largest number of connections. */
  most(): number
  /** Identifies the client of a connection again. */
  identify(connection: ClientConnection): Promise<Client>
}

interface Upgrade {
  readonly socket: Duplex
  readonly head: Buffer
}

/**
 * `GET /plumb/v1/orders`, a WebSocket: a node waits for orders. The request passes the limits and rules of all requests.
 * Other requests to upgrade a connection are answered without an upgrade, and their connection is closed.
 */
export function addOrderRoute(http: FastifyInstance, { connections, most, identify }: OrderRouteParts): void {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const sockets = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    maxPayload: budgets.order.message.bound,
  })
  ;(http.server as Server).on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node's own listener is gone; `ws` adds its own.
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(request.socket)
    response.once('finish', () => socket.end())
    http.routing(request, response)
  })
  http.get(ordersPath, async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade || request.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new Refusal(426, 'text/plain;charset=utf-8', 'A WebSocket is required', { Upgrade: 'websocket' })
    const { certname } = request.call.client
    if (certname === undefined) throw createPlainRefusal(403, 'A client certificate is required')
    if (connections.size >= most() && !connections.has(certname))
      throw createRetryRefusal(503, 'Too many nodes wait for orders', 60)
    // Only the parts that identify the client are kept; the request would need more memory.
    const { ip, raw } = request
    const { socket, headersDistinct } = raw
    const client: ClientConnection = { ip, socket, raw: { headersDistinct } }
    reply.hijack()
    sockets.handleUpgrade(raw, upgrade.socket, upgrade.head, (opened: WebSocket) => {
      endRequest(reply.raw, raw)
      connections.add(certname, opened, async () => (await identify(client)).certname === certname)
    })
    return reply
  })
}

/** Ends the request for the log and the limits of requests; the WebSocket has its own limits. */
function endRequest(response: ServerResponse, { socket }: IncomingMessage): void {
  response.statusCode = 101
  response.detachSocket(socket)
  response.emit('close')
}
