import type { Server, Socket } from 'node:net'

/**
 * Starts TLS only at the first byte of a connection. Node allocates the handshake state as soon as
 * a client connects (0.25 ms and 50 KiB each), so that thousands of silent connections would delay
 * honest clients.
 */
export function deferTlsHandshake(server: Server): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const destroySocket = () => socket.destroy()
    socket.once('error', destroySocket)
    socket.once('readable', () => {
      socket.off('error', destroySocket)
      if (socket.readableLength === 0) destroySocket()
      else for (const each of begin) each.call(server, socket)
    })
  })
}
