import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Node's own code for it. */
const tooLate = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Bounds the time in which the body of a request has to come, in milliseconds by the request. Node has one time for all
 * requests of a server; it is the longest of them. Who takes longer gets the answer that Node's own check would give: 408.
 */
export function boundRequestTime(server: Server, timeOf: (request: IncomingMessage) => number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const late = setTimeout(() => {
      if (!request.complete) server.emit('clientError', Object.assign(new Error(), { code: tooLate }), socket)
    }, timeOf(request)).unref()
    response.once('close', () => clearTimeout(late))
  })
}
