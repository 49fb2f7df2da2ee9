import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { connectionTrouble, faultOf } from './connection-trouble.ts'
import { Connections } from './connections.ts'
import { issues, ResponseError } from './errors.ts'
import { plainRequest } from './plain-request.ts'
import type { HttpProxy } from './proxy.ts'
import { secondsUntilRetry } from './retry-after.ts'
import type { TlsContext } from './tls.ts'

/** Identity, timeouts and headers of a client. Times are seconds. */
export interface HttpOptions {
  readonly tls: TlsContext
  /** True to allow HTTP without TLS, for web servers. */
  readonly plain?: boolean
  /** Headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly connectTimeout?: number
  readonly readTimeout?: number
  readonly keepAliveTimeout?: number
  /** Limit of the wait for a busy server, whatever its `Retry-After`: the run interval. */
  readonly longestRetryDelay?: number
  /** Local address for outgoing connections; chosen by the system if absent. */
  readonly localAddress?: string | undefined
  /** Returns the proxy for a host; no proxy is used if absent. */
  readonly proxyTo?: (host: string, port: number) => HttpProxy | undefined
  /** Resolves host names when no proxy is used; the system's resolver if absent. */
  readonly lookup?: LookupFunction
  /**
   * Called with each URL before it is requested, including redirects; an error that it throws ends
   * the request.
   */
  readonly approve?: (url: URL) => void
  readonly warn?: (message: string) => void
  readonly sleep?: (seconds: number) => Promise<void>
}

/** Query parameters: a list repeats its key, and `undefined` is omitted. */
export type Query = Readonly<Record<string, Parameter | readonly Parameter[] | undefined>>
type Parameter = string | number | boolean

/** Method, query, headers and body of a request. */
export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  /** Body of the request. A stream can be sent only once, so that redirects are not followed. */
  readonly body?: string | Uint8Array | Readable
  /** Limit of response bytes that `send` reads; the budget for responses if absent. */
  readonly maxAnswer?: number
  /** Aborts the request and its response. */
  readonly signal?: AbortSignal
}

/** A response whose body is still being received; it is decompressed. */
export interface HttpStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** A response with its complete body. */
export interface HttpResponse extends Omit<HttpStream, 'body'> {
  readonly body: Buffer
}

const maxRedirects = 10
const maxRetries = 100
/** Limit of bytes read from an error response, whose message is short. */
const errorBytes = 64 * 1024

/**
 * An HTTPS client with one TLS context and keep-alive connections; uses HTTP only if `plain` is
 * set.
 */
export class HttpClient {
  readonly #options: HttpOptions
  readonly #connections: Connections

  constructor(options: HttpOptions) {
    this.#options = options
    this.#connections = new Connections({
      tls: options.tls,
      connectTimeoutMs: milliseconds(options.connectTimeout ?? 120),
      keepAliveMs: milliseconds(options.keepAliveTimeout ?? 4) || 1,
      localAddress: options.localAddress,
      proxyTo: options.proxyTo ?? (() => undefined),
      lookup: options.lookup,
    })
  }

  /**
   * Sends a request and reads the complete successful response (2xx). Throws ResponseError, or the
   * connection error.
   */
  async send(url: URL, request: HttpRequest = {}): Promise<HttpResponse> {
    const { body, ...rest } = await this.stream(url, request)
    return { ...rest, body: await this.#reading(url, () => allOf(body, url, request.maxAnswer)) }
  }

  /**
   * Sends a request and reads only the head of the successful response (2xx). Throws the errors of
   * `send`.
   */
  async stream(url: URL, request: HttpRequest = {}): Promise<HttpStream> {
    let target = withQuery(url, request.query)
    let asked = request
    let redirects = 0
    let retries = 0
    for (;;) {
      const answer = await this.#once(target, asked)
      if (answer.status >= 200 && answer.status < 300) return answer
      const delay = secondsUntilRetry(answer, Date.now())
      if (delay !== undefined) {
        await bytesOf(answer.body, errorBytes)
        if (++retries > maxRetries) fail(issues.HTTP_TOO_MANY_RETRIES, { url: target.origin })
        await this.#wait(delay)
      } else if ([301, 302, 307].includes(answer.status) && !(asked.body instanceof Readable)) {
        await bytesOf(answer.body, errorBytes)
        if (++redirects > maxRedirects)
          fail(issues.HTTP_TOO_MANY_REDIRECTS, { url: `${target.origin}${target.pathname}` })
        const to = redirected(target, answer.headers.location, this.#options.plain)
        if (to.origin !== target.origin) asked = withoutPassword(asked)
        target = to
      } else throw await responseError(answer)
    }
  }

  /** Closes idle connections now, and other connections after their request. */
  async close(): Promise<void> {
    this.#connections.finish()
  }

  async #once(url: URL, request: HttpRequest): Promise<HttpStream> {
    this.#options.approve?.(url)
    const answer = await this.#reading(url, () => this.#asked(url, request))
    return { status: answer.statusCode ?? 0, ...unpacked(answer) }
  }

  #asked(url: URL, { method = 'GET', headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
    const timeout = milliseconds(this.#options.readTimeout ?? 600)
    return new Promise((done, failed) => {
      const all = { host: url.host, 'accept-encoding': 'gzip, deflate', ...this.#options.headers, ...headers }
      const asking = this.#request(url, { method, headers: all, timeout, ...(signal && { signal }) })
      let answer: IncomingMessage | undefined
      asking.on('timeout', () => {
        answer?.destroy(faultOf('READ_TIMEOUT'))
        asking.destroy(faultOf('READ_TIMEOUT'))
      })
      asking.once('response', (message) => {
        answer = message
        done(message)
      })
      asking.on('error', failed)
      if (body instanceof Readable) pipeline(body, asking, (error) => error && asking.destroy(error))
      else asking.end(body)
    })
  }

  #request(url: URL, options: RequestOptions): ClientRequest {
    if (this.#options.plain && url.protocol === 'http:') {
      const { proxyTo, connectTimeout = 120, localAddress, lookup } = this.#options
      const proxy = proxyTo?.(url.hostname, Number(url.port || 80))
      const way = { proxy, connectTimeoutMs: milliseconds(connectTimeout), localAddress }
      return plainRequest(url, way, proxy || !lookup ? options : { ...options, lookup })
    }
    return httpsRequest({
      ...options,
      agent: this.#connections,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || 443,
      path: url.pathname + url.search,
    })
  }

  async #wait(delay: number): Promise<void> {
    const seconds = Math.min(delay, this.#options.longestRetryDelay ?? 1800)
    this.#options.warn?.(`Sleeping for ${seconds} seconds before retrying the request`)
    const sleep = this.#options.sleep ?? ((time) => new Promise((resolve) => setTimeout(resolve, time * 1000)))
    await sleep(seconds)
  }

  /** Runs `work` and converts errors of Node and undici to Puppet's messages. */
  async #reading<Result>(url: URL, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    try {
      return await work()
    } catch (error) {
      const seconds = Math.round(performance.now() - start) / 1000
      throw connectionTrouble(error, url, seconds)
    }
  }
}

function milliseconds(seconds: number): number {
  return seconds === Number.POSITIVE_INFINITY ? 0 : seconds * 1000
}

function withQuery(url: URL, query: Query = {}): URL {
  const target = new URL(url)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) target.searchParams.append(name, String(each))
  }
  return target
}

function redirected(from: URL, location: string | undefined, plain = false): URL {
  if (location === undefined) fail(issues.HTTP_LOCATION_MISSING, {})
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  if (!to || (to.protocol !== 'https:' && !(plain && to.protocol === 'http:')))
    fail(issues.HTTP_LOCATION_INVALID, { location })
  if (to.search === '') to.search = from.search
  return to
}

/** Removes the password, which must not be sent to another server after a redirect. */
function withoutPassword({ headers = {}, ...request }: HttpRequest): HttpRequest {
  const { authorization: _, ...others } = headers
  return { ...request, headers: others }
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

function unpacked(answer: IncomingMessage): Pick<HttpStream, 'headers' | 'body'> {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  )
  const decoder = decoders[headers['content-encoding'] as keyof typeof decoders]
  return { headers, body: decoder ? pipeline(answer, decoder(), () => {}) : answer }
}

async function responseError({ status, headers, body }: HttpStream): Promise<ResponseError> {
  const text = (await bytesOf(body, errorBytes)).toString('utf8')
  const { message, hint } = complaintIn(text.trim(), headers['content-type'])
  return new ResponseError(status, message || String(status), { hint, headers, text })
}

/**
 * Reads the `message` of a JSON body, or else the body, and the `hint` of a Plumb server: one line
 * of untrusted text.
 */
function complaintIn(text: string, type = ''): { readonly message: string; readonly hint?: string } {
  if (!/[pj]son/.test(type)) return { message: text }
  try {
    const { message, hint } = JSON.parse(text) as Readonly<Record<string, unknown>>
    return {
      message: typeof message === 'string' ? message : text,
      ...(typeof hint === 'string' && { hint: printable(hint.slice(0, budgets.node.hint.bound)) }),
    }
  } catch {
    return { message: text }
  }
}

/**
 * Reads a complete body. Throws HTTP_TOO_LONG, because an unverified server may send without end.
 */
async function allOf(body: Readable, url: URL, most: number = budgets.node.answer.bound): Promise<Buffer> {
  const bytes = await bytesOf(body, most + 1)
  return bytes.length > most ? fail(issues.HTTP_TOO_LONG, { url: `${url.origin}${url.pathname}`, most }) : bytes
}

/** Reads the bytes of a body, or the beginning of a body that exceeds the limit. */
async function bytesOf(body: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return Buffer.concat(chunks)
}
