import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Default of `shutdown-timeout-seconds` in Puppet Server (trapperkeeper-webserver-jetty9). */
const thirtySeconds = 30_000

/**
 * Returns a function that closes the server: active requests may finish within `patience` milliseconds, then all
 * connections are cut. Node's own `close` waits forever for a silent client or an incomplete request.
 */
export function createServerCloser(http: FastifyInstance, patience: number = thirtySeconds): () => Promise<void> {
  const sockets = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  let closing = false
  const cutConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  http.server.on('connection', (socket: Socket) => {
    if (closing) socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  http.server.on('request', (_request, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => {
      underWay.delete(response)
      if (closing && underWay.size === 0) cutConnections()
    })
  })
  return async () => {
    closing = true
    if (underWay.size === 0) cutConnections()
    const late = setTimeout(cutConnections, patience)
    await http.close()
    clearTimeout(late)
  }
}
