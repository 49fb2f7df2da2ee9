import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { toConnectionError } from './connection-errors.ts'
import { Dispatcher, type DispatcherOptions, type DispatcherResponse, readBytes } from './dispatcher.ts'
import { httpIssues, ResponseError } from './errors.ts'
import { getRetryDelay } from './retry-after.ts'
import { checkServer } from './server-rejection.ts'
import { buildTlsOptions, type TlsContext } from './tls.ts'

/** Identity, timeouts and headers of a client. Times are in seconds. */
export interface HttpClientOptions extends Pick<DispatcherOptions, 'localAddress' | 'proxyTo' | 'lookup'> {
  readonly tls: TlsContext
  /** True to allow HTTP without TLS, which web servers may use. */
  readonly plain?: boolean
  /** Headers that each request contains. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that each request contains, except after a redirect to another origin, since they may be secret. */
  readonly originHeaders?: Readonly<Record<string, string>>
  readonly connectTimeout?: number
  readonly readTimeout?: number
  readonly keepAliveTimeout?: number
  /** Largest number of seconds to wait for a busy server, even if its `Retry-After` is larger: the run interval. */
  readonly longestRetryDelay?: number
  /**
   * Called with each URL before it is requested, also after a redirect; if it throws, the request fails with this
   * error.
   */
  readonly approve?: (url: URL) => void
  readonly warn?: (message: string) => void
  readonly sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>
}

/** Query parameters. A list repeats the parameter for each value; `undefined` omits it. */
export type HttpQuery = Readonly<Record<string, Parameter | readonly Parameter[] | undefined>>
type Parameter = string | number | boolean

/** Method, query, headers and body of a request. */
export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: HttpQuery
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Body of the request. Redirects of a request with a stream are not followed, since the stream can be read only once.
   */
  readonly body?: string | Uint8Array | Readable
  /** Largest number of response bytes that `send` reads; if undefined, the budget for responses. */
  readonly maxAnswer?: number
  /** Aborts the request, the waiting for a busy server, and the reading of the response. */
  readonly signal?: AbortSignal
}

/** A response whose body is still being received; the body is decompressed. */
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
/** Largest number of bytes that are read from an error response; its message is short. */
const errorBytes = 64 * 1024

/** An HTTPS client with one TLS context and keep-alive connections. It uses HTTP only if `plain` is set. */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #dispatcher: Dispatcher

  constructor(options: HttpClientOptions) {
    this.#options = options
    const { tls } = options
    this.#dispatcher = new Dispatcher({
      ...options,
      // A rejected server's socket stays open until `checkServer` has read the certificate; no data is sent on it.
      tls: () => ({ ...buildTlsOptions(tls), rejectUnauthorized: false }),
      checkServer: (socket, host) => checkServer(socket, tls, host),
      connectTimeoutMs: toMilliseconds(options.connectTimeout ?? 120),
      readTimeoutMs: toMilliseconds(options.readTimeout ?? 600),
      keepAliveMs: toMilliseconds(options.keepAliveTimeout ?? 4),
    })
  }

  /**
   * Sends a request and reads the complete response, which must be successful (2xx). Throws ResponseError, or the error
   * of the connection.
   */
  async send(url: URL, request: HttpRequest = {}): Promise<HttpResponse> {
    const { body, ...rest } = await this.stream(url, request)
    return { ...rest, body: await this.#reading(url, () => readBody(body, url, request.maxAnswer)) }
  }

  /**
   * Sends a request and reads only the head of the response, which must be successful (2xx). Throws the same errors as
   * `send`.
   */
  async stream(url: URL, request: HttpRequest = {}): Promise<HttpStream> {
    let target = addQuery(url, request.query)
    let asked = request
    let originHeaders = this.#options.originHeaders
    let redirects = 0
    let retries = 0
    for (;;) {
      const answer = await this.#once(target, asked, originHeaders)
      if (answer.status >= 200 && answer.status < 300) return answer
      const delay = getRetryDelay(answer, Date.now())
      if (delay !== undefined) {
        await readBytes(answer.body, errorBytes)
        if (++retries > maxRetries) throwIssue(httpIssues.HTTP_TOO_MANY_RETRIES, { url: target.origin })
        await this.#reading(target, () => this.#wait(delay, request.signal))
      } else if ([301, 302, 307].includes(answer.status) && !(asked.body instanceof Readable)) {
        await readBytes(answer.body, errorBytes)
        if (++redirects > maxRedirects)
          throwIssue(httpIssues.HTTP_TOO_MANY_REDIRECTS, { url: `${target.origin}${target.pathname}` })
        const to = resolveRedirect(target, answer.headers.location)
        if (to.origin !== target.origin) {
          asked = removeCredentials(asked)
          originHeaders = {}
        }
        target = to
      } else throw await readResponseError(answer)
    }
  }

  /**
   * Opens a connection to a server, which is verified as for requests, for another protocol over TLS. Returns it with
   * the headers that each request contains. Throws the error of the connection.
   */
  async openConnection(origin: URL): Promise<{ socket: Socket; headers: Readonly<Record<string, string>> }> {
    const socket = await this.#reading(origin, () => this.#dispatcher.connect(origin))
    return { socket, headers: { ...this.#options.headers, ...this.#options.originHeaders } }
  }

  /** Closes idle connections now, and other connections after their request. */
  async close(): Promise<void> {
    this.#dispatcher.close()
  }

  async #once(
    url: URL,
    { method, headers, body, signal }: HttpRequest,
    originHeaders: HttpClientOptions['originHeaders'],
  ): Promise<HttpStream> {
    if (!isAllowed(url, this.#options.plain)) throwIssue(httpIssues.HTTP_LOCATION_INVALID, { location: url.href })
    this.#options.approve?.(url)
    const own = { 'accept-encoding': 'gzip, deflate', ...this.#options.headers }
    const all = { ...own, ...originHeaders, ...headers }
    const answer = await this.#reading(url, () => this.#dispatcher.request(url, { method, headers: all, body, signal }))
    return { status: answer.statusCode, ...decompressResponse(answer) }
  }

  async #wait(delay: number, signal: AbortSignal | undefined): Promise<void> {
    const seconds = Math.min(delay, this.#options.longestRetryDelay ?? 1800)
    this.#options.warn?.(`Sleeping for ${seconds} seconds before retrying the request`)
    await (this.#options.sleep ?? sleepSeconds)(seconds, signal)
  }

  /** Runs `work`, and converts errors of Node to errors with Puppet's messages. */
  async #reading<Result>(url: URL, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    try {
      return await work()
    } catch (error) {
      const seconds = Math.round(performance.now() - start) / 1000
      throw toConnectionError(error, url, seconds)
    }
  }
}

async function sleepSeconds(seconds: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(seconds * 1000, undefined, { signal })
}

function toMilliseconds(seconds: number): number {
  return seconds === Number.POSITIVE_INFINITY ? 0 : seconds * 1000
}

function addQuery(url: URL, query: HttpQuery = {}): URL {
  const target = new URL(url)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) target.searchParams.append(name, String(each))
  }
  return target
}

function resolveRedirect(from: URL, location: string | undefined): URL {
  if (location === undefined) throwIssue(httpIssues.HTTP_LOCATION_MISSING, {})
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  if (!to) throwIssue(httpIssues.HTTP_LOCATION_INVALID, { location })
  if (to.search === '') to.search = from.search
  return to
}

function isAllowed({ protocol }: URL, plain = false): boolean {
  return protocol === 'https:' || (plain && protocol === 'http:')
}

const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-authentication'])

/** Removes the password, token and cookies from a request, since another server must not receive them. */
function removeCredentials({ headers = {}, ...request }: HttpRequest): HttpRequest {
  const others = Object.entries(headers).filter(([name]) => !credentialHeaders.has(name.toLowerCase()))
  return { ...request, headers: Object.fromEntries(others) }
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

function decompressResponse({ headers: given, body }: DispatcherResponse): Pick<HttpStream, 'headers' | 'body'> {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  )
  const decoder = decoders[headers['content-encoding'] as keyof typeof decoders]
  return { headers, body: decoder ? pipeline(body, decoder(), () => {}) : body }
}

async function readResponseError({ status, headers, body }: HttpStream): Promise<ResponseError> {
  const text = (await readBytes(body, errorBytes)).toString('utf8')
  const { message, hint } = parseServerMessage(text.trim(), headers['content-type'])
  return new ResponseError(status, message || String(status), { hint, headers, text })
}

/**
 * Returns the server's message: the `message` in a JSON body, otherwise the body. Also returns the `hint` of a Plumb
 * server. Both are untrusted text, reduced to one line.
 */
function parseServerMessage(text: string, type = ''): { readonly message: string; readonly hint?: string } {
  if (!/[pj]son/.test(type)) return { message: text }
  try {
    const { message, hint } = JSON.parse(text) as Readonly<Record<string, unknown>>
    return {
      message: typeof message === 'string' ? message : text,
      ...(typeof hint === 'string' && { hint: toPrintable(hint.slice(0, budgets.node.hint.bound)) }),
    }
  } catch {
    return { message: text }
  }
}

/** Reads a complete body. Throws HTTP_TOO_LONG above the limit, because an unverified server may send without end. */
async function readBody(body: Readable, url: URL, most: number = budgets.node.answer.bound): Promise<Buffer> {
  const bytes = await readBytes(body, most + 1)
  return bytes.length > most
    ? throwIssue(httpIssues.HTTP_TOO_LONG, { url: `${url.origin}${url.pathname}`, most })
    : bytes
}
