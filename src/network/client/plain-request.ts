import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { createFaultError } from './connection-errors.ts'
import { formatProxyAuthorization, type HttpProxy } from './proxy.ts'

/** Proxy, timeout and local address of a request without TLS. */
export interface PlainRequestOptions {
  readonly proxy: HttpProxy | undefined
  /** Time limit for the connection in milliseconds; 0 means no limit. */
  readonly connectTimeoutMs: number
  readonly localAddress: string | undefined
}

/** Sends a request to a web server without TLS. If there is a proxy, the proxy receives the complete URL. */
export function sendPlainRequest(
  url: URL,
  { proxy, connectTimeoutMs, ...way }: PlainRequestOptions,
  options: RequestOptions,
): ClientRequest {
  const path = url.pathname + url.search
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const target = proxy
    ? { host: proxy.host, port: proxy.port, path: `${url.origin}${path}` }
    : { host, port: url.port || 80, path }
  const headers = { ...options.headers, ...(proxy && formatProxyAuthorization(proxy)) }
  const asking = request({ ...options, ...way, ...target, headers, agent: false })
  if (connectTimeoutMs > 0) {
    const timer = setTimeout(() => asking.destroy(createFaultError('CONNECT_TIMEOUT')), connectTimeoutMs)
    asking.once('socket', (socket) => void socket.once('connect', () => clearTimeout(timer)))
    asking.once('close', () => clearTimeout(timer))
  }
  return asking
}
