import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect as connectTcp, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { type ConnectionOptions, connect as connectTls, createSecureContext, TLSSocket } from 'node:tls'
import { toPrintable } from '../../base/text/printable.ts'
import { createTimeoutError } from './connection-errors.ts'
import { formatProxyAuthorization, type HttpProxy } from './proxy.ts'

/** TLS, proxies, addresses and limits of connections. Times are in milliseconds; 0 means no limit. */
export interface DispatcherOptions {
  /** Returns Node's options for TLS; called once, before the first connection with TLS. */
  readonly tls?: () => ConnectionOptions
  /** Called after each TLS handshake; throws if the server is not trusted. */
  readonly checkServer?: (socket: TLSSocket, host: string) => void
  /** Time limit for a connection, including a proxy and the TLS handshake. */
  readonly connectTimeoutMs?: number
  /** Time limit for a connection without data. */
  readonly readTimeoutMs?: number
  /** Time for which an idle connection stays open; 0 closes it after each response. */
  readonly keepAliveMs?: number
  /** Largest size of the response headers in bytes; if undefined, Node's limit. */
  readonly maxHeaderBytes?: number
  /** Local address for outgoing connections. */
  readonly localAddress?: string | undefined
  /** Returns the proxy for a host; `undefined` if no proxy is used. */
  readonly proxyTo?: (host: string, port: number) => HttpProxy | undefined
  /** Resolves the host name, if no proxy is used. */
  readonly lookup?: LookupFunction | undefined
  /** Aborts connections that are being opened. */
  readonly signal?: AbortSignal
}

/** A response whose body is still being received. */
export interface DispatcherResponse {
  readonly statusCode: number
  readonly statusText: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Readable
}

/** Method, headers and body of a single request. */
export interface DispatcherRequest {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | Readable | undefined
  /** Aborts the request and the reading of its response. */
  readonly signal?: AbortSignal | undefined
}

interface Target {
  readonly host: string
  readonly port: number | string
}

/** A direct connection to a server, as options of Node's sockets. */
type Route = TcpNetConnectOpts & { readonly host: string }

/** Agent of Node that keeps idle connections open; `open` creates new connections. */
class Connections extends Agent {
  readonly #open: (target: Target) => Promise<Socket>
  readonly #readTimeoutMs: number

  constructor(open: (target: Target) => Promise<Socket>, { keepAliveMs = 0, readTimeoutMs = 0 }: DispatcherOptions) {
    super({ keepAlive: keepAliveMs > 0, timeout: keepAliveMs })
    this.#open = open
    this.#readTimeoutMs = readTimeoutMs
  }

  /** Called by Node if no idle connection is available. */
  override createConnection(options: unknown, done?: unknown): undefined {
    const told = done as (error: Error | null, socket?: Socket) => void
    this.#open(options as Target).then(
      // Node sets no timeout on a new socket if the time equals that of idle connections.
      (socket) => told(null, socket.setTimeout(this.#readTimeoutMs)),
      (error: Error) => told(error),
    )
  }

  /** Closes idle connections now, and other connections after their response. */
  finish(): void {
    this.maxFreeSockets = 0
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }
}

/**
 * Sends HTTP requests. Redirects are not followed, bodies are not decompressed. TLS sessions are not resumed, because
 * Node does not check the server's name in a resumed session.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #agents: Readonly<Record<'secure' | 'plain' | 'proxied', Connections>>
  #tls: ConnectionOptions | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { lookup } = options
    this.#agents = {
      secure: new Connections((target) => this.#connect(target, lookup, true), options),
      plain: new Connections((target) => this.#connect(target, lookup), options),
      // The proxy's name is not resolved by `lookup`, which may allow only certain addresses.
      proxied: new Connections((target) => this.#connect(target, undefined), options),
    }
  }

  /**
   * Sends a request and reads the head of the response. A proxy for a URL without TLS receives the complete URL. The
   * body is a stream that may be destroyed at any time. Throws for other protocols than HTTP and HTTPS, and for invalid
   * headers.
   */
  async request(
    url: URL,
    { body, headers, method = 'GET', signal }: DispatcherRequest = {},
  ): Promise<DispatcherResponse> {
    if (!['http:', 'https:'].includes(url.protocol)) throw new Error(`The protocol '${url.protocol}' is not supported`)
    const { readTimeoutMs = 0, maxHeaderBytes } = this.#options
    const { authorization, ...target } = this.#resolveTarget(url)
    const all = { host: url.host, ...setBodyHeaders(headers, body), ...authorization }
    const asking = request({
      ...{ ...target, method, headers: all, timeout: readTimeoutMs, ...(signal && { signal }) },
      ...(maxHeaderBytes !== undefined && { maxHeaderSize: maxHeaderBytes }),
    })
    return new Promise((done, failed) => {
      let answer: IncomingMessage | undefined
      asking.on('timeout', () => {
        answer?.destroy(createTimeoutError('READ_TIMEOUT'))
        asking.destroy(createTimeoutError('READ_TIMEOUT'))
      })
      asking.once('response', (message) => {
        answer = message
        const { statusCode = 0, statusMessage: statusText = '', headers, rawHeaders } = message
        done({ statusCode, statusText, headers, rawHeaders, body: message })
      })
      asking.on('error', failed)
      // After a response that switches to another protocol (101), Node emits only `close`.
      asking.once('close', () => failed(new Error('The connection ended without a response')))
      if (body instanceof Readable) pipeline(body, asking, (error) => error && asking.destroy(error))
      else asking.end(body)
    })
  }

  /** Opens a connection with TLS, through a proxy if one is set, which the caller uses for another protocol. */
  connect(url: URL): Promise<Socket> {
    const { host, port } = parseTarget(url)
    return this.#connect({ host, port }, this.#options.lookup, true)
  }

  /** Closes idle connections now, and other connections after their response. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.finish()
  }

  #resolveTarget(url: URL) {
    const { secure, plain, proxied } = this.#agents
    const isPlain = url.protocol === 'http:'
    const target = parseTarget(url)
    const path = url.pathname + url.search
    const proxy = isPlain ? this.#options.proxyTo?.(target.host, target.port) : undefined
    if (!proxy) return { ...target, path, agent: isPlain ? plain : secure }
    const { host, port } = proxy
    return { host, port, path: url.origin + path, agent: proxied, authorization: formatProxyAuthorization(proxy) }
  }

  async #connect({ host, port }: Target, lookup: LookupFunction | undefined, isSecure = false): Promise<Socket> {
    const { connectTimeoutMs = 0, signal, localAddress } = this.#options
    const route: Route = {
      ...{ host, port: Number(port), noDelay: true },
      // A host name may have IPv4 and IPv6 addresses; only those in the family of the local address are reachable from
      // it.
      ...(localAddress !== undefined && { localAddress, family: isIP(localAddress) }),
      ...(lookup && { lookup }),
    }
    const late = connectTimeoutMs > 0 ? AbortSignal.timeout(Math.round(connectTimeoutMs)) : undefined
    const ending = AbortSignal.any([late, signal].filter((each) => each !== undefined))
    try {
      return await (isSecure ? this.#secure(route, ending) : awaitConnection(connectTcp(route), ending))
    } catch (error) {
      throw late?.aborted ? createTimeoutError('CONNECT_TIMEOUT') : error
    }
  }

  async #secure(route: Route, ending: AbortSignal): Promise<Socket> {
    const { tls, checkServer, proxyTo } = this.#options
    const { host, port } = route
    // The TLS options are created before the tunnel, which would stay open if the options were
    // invalid.
    this.#tls ??= createTlsOptions(tls?.())
    const proxy = proxyTo?.(host, port)
    const socket = proxy && (await openTunnel(proxy, route, ending))
    const names = { servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] }
    const secure = connectTls({ ...this.#tls, ...route, ...names, ...(socket && { socket }) })
    return awaitConnection(secure, ending, () => checkServer?.(secure, host))
  }
}

function parseTarget({ protocol, hostname, port }: URL) {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'http:' ? 80 : 443)) }
}

/** Reads a body; if the body exceeds the limit, only its beginning. */
export async function readBytes(body: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return Buffer.concat(chunks)
}

/** Adds a context, which all connections share, because its creation parses certificates and CRLs. */
function createTlsOptions(options: ConnectionOptions = {}): ConnectionOptions {
  return { ...options, secureContext: options.secureContext ?? createSecureContext(options) }
}

/**
 * Sets the length or the transfer encoding of a body, because Node sends neither with GET, DELETE and OPTIONS. The
 * caller determines only the length of a stream.
 */
function setBodyHeaders(
  headers: DispatcherRequest['headers'] = {},
  body: DispatcherRequest['body'],
): Readonly<Record<string, string>> {
  const isStream = body instanceof Readable
  const isLength = ([name]: readonly [string, string]) => name.toLowerCase() === 'content-length'
  const others = Object.entries(headers).filter(
    (each) => each[0].toLowerCase() !== 'transfer-encoding' && (isStream || !isLength(each)),
  )
  const all = Object.fromEntries(others)
  if (body === undefined) return all
  if (!isStream) return { ...all, 'content-length': String(Buffer.byteLength(body)) }
  return others.some(isLength) ? all : { ...all, 'transfer-encoding': 'chunked' }
}

/** Waits for a connection, and checks it. Destroys the socket after a failure. */
async function awaitConnection(socket: Socket, signal: AbortSignal, check = () => {}): Promise<Socket> {
  try {
    await once(socket, socket instanceof TLSSocket ? 'secureConnect' : 'connect', { signal })
    check()
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Opens a connection to the target through a proxy. */
async function openTunnel(
  proxy: HttpProxy,
  { host, port, lookup: _, ...from }: Route,
  signal: AbortSignal,
): Promise<Socket> {
  const path = formatAuthority({ host, port })
  const asking = request({
    ...{ ...from, host: proxy.host, port: proxy.port, agent: false, signal },
    ...{ method: 'CONNECT', path, headers: { host: path, ...formatProxyAuthorization(proxy) } },
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

function formatAuthority({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
