import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { Agent } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls'
import { toPrintable } from '../../base/text/printable.ts'
import { createFaultError } from './connection-errors.ts'
import { formatProxyAuthorization, type HttpProxy } from './proxy.ts'
import { checkLeafRevocation, createRejectionError } from './server-rejection.ts'
import { buildTlsOptions, type TlsContext } from './tls.ts'

/** Identity, timeouts and proxies of connections. Times are in milliseconds; 0 means no limit. */
export interface ConnectionsOptions {
  readonly tls: TlsContext
  readonly connectTimeoutMs: number
  readonly keepAliveMs: number
  /** Local address for outgoing connections. */
  readonly localAddress?: string | undefined
  /** Returns the proxy for a host; `undefined` if no proxy is used. */
  proxyTo(host: string, port: number): HttpProxy | undefined
  /** Resolves the host name, if no proxy is used. */
  readonly lookup?: LookupFunction | undefined
}

interface Target {
  readonly host: string
  readonly port: number
}

type Connected = (error: Error | null, socket?: TLSSocket) => void

/**
 * Keep-alive connections with one TLS context. Node verifies the server, but this class keeps the socket open after a
 * failure, so that the error can name the faulty certificate; no data is sent on such a socket. TLS sessions are not
 * resumed, because Node does not check the server's name in a resumed session.
 */
export class ClientConnections extends Agent {
  readonly #options: ConnectionsOptions
  #tls: ConnectionOptions | undefined

  constructor(options: ConnectionsOptions) {
    super({ keepAlive: true, timeout: options.keepAliveMs, maxCachedSessions: 0 })
    this.#options = options
  }

  /** Called by Node if no idle connection is available; passes the socket to `done`. */
  override createConnection(options: unknown, done?: unknown): undefined {
    const { host, port } = options as { readonly host: string; readonly port: number | string }
    const told = done as Connected
    this.#connect({ host, port: Number(port) }).then(
      (socket) => told(null, socket),
      (error: Error) => told(error),
    )
  }

  /** Closes idle connections now, and other connections after their request. */
  finish(): void {
    this.maxFreeSockets = 0
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }

  async #connect(target: Target): Promise<TLSSocket> {
    const { connectTimeoutMs: timeoutMs } = this.#options
    const late = new AbortController()
    const timer = timeoutMs > 0 ? setTimeout(() => late.abort(), timeoutMs) : undefined
    try {
      return await this.#secure(target, late.signal)
    } catch (error) {
      throw late.signal.aborted ? createFaultError('CONNECT_TIMEOUT') : error
    } finally {
      clearTimeout(timer)
    }
  }

  async #secure(target: Target, signal: AbortSignal): Promise<TLSSocket> {
    const { tls, proxyTo, localAddress, lookup } = this.#options
    const { host } = target
    const proxy = proxyTo(host, target.port)
    // A host name may have IPv4 and IPv6 addresses; only those in the family of the local address are reachable from
    // it.
    const from = { localAddress, family: isIP(localAddress ?? '') }
    const way = proxy
      ? { socket: await openTunnel(proxy, target, { ...from, signal }) }
      : { ...target, ...from, ...(lookup && { lookup }) }
    // The context is created once, because its creation parses certificates and CRLs.
    this.#tls ??= { secureContext: createSecureContext(buildTlsOptions(tls)), rejectUnauthorized: false }
    const socket = connect({ ...this.#tls, ...way, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
    try {
      await once(socket, 'secureConnect', { signal })
      if (tls.ca !== undefined && !socket.authorized) throw createServerRejection(socket, tls, host)
      if (tls.ca !== undefined && tls.revocation === 'leaf') checkLeafRevocation(socket, tls, { hostname: host })
      return socket
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
}

/** Opens a connection to the target through a proxy. */
async function openTunnel(
  proxy: HttpProxy,
  { host, port }: Target,
  how: { readonly localAddress: string | undefined; readonly family: number; readonly signal: AbortSignal },
): Promise<Socket> {
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const headers = { host: path, ...formatProxyAuthorization(proxy) }
  const asking = plainRequest({
    host: proxy.host,
    port: proxy.port,
    method: 'CONNECT',
    path,
    headers,
    agent: false,
    ...how,
  })
  asking.end()
  const answered = await Promise.race([once(asking, 'connect'), once(asking, 'response')])
  const [answer, socket] = answered as [{ readonly statusCode?: number; readonly statusMessage?: string }, Socket?]
  if (socket && answer.statusCode === 200) return socket
  asking.destroy()
  socket?.destroy()
  const said = toPrintable(`${answer.statusCode} ${answer.statusMessage ?? ''}`.trim())
  throw new Error(`The proxy ${proxy.host}:${proxy.port} replied: ${said}`)
}

/**
 * Returns the error for a rejected server. If a malformed certificate prevents the creation of the error, returns the
 * parsing error.
 */
function createServerRejection(socket: TLSSocket, tls: TlsContext, hostname: string): Error {
  try {
    return createRejectionError(socket, tls, { hostname })
  } catch (error) {
    return error as Error
  }
}
