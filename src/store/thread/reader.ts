import type { ChildProcess } from 'node:child_process'
import { budgets } from '../../base/budgets/budgets.ts'
import { forkOwn } from '../../base/threads/own-process.ts'
import type { ReaderMessage, ReaderRequest, StoreThreadData } from './messages.ts'

interface Waiting {
  heard(message: ReaderMessage): void
  readonly timer: NodeJS.Timeout
}

const megabyte = 1024 * 1024

/** A process that answers questions. Where it takes too long over one, it is ended. */
export class Reader {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  /** Answers of which more may be asked for. */
  readonly #open = new Set<number>()
  readonly #ended: (reader: Reader) => void
  readonly #queryTimeMs: number
  #hasEnded = false

  /** @param ended Told when the process has ended, by itself or by us. */
  constructor(data: StoreThreadData, ended: (reader: Reader) => void) {
    this.#ended = ended
    this.#queryTimeMs = data.queryTimeMs
    const heap = Math.floor(budgets.store.readerMemory.bound / megabyte)
    this.#process = forkOwn(new URL('./reader-process.js', import.meta.url), {
      execArgv: [`--max-old-space-size=${heap}`],
    })
    this.#process.on('message', (message: ReaderMessage) => this.#hear(message))
    this.#process.on('error', (error) => this.end(error.message))
    this.#process.on('exit', () => this.end('its process ended'))
    this.#send({ kind: 'open', data })
    this.#hold()
  }

  /** True where nobody waits for it. */
  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  /** Answers that are being read. */
  get answers(): number {
    return this.#open.size
  }

  /** Its word on a request, once. An answer that is begun is read to its end, or stopped. */
  request(request: Exclude<ReaderRequest, { kind: 'open' | 'stop' }>): Promise<ReaderMessage> {
    const { id } = request
    if (this.#hasEnded) return Promise.resolve({ kind: 'failed', id, message: 'its process ended' })
    return new Promise((heard) => {
      const timer = setTimeout(() => this.end('it took too long'), this.#queryTimeMs)
      this.#waiting.set(id, { heard, timer })
      this.#hold()
      this.#send(request)
    })
  }

  /** Lets go of an answer. */
  stop(id: number): void {
    this.#open.delete(id)
    this.#send({ kind: 'stop', id })
  }

  /** Ends the process; who waits for it is told why. */
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

  /** Keeps us alive for as long as an answer is to come. */
  #hold(): void {
    for (const each of [this.#process, this.#process.channel]) this.#waiting.size > 0 ? each?.ref() : each?.unref()
  }
}
