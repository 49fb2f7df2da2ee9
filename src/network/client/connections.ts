import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { Agent } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls'
import { printable } from '../../base/text/printable.ts'
import { faultOf } from './connection-trouble.ts'
import { type HttpProxy, proxyAuthorization } from './proxy.ts'
import { checkLeafRevocation, refusedServer } from './refused-server.ts'
import { connectionOptions, type TlsContext } from './tls.ts'

/** Identity, times and ways of connections. Times in milliseconds; 0 is without an end. */
export interface ConnectionsOptions {
  readonly tls: TlsContext
  readonly connectTimeoutMs: number
  readonly keepAliveMs: number
  /** The address of this host to connect from. */
  readonly localAddress?: string | undefined
  /** The proxy of the way to a host, if there is one. */
  proxyTo(host: string, port: number): HttpProxy | undefined
  /** Addresses of a host that is asked without a proxy. */
  readonly lookup?: LookupFunction | undefined
}

interface Target {
  readonly host: string
  readonly port: number
}

type Connected = (error: Error | null, socket?: TLSSocket) => void

/**
 * Connections under a TLS context, kept for the next request. Node judges a server as ever, but leaves the socket open when
 * the verdict is bad, so that the error can name the certificate at fault; nothing is sent on such a socket. No session is
 * resumed: in one that is, Node does not ask whether the name of the server is right.
 */
export class Connections extends Agent {
  readonly #options: ConnectionsOptions
  #tls: ConnectionOptions | undefined

  constructor(options: ConnectionsOptions) {
    super({ keepAlive: true, timeout: options.keepAliveMs, maxCachedSessions: 0 })
    this.#options = options
  }

  /** Called by Node for a request that no kept connection can take; the socket comes by `done`. */
  override createConnection(options: unknown, done?: unknown): undefined {
    const { host, port } = options as { readonly host: string; readonly port: number | string }
    const told = done as Connected
    this.#connect({ host, port: Number(port) }).then(
      (socket) => told(null, socket),
      (error: Error) => told(error),
    )
  }

  /** Ends idle connections, and each other one when its request is done. */
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
      throw late.signal.aborted ? faultOf('CONNECT_TIMEOUT') : error
    } finally {
      clearTimeout(timer)
    }
  }

  async #secure(target: Target, signal: AbortSignal): Promise<TLSSocket> {
    const { tls, proxyTo, localAddress, lookup } = this.#options
    const { host } = target
    const proxy = proxyTo(host, target.port)
    // A name may have addresses of both families, of which the own address reaches one.
    const from = { localAddress, family: isIP(localAddress ?? '') }
    const way = proxy
      ? { socket: await tunnel(proxy, target, { ...from, signal }) }
      : { ...target, ...from, ...(lookup && { lookup }) }
    // Made once: certificates and lists are parsed for it.
    this.#tls ??= { secureContext: createSecureContext(connectionOptions(tls)), rejectUnauthorized: false }
    const socket = connect({ ...this.#tls, ...way, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
    try {
      await once(socket, 'secureConnect', { signal })
      if (tls.ca !== undefined && !socket.authorized) throw refusalOf(socket, tls, host)
      if (tls.ca !== undefined && tls.revocation === 'leaf') checkLeafRevocation(socket, tls, { hostname: host })
      return socket
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
}

/** A connection to the target by way of a proxy. */
async function tunnel(
  proxy: HttpProxy,
  { host, port }: Target,
  how: { readonly localAddress: string | undefined; readonly family: number; readonly signal: AbortSignal },
): Promise<Socket> {
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const headers = { host: path, ...proxyAuthorization(proxy) }
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
  const said = printable(`${answer.statusCode} ${answer.statusMessage ?? ''}`.trim())
  throw new Error(`The proxy ${proxy.host}:${proxy.port} said: ${said}`)
}

/** The error about a refused server. A server may show anything: an error that cannot be made is the error. */
function refusalOf(socket: TLSSocket, tls: TlsContext, hostname: string): Error {
  try {
    return refusedServer(socket, tls, { hostname })
  } catch (error) {
    return error as Error
  }
}
