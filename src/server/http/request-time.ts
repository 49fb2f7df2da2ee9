import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Node's error code for a request timeout. */
const tooLate = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Limits the time to receive a request body; `timeOf` returns the limit of a request in
 * milliseconds. Node's own limit is the same for all requests of a server, so it is set to the
 * longest. A slow client gets 408, as from Node's own check.
 */
export function limitRequestTime(server: Server, timeOf: (request: IncomingMessage) => number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const late = setTimeout(() => {
      if (!request.complete) server.emit('clientError', Object.assign(new Error(), { code: tooLate }), socket)
    }, timeOf(request)).unref()
    response.once('close', () => clearTimeout(late))
  })
}
