import type { ChildProcess } from 'node:child_process'
import { budgets } from '../../base/budgets/budgets.ts'
import { forkScript } from '../../base/program/script-process.ts'
import type { ReaderMessage, ReaderRequest, StoreThreadData } from './messages.ts'

interface PendingRequest {
  heard(message: ReaderMessage): void
  readonly timer: NodeJS.Timeout
}

const megabyte = 1024 * 1024

/** A child process that runs queries. A process whose query exceeds the time limit is killed. */
export class QueryReader {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, PendingRequest>()
  /** Ids of responses that were not read to their end yet. */
  readonly #open = new Set<number>()
  readonly #ended: (reader: QueryReader) => void
  readonly #queryTimeMs: number
  #hasEnded = false

  /** @param ended Called when the process has ended or was killed. */
  constructor(data: StoreThreadData, ended: (reader: QueryReader) => void) {
    this.#ended = ended
    this.#queryTimeMs = data.queryTimeMs
    this.#process = forkScript(new URL('./reader-process.js', import.meta.url), {
      heapMb: Math.floor(budgets.store.readerMemory.bound / megabyte),
    })
    this.#process.on('message', (message: ReaderMessage) => this.#hear(message))
    this.#process.on('error', (error) => this.end(error.message))
    this.#process.on('exit', () => this.end('its process exited'))
    this.#send({ kind: 'open', data })
    this.#hold()
  }

  /** True if this reader has no pending request. */
  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  /** Number of responses that are being read. */
  get answers(): number {
    return this.#open.size
  }

  /**
   * Sends a request and resolves with the first reply. The caller must read a started response to
   * its end, or stop it.
   */
  request(request: Exclude<ReaderRequest, { kind: 'open' | 'stop' }>): Promise<ReaderMessage> {
    const { id } = request
    if (this.#hasEnded) return Promise.resolve({ kind: 'failed', id, message: 'its process exited' })
    return new Promise((heard) => {
      const timer = setTimeout(() => this.end('it exceeded the time limit'), this.#queryTimeMs)
      this.#waiting.set(id, { heard, timer })
      this.#hold()
      this.#send(request)
    })
  }

  /** Releases a response that was not read to its end. */
  stop(id: number): void {
    this.#open.delete(id)
    this.#send({ kind: 'stop', id })
  }

  /** Kills the process; pending requests fail with the reason. */
  end(why: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#process.kill('SIGKILL')
    for (const id of [...this.#waiting.keys()]) this.#hear({ kind: 'failed', id, message: why })
    this.#ended(this)
  }

  #hear(message: ReaderMessage): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'head' && !message.isLast) this.#open.add(message.id)
    else if (message.kind !== 'piece' || message.isLast) this.#open.delete(message.id)
    this.#hold()
    clearTimeout(waiting?.timer)
    waiting?.heard(message)
  }

  #send(request: ReaderRequest): void {
    if (this.#process.connected) this.#process.send(request, () => {})
  }

  /** Keeps the event loop alive while a request is pending. */
  #hold(): void {
    for (const each of [this.#process, this.#process.channel]) this.#waiting.size > 0 ? each?.ref() : each?.unref()
  }
}
