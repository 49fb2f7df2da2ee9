import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, defineIssues, isIssue, throwIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { Slots } from '../../base/threads/slots.ts'
import { awaitWithTimeout } from '../../base/time/promise-timeout.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { type ClientSettings, createClientOptions } from '../../network/client/client-options.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { type HostTlsSettings, readHostTls } from '../../network/client/host-tls.ts'
import { HttpClient, type HttpStream } from '../../network/client/http-client.ts'

interface Remote {
  /** Kind of server, such as `certificate authority` or `report server`. */
  readonly what: string
  readonly address: string
}

/** Errors of requests to other servers. */
export const remoteServerIssues = defineIssues({
  REMOTE_AWAY: {
    text: (a: Remote & { why: string }) => `Could not query the ${a.what} ${a.address}: ${a.why}`,
  },
  REMOTE_OVERLOADED: {
    text: (a: Remote) => `The ${a.what} ${a.address} is busy. Please try again later.`,
  },
})

const issues = defineIssues({
  REMOTE_IS_THIS_SERVER: {
    text: (a: Remote & { setting: string }) =>
      `The rest terminus points to this server itself: the ${a.what} ${a.address}`,
    hint: (a) => `Set ${a.setting} to another server.`,
  },
})

/** True if a `Via` header marks a request as forwarded by another server. */
export function isForwarded(via: string | undefined): boolean {
  return via?.includes(viaServer) ?? false
}

/** Settings for requests to another server. */
export type RemoteServerSettings = HostTlsSettings & ClientSettings & Pick<Settings, 'certname' | 'serverport'>

/** Address of another server, and its name in messages. */
export interface RemoteServerOptions {
  readonly settings: RemoteServerSettings
  readonly files: Pick<Files, 'readText'>
  readonly host: string
  readonly port: number
  /** Name for messages, such as `report server` in `The report server x:8140 cannot be asked`. */
  readonly what: string
  /** Setting that contains the host. */
  readonly setting: string
  /** Time limit of a request in milliseconds; set only in tests. */
  readonly timeoutMs?: number | undefined
  readonly fileTimeoutMs?: number | undefined
}

/** Client of another Puppet server. Throws ResponseError, REMOTE_AWAY, REMOTE_OVERLOADED. */
export interface RemoteServer {
  /**
   * Sends a request; `isKnown` presents our client certificate. `timeMs` overrides the time limit.
   */
  ask<Answer>(question: Question<Answer>, isKnown: boolean, timeMs?: number): Promise<Answer>
  /**
   * Sends a request whose response is streamed; it counts as active until the body is read or
   * destroyed. Presents our client certificate.
   */
  open(question: StreamQuestion): Promise<HttpStream>
}

type Question<Answer> = (http: Pick<HttpClient, 'send'>, origin: URL) => Promise<Answer>
type StreamQuestion = (http: Pick<HttpClient, 'stream'>, origin: URL) => Promise<HttpStream>

/** `Via` value of forwarded requests. RFC 9110, 7.6.3. */
export const viaServer = '1.1 plumb'

/**
 * Creates a client for a host and port with limits on concurrent requests and time. Throws
 * REMOTE_IS_THIS_SERVER.
 */
export function createRemoteServer(options: RemoteServerOptions): RemoteServer {
  const { settings, host, port, what, setting } = options
  const { timeoutMs = budgets.request.forwardTime.bound, fileTimeoutMs = budgets.request.forwardedFileTime.bound } =
    options
  const origin = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const remote = { what, address: `${host}:${port}` }
  if (host === settings.certname && port === settings.serverport)
    throwIssue(issues.REMOTE_IS_THIS_SERVER, { ...remote, setting })
  const begin = createRequestStarter(options, remote)
  const createTimeoutHandler = (ending: AbortController, timeMs: number) => () => {
    ending.abort()
    return new Error(`it did not respond within ${timeMs / 1000} seconds`)
  }
  return {
    async ask(question, isKnown, timeMs = timeoutMs) {
      const { http, ending, end } = await begin(isKnown)
      try {
        const send: HttpClient['send'] = (url, request) => http.send(url, { ...request, signal: ending.signal })
        return await awaitWithTimeout(question({ send }, origin), timeMs, createTimeoutHandler(ending, timeMs))
      } catch (error) {
        ending.abort()
        throw toRemoteError(error, remote)
      } finally {
        await end()
      }
    },
    async open(question) {
      const { http, ending, end } = await begin(true)
      try {
        const stream: HttpClient['stream'] = (url, request) => http.stream(url, { ...request, signal: ending.signal })
        const answer = await awaitWithTimeout(
          question({ stream }, origin),
          timeoutMs,
          createTimeoutHandler(ending, timeoutMs),
        )
        const timer = setTimeout(() => ending.abort(), fileTimeoutMs)
        // Without a listener, an abort after the reader has ended would end the process.
        answer.body.on('error', () => {})
        answer.body.once('close', () => {
          clearTimeout(timer)
          void end()
        })
        return answer
      } catch (error) {
        ending.abort()
        await end()
        throw toRemoteError(error, remote)
      }
    },
  }
}

/**
 * Returns a function that starts requests within the concurrency limit. Each request has its own HTTP client; `end`
 * frees its slot.
 */
function createRequestStarter(options: RemoteServerOptions, remote: Remote) {
  const slots = new Slots({ atOnce: budgets.request.forwards.bound, waiting: 0 }, () =>
    createPuppetError(remoteServerIssues.REMOTE_OVERLOADED, remote),
  )
  return async (isKnown: boolean) => {
    const giveBack = await slots.take()
    const ending = new AbortController()
    let http: HttpClient | undefined
    const releaseSlot = async () => {
      giveBack()
      await http?.close()
    }
    try {
      http = createHttpClient(options, await readHostTls(options.settings, options.files), isKnown, remote)
    } catch (error) {
      await releaseSlot()
      throw toRemoteError(error, remote)
    }
    return { http, ending, end: releaseSlot }
  }
}

function createHttpClient(
  { settings }: RemoteServerOptions,
  { cert, key, ...trust }: Awaited<ReturnType<typeof readHostTls>>,
  isKnown: boolean,
  remote: Remote,
): HttpClient {
  const seconds = budgets.request.forwardTime.bound / 1000
  const { headers, ...rest } = createClientOptions(settings, puppetVersion)
  return new HttpClient({
    ...rest,
    tls: isKnown && cert !== undefined && key !== undefined ? { ...trust, cert, key } : trust,
    headers: { ...headers, via: viaServer },
    connectTimeout: Math.min(settings.http_connect_timeout, seconds),
    readTimeout: seconds,
    keepAliveTimeout: 0,
    // Does not wait for the time in `Retry-After`, because our own client retries.
    sleep: async () => throwIssue(remoteServerIssues.REMOTE_OVERLOADED, remote),
  })
}

/**
 * Returns the error for a failed request: a response with a status below 500 is passed on, and any other error
 * becomes REMOTE_AWAY.
 */
function toRemoteError(error: unknown, remote: Remote): unknown {
  if (error instanceof ResponseError && error.status < 500) return error
  if (isIssue(error, remoteServerIssues.REMOTE_OVERLOADED)) return error
  return createPuppetError(remoteServerIssues.REMOTE_AWAY, { ...remote, why: toPrintable(formatErrorReason(error)) })
}
