import { readFile } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { HttpClient, type HttpQuery, type HttpRequest, type HttpResponse } from '../../network/client/http-client.ts'
import { createProxySelector, type ProxySettings, parseProxyUrl } from '../../network/client/proxy.ts'
import { readSystemAuthorities } from '../../network/client/system-authorities.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { ReviewAccess } from '../sources/review-access.ts'
import type { GitHostKind } from './git-host.ts'
import { reviewIssues } from './review-issues.ts'

/** Settings of requests to Git hosts. */
export type HostSettings = ProxySettings & { readonly localcacert: string }

/** A request to the API of a Git host. */
export interface HostRequest {
  readonly method?: HttpRequest['method']
  readonly query?: HttpQuery
  /** Sent as JSON. */
  readonly body?: object
}

/** The parts of a path of the API, below its address. */
export type HostPath = readonly (string | number)[]

/** An answer of the API; `json` is undefined if its body is empty. */
export interface HostAnswer {
  readonly json: ExactJson | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Largest number of characters of a host's message in an error. */
const maxMessage = 300
/** Timeouts in seconds: for a connection, and for a busy host that asks for a retry. */
const connectSeconds = 10
const retrySeconds = 3

const { answer, values, requestTime } = budgets.review

/**
 * Sends requests to the API of one Git host, within limits of time and size. Neither a request nor its token follows a
 * redirect to another host.
 */
export class HostClient {
  readonly #kind: GitHostKind
  readonly #review: ReviewAccess
  readonly #source: Pick<CodeSource, 'access'>
  readonly #settings: HostSettings

  constructor(
    kind: GitHostKind,
    source: { readonly review: ReviewAccess; readonly access: CodeSource['access'] },
    settings: HostSettings,
  ) {
    this.#kind = kind
    this.#review = source.review
    this.#source = source
    this.#settings = settings
  }

  /**
   * Sends a request for a path, whose parts are encoded, and returns the JSON of the answer; undefined for an empty
   * answer. Throws REVIEW_….
   */
  async send(path: HostPath, request: HostRequest = {}): Promise<ExactJson | undefined> {
    return (await this.sendWithHeaders(path, request)).json
  }

  /** Like `send`, but returns undefined if the host answers 404. */
  async find(path: HostPath, request: HostRequest = {}): Promise<ExactJson | undefined> {
    try {
      return await this.send(path, request)
    } catch (error) {
      if (isIssue(error, reviewIssues.REVIEW_NOT_FOUND)) return undefined
      throw error
    }
  }

  /** Like `send`; also returns the headers of the answer. */
  async sendWithHeaders(path: HostPath, { method = 'GET', query, body }: HostRequest = {}): Promise<HostAnswer> {
    const url = this.getUrl(path)
    const token = await readSecretFile(this.#review.tokenFile)
    const { body: bytes, headers } = await this.#exchange(url, token, {
      ...{ method, maxAnswer: answer.bound, signal: AbortSignal.timeout(requestTime.bound) },
      ...(query && { query }),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    try {
      const bounds = { characters: answer.bound, items: values.bound }
      return { headers, json: bytes.length === 0 ? undefined : parseBoundedJson(bytes.toString(), bounds) }
    } catch (error) {
      return throwIssue(reviewIssues.REVIEW_HOST_FAILED, { url: formatAddress(url), why: formatErrorReason(error) })
    }
  }

  /** Returns the URL of a path of the API. Throws REVIEW_ANSWER for a part that would lead to another path. */
  getUrl(path: HostPath): URL {
    const step = path.find((part) => /^\.{0,2}$/.test(String(part)))
    if (step !== undefined) throwIssue(reviewIssues.REVIEW_ANSWER, { url: this.#review.url, what: `name '${step}'` })
    const encoded = path.map((part) => encodeURIComponent(part)).join('/')
    return new URL(`${this.#kind.getApiAddress(this.#review.url)}/${encoded}`)
  }

  async #exchange(url: URL, token: string, request: HttpRequest): Promise<HttpResponse> {
    const shown = formatAddress(url)
    const client = await this.#open(url, token)
    try {
      return await client.send(url, request)
    } catch (error) {
      if (isIssue(error, reviewIssues.REVIEW_REDIRECT)) throw error
      const status = error instanceof ResponseError ? error.status : undefined
      const said = error instanceof ResponseError ? `${error.status} ${error.reason}` : formatErrorReason(error)
      const secrets = [...Object.values(this.#getCredentials(token)), token]
      const why = toPrintable(secrets.reduce((text, each) => text.replaceAll(each, '***'), said).slice(0, maxMessage))
      if (status === 404) throwIssue(reviewIssues.REVIEW_NOT_FOUND, { url: shown, why })
      return throwIssue(reviewIssues.REVIEW_HOST_FAILED, { url: shown, why, status })
    } finally {
      await client.close()
    }
  }

  #getCredentials(token: string): Readonly<Record<string, string>> {
    return this.#kind.getCredentials(token, this.#review.username)
  }

  async #open(asked: URL, token: string): Promise<HttpClient> {
    const { access } = this.#source
    const own = access.authorities === undefined ? undefined : await readFile(access.authorities, 'utf8')
    const proxy = access.proxy === undefined ? undefined : parseProxyUrl(access.proxy)
    return new HttpClient({
      tls: { ca: own ?? readSystemAuthorities(this.#settings.localcacert) },
      plain: asked.protocol === 'http:',
      headers: { accept: 'application/json', 'user-agent': 'Plumbline', 'accept-encoding': 'identity' },
      originHeaders: this.#getCredentials(token),
      ...{ connectTimeout: connectSeconds, readTimeout: requestTime.bound / 1000, longestRetryDelay: retrySeconds },
      keepAliveTimeout: 0,
      proxyTo: proxy ? () => proxy : createProxySelector(this.#settings),
      approve: (url) => {
        if (url.origin === asked.origin) return
        throwIssue(reviewIssues.REVIEW_REDIRECT, { url: formatAddress(asked), to: url.origin })
      },
    })
  }
}

function formatAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`
}
