import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** The least that goes over a connection while the client is at work: so many bytes within such a time. */
export interface TransferBounds {
  readonly bytes: number
  readonly withinMs: number
}

/**
 * Cuts the connections of clients who begin a request or an answer and then hardly go on: a body that does not come, an
 * answer that nobody takes. Where we are the slower ones, nothing is counted.
 */
export function watchTransfers(server: Server, { bytes, withinMs }: TransferBounds): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    let received = socket.bytesRead
    let taken = socket.bytesWritten - socket.writableLength
    let isWaiting = false
    const look = () => {
      const before = { received, taken, isWaiting }
      received = socket.bytesRead
      taken = socket.bytesWritten - socket.writableLength
      const waitsForBody = !request.complete && request.readableLength === 0
      const waitsForReader = socket.writableLength > 0
      isWaiting = waitsForBody || waitsForReader
      // Who waited at the beginning and at the end of this time, waited through it or got something.
      if (!before.isWaiting || !isWaiting) return
      const moved = received - before.received + taken - before.taken
      if (moved < bytes) socket.destroy()
    }
    isWaiting = !request.complete
    const looking = setInterval(look, withinMs)
    response.once('close', () => clearInterval(looking))
  })
}
