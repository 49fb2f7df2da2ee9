import { STATUS_CODES } from 'node:http'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { hasResponseStatus, ResponseError } from '../../network/client/errors.ts'
import type { PuppetDbConfig } from './config.ts'
import { puppetDbIssues } from './issues.ts'

/** One request to one server. */
type Attempt<Answer> = (server: URL, signal: AbortSignal) => Promise<Answer>

/** A request that is sent to one server or to several. */
interface Order<Answer> {
  /** Path and query, for messages. */
  readonly path: string
  readonly attempt: Attempt<Answer>
  /** Milliseconds to add to `server_url_timeout`. */
  readonly extraMs?: number
}

type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The server rejected the request; the other servers would reject it too. */
  | { readonly kind: 'refused'; readonly error: ResponseError }
  | { readonly kind: 'failed'; readonly notFound?: ResponseError }

const nextOne = "Failing over to the next PuppetDB server_url in the 'server_urls' list"
/** Milliseconds during which a submit-only server is skipped after two timeouts in a row. */
const restMs = 300_000
/** Maximum number of characters of a path, and of a server's reason, in a message. */
const longestReason = 500

/**
 * Several PuppetDB servers: tries them in order, or sends a command to all.
 * puppet-terminus-puppetdb: util/puppetdb/http.rb.
 */
export class PuppetDbServers {
  readonly #config: PuppetDbConfig
  readonly #warn: (message: string) => void
  readonly #timeouts = new Map<string, { readonly count: number; readonly at: number }>()
  #lastGood = 0

  constructor(config: PuppetDbConfig, warn: (message: string) => void) {
    this.#config = config
    this.#warn = warn
  }

  /** Returns the first successful response. Throws PUPPETDB_UNREACHED and ResponseError. */
  async ask<Answer>(order: Order<Answer>): Promise<Answer> {
    const { serverUrls, stickyReadFailover } = this.#config
    const first = stickyReadFailover ? this.#lastGood : 0
    const inTurn = [...serverUrls.slice(first), ...serverUrls.slice(0, first)]
    const { answer, server } = await this.#first(inTurn, order)
    this.#lastGood = serverUrls.indexOf(server)
    return answer
  }

  /**
   * Sends a command to the first available server (with `command_broadcast`, to all servers), and
   * returns one of the responses. Throws the same errors as `ask`.
   */
  async tell<Answer>(order: Order<Answer>): Promise<Answer> {
    const { serverUrls, submitOnlyServerUrls, commandBroadcast } = this.#config
    const all = [...serverUrls, ...submitOnlyServerUrls.filter((server) => !this.#rests(server))]
    return commandBroadcast ? this.#all(all, order) : (await this.#first(all, order)).answer
  }

  async #first<Answer>(
    servers: readonly URL[],
    order: Order<Answer>,
  ): Promise<{ readonly answer: Answer; readonly server: URL }> {
    let notFound: ResponseError | undefined
    for (const server of servers) {
      const outcome = await this.#outcome(server, order)
      if (outcome.kind === 'answered') return { answer: outcome.answer, server }
      if (outcome.kind === 'refused') throw outcome.error
      notFound = outcome.notFound
    }
    if (notFound) throw notFound
    return this.#unreached(order.path)
  }

  async #all<Answer>(servers: readonly URL[], order: Order<Answer>): Promise<Answer> {
    const outcomes = await Promise.all(servers.map((server) => this.#outcome(server, order)))
    const answers = outcomes.flatMap((each) => (each.kind === 'answered' ? [each.answer] : []))
    const refused = outcomes.find((each) => each.kind === 'refused')
    const last = answers.at(-1)
    if (last !== undefined && answers.length >= this.#config.minSuccessfulSubmissions) return last
    if (refused) throw refused.error
    return this.#unreached(order.path)
  }

  #unreached(path: string): never {
    const { serverUrls, minSuccessfulSubmissions: least } = this.#config
    const urls = serverUrls.map(({ origin }) => origin)
    return throwIssue(puppetDbIssues.PUPPETDB_UNREACHED, { path: path.slice(0, longestReason), least, urls })
  }

  async #outcome<Answer>(server: URL, { path, attempt, extraMs = 0 }: Order<Answer>): Promise<Outcome<Answer>> {
    const place = `${server.hostname} on ${server.port || '443'} at route ${server.origin}${path.slice(0, longestReason)}`
    const late = new AbortController()
    const seconds = this.#config.serverUrlTimeout
    const timer = setTimeout(() => late.abort(), seconds * 1000 + extraMs)
    try {
      const answer = await attempt(server, late.signal)
      this.#timeouts.delete(server.origin)
      return { kind: 'answered', answer }
    } catch (error) {
      if (late.signal.aborted) {
        this.#warn(`Request to ${place} timed out after ${seconds} seconds. ${nextOne}`)
        this.#timedOut(server)
        return { kind: 'failed' }
      }
      if (error instanceof ResponseError && error.status < 500 && error.status !== 404)
        return { kind: 'refused', error }
      // A 404 response from PuppetDB itself is JSON; any other 404 comes from a server that is
      // starting, or from another program.
      if (hasResponseStatus(error, 404) && error.reason.startsWith('{')) return { kind: 'failed', notFound: error }
      this.#warn(`Error connecting to ${place}, error message received was '${formatFailureReason(error)}'. ${nextOne}`)
      return { kind: 'failed' }
    } finally {
      clearTimeout(timer)
    }
  }

  #timedOut(server: URL): void {
    const count = (this.#timeouts.get(server.origin)?.count ?? 0) + 1
    this.#timeouts.set(server.origin, { count, at: Date.now() })
  }

  #rests(server: URL): boolean {
    const timeouts = this.#timeouts.get(server.origin)
    return timeouts !== undefined && timeouts.count >= 2 && Date.now() - timeouts.at < restMs
  }
}

function formatFailureReason(error: unknown): string {
  if (error instanceof ResponseError) {
    const phrase = STATUS_CODES[error.status] ?? String(error.status)
    const said = toPrintable(error.reason.slice(0, longestReason))
    return said === '' || said === String(error.status) ? phrase : `${phrase}: ${said}`
  }
  if (error instanceof PuppetError) return toPrintable(error.diagnostic.message)
  return toPrintable((error as Error).message)
}
