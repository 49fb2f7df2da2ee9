import { STATUS_CODES } from 'node:http'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { Slots } from '../../base/threads/slots.ts'
import { hasResponseStatus, ResponseError } from '../../network/client/errors.ts'
import type { HttpClient, HttpStream } from '../../network/client/http-client.ts'
import type { CommandOutcome, NodeStore, StoreResponse, SubmittedCommand } from '../node-store.ts'
import type { QueryRequest } from '../query/execution.ts'
import { throwInvalidQuery } from '../query/issues.ts'
import { streamSinglePiece } from '../single-piece.ts'
import { buildCommandRequest } from './command-request.ts'
import type { PuppetDbConfig } from './config.ts'
import { puppetDbIssues } from './issues.ts'
import { buildQueryRequest } from './query-request.ts'
import { PuppetDbServers } from './servers.ts'

/** The PuppetDB settings, and the client factory. */
export interface PuppetDbParts {
  readonly config: PuppetDbConfig
  /** Creates a client with the current certificate files of this server. */
  client(): Promise<HttpClient>
  /** Called when a server does not respond, and when a failed command is ignored. */
  warn(message: string): void
}

/** PuppetDB's response to an accepted command. */
interface AcceptedCommand {
  readonly uuid: string
  readonly processed: CommandOutcome | undefined
}

/** A store that keeps its data in one or several PuppetDB servers. */
export class PuppetDbStore implements NodeStore {
  readonly #parts: PuppetDbParts
  readonly #servers: PuppetDbServers
  readonly #slots: Slots
  #http: HttpClient

  private constructor(parts: PuppetDbParts, http: HttpClient) {
    this.#parts = parts
    this.#http = http
    this.#servers = new PuppetDbServers(parts.config, parts.warn)
    const { puppetDbRequests, puppetDbWait } = budgets.store
    const limits = { atOnce: puppetDbRequests.bound, waitMs: puppetDbWait.bound }
    this.#slots = new Slots(limits, () => createPuppetError(puppetDbIssues.PUPPETDB_TOO_MANY, {}))
  }

  /** Opens the store without connecting. Throws if this server's certificate cannot be read. */
  static async open(parts: PuppetDbParts): Promise<PuppetDbStore> {
    return new PuppetDbStore(parts, await parts.client())
  }

  get includesUnchanged(): boolean {
    return this.#parts.config.includeUnchangedResources
  }

  /**
   * Sends a command; returns its UUID and calls `processed` when PuppetDB has accepted the command.
   * Throws PUPPETDB_UNREACHED and PUPPETDB_REFUSED.
   */
  async submit(command: SubmittedCommand, processed?: () => void): Promise<string | undefined> {
    try {
      const { uuid } = await this.#tell(command)
      processed?.()
      return uuid
    } catch (error) {
      if (!this.#parts.config.softWriteFailure || !(error instanceof PuppetError)) throw error
      const name = command.name.replaceAll(' ', '_')
      this.#parts.warn(
        `'${name}' command for ${toPrintable(command.certname)} failed during submission to PuppetDB: ${error.diagnostic.message}`,
      )
      processed?.()
      return undefined
    }
  }

  async submitAndWait(command: SubmittedCommand, milliseconds: number): Promise<AcceptedCommand> {
    return this.#tell(command, Math.min(milliseconds, budgets.store.puppetDbCommandTime.bound))
  }

  /**
   * Queries the first PuppetDB server that responds. Throws INVALID_QUERY, PUPPETDB_UNREACHED and
   * PUPPETDB_REFUSED.
   */
  async ask(question: QueryRequest): Promise<StoreResponse | undefined> {
    const asked = buildQueryRequest(question)
    if (!asked) return undefined
    const { path, ...request } = asked
    const attempt = (server: URL, signal: AbortSignal) =>
      this.#http.stream(new URL(path, server), { ...request, signal })
    try {
      const { headers, body } = await this.#slots.run(() => this.#servers.ask({ path, attempt }))
      const total = headers['x-records']
      return { status: 200, total: total === undefined ? undefined : Number(total), pieces: streamPieces(body) }
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error
      if (error.status === 400) return throwInvalidQuery(error.text)
      if (error.status === 404) return { status: 404, total: undefined, pieces: streamSinglePiece(error.text) }
      return throwRefusal(error)
    }
  }

  async reload(): Promise<void> {
    const before = this.#http
    this.#http = await this.#parts.client()
    await before.close()
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #tell(command: SubmittedCommand, waitMs?: number): Promise<AcceptedCommand> {
    return this.#slots.run(async () => {
      const { path, ...request } = await buildCommandRequest(command, waitMs)
      const attempt = async (server: URL, signal: AbortSignal) => {
        const sent = this.#http.send(new URL(path, server), { ...request, signal })
        return parseCommandResponse(await sent.then(({ body }) => body.toString('utf8'), getTimeoutResponse))
      }
      try {
        return await this.#servers.tell({ path, attempt, extraMs: waitMs ?? 0 })
      } catch (error) {
        return error instanceof ResponseError ? throwRefusal(error) : Promise.reject(error)
      }
    })
  }
}

/**
 * True for PuppetDB's error response about a command that it accepted but did not process within
 * the requested time.
 */
function getTimeoutResponse(error: unknown): string {
  if (hasResponseStatus(error, 503) && error.reason.includes('"timed_out"')) return error.reason
  throw error
}

/** Parses PuppetDB's response to a command. Throws PUPPETDB_ANSWER. */
function parseCommandResponse(text: string): AcceptedCommand {
  const { uuid, timed_out: late, error } = parseJsonObject(text)
  if (typeof uuid !== 'string' || !/^[\da-fA-F-]{36}$/.test(uuid))
    return throwIssue(puppetDbIssues.PUPPETDB_ANSWER, { why: 'it contains no UUID of the command' })
  if (late === true) return { uuid, processed: undefined }
  return { uuid, processed: { problem: typeof error === 'string' ? toPrintable(error) : undefined } }
}

function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json === 'object' && json !== null) return json as Readonly<Record<string, unknown>>
  } catch {}
  return throwIssue(puppetDbIssues.PUPPETDB_ANSWER, { why: 'it is not a JSON object' })
}

function throwRefusal({ status, reason }: ResponseError): never {
  const phrase = STATUS_CODES[status] ?? ''
  return throwIssue(puppetDbIssues.PUPPETDB_REFUSED, {
    status,
    reason: phrase,
    body: toPrintable(reason.replace(/[\r\n]+/g, ' ')),
  })
}

/**
 * Yields a response in pieces. Destroys the connection if the reader stops, or if the whole
 * response takes too long. Throws PUPPETDB_BROKEN.
 */
async function* streamPieces(body: HttpStream['body']): AsyncIterable<string> {
  const { bound } = budgets.store.queryTime
  const abortLateResponse = () => body.destroy(new Error(`it took more than ${bound / 1000} seconds`))
  const timer = setTimeout(abortLateResponse, bound).unref()
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true })
      if (text !== '') yield text
    }
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } catch (error) {
    throwIssue(puppetDbIssues.PUPPETDB_BROKEN, { why: toPrintable((error as Error).message) })
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
}
