import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Minimum transfer rate while the server waits for the client: `bytes` within `withinMs`. */
export interface TransferBounds {
  readonly bytes: number
  readonly withinMs: number
}

/**
 * Cuts connections whose client stops sending its request or stops reading the response. Intervals
 * in which the server is the slower side do not count.
 */
export function watchTransfers(server: Server, { bytes, withinMs }: TransferBounds): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    let received = socket.bytesRead
    let taken = socket.bytesWritten - socket.writableLength
    let isWaiting = false
    const checkProgress = () => {
      const before = { received, taken, isWaiting }
      received = socket.bytesRead
      taken = socket.bytesWritten - socket.writableLength
      const waitsForBody = !request.complete && request.readableLength === 0
      const waitsForReader = socket.writableLength > 0
      isWaiting = waitsForBody || waitsForReader
      // An interval is checked only if the server waits for the client both at its start and at its end.
      if (!before.isWaiting || !isWaiting) return
      const moved = received - before.received + taken - before.taken
      if (moved < bytes) socket.destroy()
    }
    isWaiting = !request.complete
    const looking = setInterval(checkProgress, withinMs)
    response.once('close', () => clearInterval(looking))
  })
}
