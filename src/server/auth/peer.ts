import type { Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Certificate, certificateOf } from '../../ca/x509/certificate.ts'
import { nameText } from '../../ca/x509/name.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'

/**
 * Client certificate of a connection, or the reason for its rejection; `undefined` without a
 * certificate.
 */
export type Peer = Certificate | string | undefined

const peers = new WeakMap<object, Peer>()

/**
 * Records the client certificate of each connection when its handshake completes. Later checks use
 * this record and never query the socket again.
 */
export function bindPeers(server: Server): void {
  server.prependListener('secureConnection', (socket: TLSSocket) => peers.set(socket, shownOn(socket)))
}

/** Returns the client certificate recorded for a connection, or the reason for its rejection. */
export function peerOf(socket: object): Peer {
  return peers.get(socket)
}

function shownOn(socket: TLSSocket): Peer {
  const der = socket.getPeerCertificate()?.raw
  if (der === undefined) return undefined
  if (!socket.authorized) return `the certificate is not trusted: ${socket.authorizationError} (${claimOf(der)})`
  // Session tickets are disabled, so a resumed session is unexpected. Its certificate was checked in an earlier
  // session, and that result may be outdated.
  if (socket.isSessionReused()) return 'the certificate was not shown in this connection'
  try {
    return certificateOf(der)
  } catch (error) {
    return errorText(error)
  }
}

/** Subject of an untrusted certificate, for the log. */
function claimOf(der: Buffer): string {
  try {
    return `it says ${nameText(certificateOf(der).subject).slice(0, 300)}`
  } catch {
    return 'it cannot be read'
  }
}
