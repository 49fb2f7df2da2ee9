import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { faultOf } from './connection-trouble.ts'
import { type HttpProxy, proxyAuthorization } from './proxy.ts'

/** Ways of a request without TLS. */
export interface PlainWay {
  readonly proxy: HttpProxy | undefined
  /** 0 is without an end. */
  readonly connectTimeoutMs: number
  readonly localAddress: string | undefined
}

/** Asks a server of the web without TLS; its proxy, where there is one, is asked for the whole URL. */
export function plainRequest(
  url: URL,
  { proxy, connectTimeoutMs, ...way }: PlainWay,
  options: RequestOptions,
): ClientRequest {
  const path = url.pathname + url.search
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const target = proxy
    ? { host: proxy.host, port: proxy.port, path: `${url.origin}${path}` }
    : { host, port: url.port || 80, path }
  const headers = { ...options.headers, ...(proxy && proxyAuthorization(proxy)) }
  const asking = request({ ...options, ...way, ...target, headers, agent: false })
  if (connectTimeoutMs > 0) {
    const timer = setTimeout(() => asking.destroy(faultOf('CONNECT_TIMEOUT')), connectTimeoutMs)
    asking.once('socket', (socket) => void socket.once('connect', () => clearTimeout(timer)))
    asking.once('close', () => clearTimeout(timer))
  }
  return asking
}
