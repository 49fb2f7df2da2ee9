import type { Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Certificate, certificateOf } from '../../ca/x509/certificate.ts'
import { nameText } from '../../ca/x509/name.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'

/** The peer of a connection: a certificate, or the reason why a certificate does not count; `undefined` without a certificate. */
export type Peer = Certificate | string | undefined

const peers = new WeakMap<object, Peer>()

/**
 * Binds to each connection what its client proved in the handshake, in the moment in which it did. Whatever is said on
 * the connection later changes nothing: nobody asks the socket again.
 */
export function bindPeers(server: Server): void {
  server.prependListener('secureConnection', (socket: TLSSocket) => peers.set(socket, shownOn(socket)))
}

/** The peer bound to the connection. */
export function peerOf(socket: object): Peer {
  return peers.get(socket)
}

function shownOn(socket: TLSSocket): Peer {
  const der = socket.getPeerCertificate()?.raw
  if (der === undefined) return undefined
  if (!socket.authorized) return `the certificate is not trusted: ${socket.authorizationError} (${claimOf(der)})`
  // No ticket is given out, so that a session cannot be an earlier one; its word on the certificate would be old.
  if (socket.isSessionReused()) return 'the certificate was not shown in this connection'
  try {
    return certificateOf(der)
  } catch (error) {
    return errorText(error)
  }
}

/** Whom a certificate that nobody vouches for says it is of, for the log. */
function claimOf(der: Buffer): string {
  try {
    return `it says ${nameText(certificateOf(der).subject).slice(0, 300)}`
  } catch {
    return 'it cannot be read'
  }
}
