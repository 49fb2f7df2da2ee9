import type { Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Certificate, decodeCertificate } from '../../ca/x509/certificate.ts'
import { formatDistinguishedName } from '../../ca/x509/distinguished-name.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

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
export function recordPeers(server: Server): void {
  server.prependListener('secureConnection', (socket: TLSSocket) => peers.set(socket, readPeer(socket)))
}

/** Returns the client certificate recorded for a connection, or the reason for its rejection. */
export function getPeer(socket: object): Peer {
  return peers.get(socket)
}

function readPeer(socket: TLSSocket): Peer {
  const der = socket.getPeerCertificate()?.raw
  if (der === undefined) return undefined
  if (!socket.authorized)
    return `the certificate is not trusted: ${socket.authorizationError} (${formatCertificateClaim(der)})`
  // Session tickets are disabled, so a resumed session is unexpected. Its certificate was checked in an earlier
  // session, and that result may be outdated.
  if (socket.isSessionReused()) return 'the client sent no certificate in this connection'
  try {
    return decodeCertificate(der)
  } catch (error) {
    return formatError(error)
  }
}

/** Subject of an untrusted certificate, for the log. */
function formatCertificateClaim(der: Buffer): string {
  try {
    return `subject ${formatDistinguishedName(decodeCertificate(der).subject).slice(0, 300)}`
  } catch {
    return 'it cannot be parsed'
  }
}
