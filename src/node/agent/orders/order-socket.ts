import { once } from 'node:events'
import { WebSocket } from 'ws'
import { budgets } from '../../../base/budgets/budgets.ts'
import { puppetVersion } from '../../../base/puppet-version.ts'
import type { Files } from '../../../machine/system/system.ts'
import { ordersPath } from '../../../model/orders/order-messages.ts'
import { formatOrigin } from '../../../network/client/server-choice.ts'
import { createSession } from '../../../network/client/session.ts'
import type { TlsContext } from '../../../network/client/tls.ts'
import type { SslSettings } from '../ssl/bootstrap.ts'

/** A paused WebSocket to the server, and the address of the server. */
export interface OrderSocket {
  readonly socket: WebSocket
  readonly server: string
}

/** The server has no orders for this node: it is another product, an older version, or does not allow the node. */
export class NoOrdersError extends Error {
  constructor(status: number) {
    super(`the server responded with ${status}`)
    this.name = 'NoOrders'
  }
}

/** Opens a WebSocket for orders with the certificate of this host. Throws the error of the connection, or NoOrdersError. */
export async function openOrderSocket(
  settings: SslSettings,
  files: Pick<Files, 'readText'>,
  signal: AbortSignal,
): Promise<OrderSocket> {
  const session = createSession({ settings, tls: await readTls(settings, files), puppetVersion })
  const origin = formatOrigin(await session.server())
  const { socket: secure, headers } = await session.http.openConnection(origin)
  const url = new URL(ordersPath, origin.href.replace(/^https/, 'wss'))
  const socket = new WebSocket(url, {
    createConnection: () => secure,
    headers,
    handshakeTimeout: settings.http_connect_timeout * 1000,
    maxPayload: budgets.order.message.bound,
    perMessageDeflate: false,
    followRedirects: false,
  })
  // The receiver resumes it when it listens, so that no message is lost.
  socket.once('open', () => socket.pause())
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
    const isBusy = statusCode === 429 || statusCode >= 500
    socket.emit('error', isBusy ? new Error(`the server responded with ${statusCode}`) : new NoOrdersError(statusCode))
    socket.terminate()
  })
  try {
    await once(socket, 'open', { signal })
  } catch (error) {
    // `terminate` emits an error if the handshake is not complete.
    socket.on('error', () => {})
    socket.terminate()
    secure.destroy()
    throw error
  } finally {
    await session.close()
  }
  return { socket, server: origin.host }
}

/** Reads the certificates and the key; the connection checks them. Throws if this host has no certificate yet. */
async function readTls(settings: SslSettings, { readText }: Pick<Files, 'readText'>): Promise<TlsContext> {
  const { localcacert, hostcrl, hostcert, hostprivkey, certificate_revocation: revocation } = settings
  const [ca, cert, key] = await Promise.all([localcacert, hostcert, hostprivkey].map((path) => readText(path)))
  if (ca === undefined || cert === undefined || key === undefined) throw new Error('this host has no certificate yet')
  const crl = revocation === 'false' ? undefined : await readText(hostcrl)
  return { ca, cert, key, ...(crl !== undefined && { crl, revocation: revocation === 'leaf' ? 'leaf' : 'chain' }) }
}
