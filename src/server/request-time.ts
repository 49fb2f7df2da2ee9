import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Bounds the time in which the body of a request has to come, in milliseconds by the request. Node has one time for all
 * requests of a server; it is the longest of them. Who takes longer gets the answer that Node's own check would give: 408.
 */
export function boundRequestTime(server: Server, timeOf: (request: IncomingMessage) => number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const late = setTimeout(() => {
      const error = Object.assign(new Error('the request takes too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      if (!request.complete) server.emit('clientError', error, socket)
    }, timeOf(request)).unref()
    response.once('close', () => clearTimeout(late))
  })
}
