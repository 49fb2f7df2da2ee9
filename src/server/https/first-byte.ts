import type { Server, Socket } from 'node:net'

/**
 * Has TLS begin with the first byte of a connection. By itself Node makes all that a handshake needs as soon as somebody
 * connects, a quarter of a millisecond and 50 KiB each: thousands who connect and say nothing would hold up those who
 * wait to be let in.
 */
export function beginTlsWithFirstByte(server: Server): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const gone = () => socket.destroy()
    socket.once('error', gone)
    socket.once('readable', () => {
      socket.off('error', gone)
      if (socket.readableLength === 0) gone()
      else for (const each of begin) each.call(server, socket)
    })
  })
}
