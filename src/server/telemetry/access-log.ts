import { destination } from 'pino'
import { budgets } from '../../base/budgets/budgets.ts'
import { toPrintable, toPrintableJson } from '../../base/text/printable.ts'
import { formatClientName } from '../http/client.ts'
import type { EndedRequest, RequestObserver } from './request-observer.ts'

/** Path and format of an access log. */
export interface AccessLogSettings {
  /** Path of the log file; `none` or empty disables the log. */
  readonly access_log: string
  readonly access_log_format: 'combined' | 'json'
}

/** Callbacks of an access log. */
export interface AccessLogCallbacks {
  warn(message: string): void
  /** Called for each lost line. */
  lost(): void
}

type File = ReturnType<typeof destination>

/** Longest time a line stays in the buffer, in milliseconds. */
const flushMs = 1000
/** Minimum interval between warnings about the access log, in milliseconds. */
const quietMs = 60_000

/**
 * Writes one line per request to a file. If the disk is full or slow, lines are lost; requests are
 * not delayed.
 */
export class AccessLog implements RequestObserver {
  readonly #voices: AccessLogCallbacks
  #place: AccessLogSettings = { access_log: 'none', access_log_format: 'combined' }
  #file: File | undefined
  #silentUntil = 0

  constructor(voices: AccessLogCallbacks) {
    this.#voices = voices
  }

  /** Switches to another file or format. Lines already logged still go to the old file. */
  use({ access_log, access_log_format }: AccessLogSettings): void {
    const isElsewhere = access_log !== this.#place.access_log
    this.#place = { access_log, access_log_format }
    if (!isElsewhere) return
    this.#file?.end()
    this.#file = access_log === '' || access_log === 'none' ? undefined : this.#open(access_log)
  }

  /** Reopens the file after log rotation. */
  reopen(): void {
    this.#file?.reopen()
  }

  ended(request: EndedRequest): void {
    this.#file?.write(this.#place.access_log_format === 'json' ? formatJsonLine(request) : formatCombinedLine(request))
  }

  /** Resolves when all lines are written or have failed. */
  close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (!file) return Promise.resolve()
    return new Promise((done) => {
      file.once('close', done)
      file.once('error', () => done())
      // A file that never opened emits no `close`.
      setTimeout(done, flushMs).unref()
      file.end()
    })
  }

  #open(path: string): File {
    const { bound } = budgets.telemetry.logBuffer
    const options = { dest: path, sync: false, mkdir: true, mode: 0o640, maxLength: bound, periodicFlush: flushMs }
    const file = destination(options as Parameters<typeof destination>[0])
    // When the process exits, pino flushes each file synchronously, which throws for a file that never opened.
    file.flushSync = () => {}
    file.once('ready', () => delete (file as Partial<File>).flushSync)
    file.on('error', (error: Error) => this.#trouble(`Could not write the access log: ${error.message}`))
    file.on('drop', () => {
      this.#voices.lost()
      this.#trouble('The access log is too slow: lines are lost')
    })
    return file
  }

  #trouble(message: string): void {
    if (performance.now() < this.#silentUntil) return
    this.#silentUntil = performance.now() + quietMs
    this.#voices.warn(message)
  }
}

/**
 * `ADDRESS - CERTNAME [TIME] "METHOD PATH PROTOCOL" STATUS BYTES "REFERER" "AGENT" MILLISECONDS
 * RECEIVED ID`: the format of Puppet Server's request-logging.xml, with the request id appended and
 * without the query.
 */
export function formatCombinedLine(request: EndedRequest): string {
  const { id, method, httpVersion, status, ms, client, userAgent, received, sent } = request
  const name = client.certname ?? client.token?.name
  const who = name === undefined ? '-' : quoteField(name).replaceAll(' ', '\\x20')
  const what = `"${method} ${quoteField(request.path)} HTTP/${httpVersion}"`
  const from = `${client.address} - ${who} [${formatClfTime(new Date())}]`
  return `${from} ${what} ${status} ${sent ?? '-'} "-" "${quoteField(userAgent ?? '-')}" ${Math.round(ms)} ${received ?? '-'} ${id}\n`
}

/** Formats a log line as JSON. */
export function formatJsonLine(request: EndedRequest): string {
  const { id, method, status, ms, client, received, sent } = request
  const line = {
    time: new Date().toISOString(),
    request: id,
    address: client.address,
    client: formatClientName(client),
    method,
    path: truncateField(request.path),
    status,
    ms: Math.round(ms),
    received,
    sent,
    agent: request.userAgent === undefined ? undefined : truncateField(request.userAgent),
  }
  return `${toPrintableJson(JSON.stringify(line))}\n`
}

function truncateField(text: string): string {
  return text.slice(0, budgets.telemetry.logField.bound)
}

/**
 * Client text for a quoted field; quotes, backslashes and control characters become escapes such as
 * `\x22`.
 */
function quoteField(text: string): string {
  return toPrintable(truncateField(text).replace(/["\\]/g, (char) => (char === '"' ? '\\x22' : '\\x5c')))
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Time in the Common Log Format, in UTC. */
function formatClfTime(time: Date): string {
  const [, year, month, day, clock] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(time.toISOString())!
  return `${day}/${months[Number(month) - 1]}/${year}:${clock} +0000`
}
