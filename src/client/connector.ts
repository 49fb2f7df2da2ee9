import type { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { refusedServer } from './refused-server.ts'
import { connectionOptions, type TlsContext } from './tls.ts'

/**
 * Connects under a TLS context. Node judges a server as ever, but leaves the socket open when the verdict is bad, so that
 * the error can name the certificate at fault; nothing is sent on such a socket. No session is resumed: in one that is,
 * Node does not ask whether the name of the server is right.
 */
export function connectorFor(tls: TlsContext, timeoutMs: number): buildConnector.connector {
  const options = { ...connectionOptions(tls), rejectUnauthorized: false, maxCachedSessions: 0, timeout: timeoutMs }
  const connect = buildConnector(options)
  if (tls.ca === undefined) return connect
  return (target, done) =>
    connect(target, (...[error, connected]) => {
      if (error) return done(error, null)
      const socket = connected as TLSSocket
      if (socket.authorized) return done(null, socket)
      const refusal = refusalOf(socket, tls, target)
      socket.destroy()
      return done(refusal, null)
    })
}

/** The error about a refused server. A server may show anything: an error that cannot be made is the error. */
function refusalOf(socket: TLSSocket, tls: TlsContext, target: buildConnector.Options): Error {
  try {
    return refusedServer(socket, tls, target)
  } catch (error) {
    return error as Error
  }
}
