import { randomUUID } from 'node:crypto'
import { access, mkdir } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, errorOf, fail } from '../../base/issue.ts'
import type { NodeStore, Processed, StoreAnswer, Submitted } from '../node-store.ts'
import type { Question } from '../query/answer.ts'
import { Journal } from '../queue/journal.ts'
import { type RetentionTimes, usualTimes } from '../retention/times.ts'
import { placeOf, type WriterData, type WriterMessage } from './messages.ts'
import { OwnUpkeep } from './own-upkeep.ts'
import { queueIn, serverName } from './places.ts'
import { Readers } from './readers.ts'
import { type StartedThread, startThread } from './started-thread.ts'

const issues = defineIssues({
  STORE_UNAVAILABLE: {
    text: (a: { detail: string }) => `Could not open the store: ${a.detail}`,
  },
})

/** Folder and database of a store, and callbacks for its failures. */
export interface StoreOptions {
  /** Folder of the queue, and of the SQLite file. */
  readonly folder: string
  /** URL of a PostgreSQL database; an SQLite file in the folder if absent. */
  readonly postgresql?: string
  /** Retention times; by default those of PuppetDB. */
  readonly times?: RetentionTimes
  /** Milliseconds between two scheduled collections; if absent, no collections are scheduled. */
  readonly gcInterval?: number
  /** Time limit of a query in milliseconds; by default the budget. */
  readonly queryTimeMs?: number
  /**
   * Called once when the database becomes unavailable or full. Commands wait in the queue and are
   * retried.
   */
  stuck?(problem: string): void
  /** Called when the database accepts commands again. */
  recovered?(): void
  /** Called for each discarded command. */
  discarded?(uuid: string, problem: string): void
  /** Called when a collection failed. */
  notCollected?(problem: string): void
}

/** A read-only store. */
export type ToAsk = Pick<NodeStore, 'ask' | 'close'>

/** Milliseconds to wait before a dead writer thread is restarted. */
const restartMs = 1000

/**
 * A store with the data of all nodes. A command is on the disk when it is acknowledged; a thread
 * writes it to the database later. Processes run the queries. No method blocks the calling thread.
 */
export class Store implements NodeStore {
  readonly #journal: Journal
  readonly #readers: Readers
  readonly #options: StoreOptions
  readonly #data: WriterData
  readonly #waited = new Map<string, (processed: Processed) => void>()
  readonly #caughtUp: Promise<void>
  readonly upkeep: OwnUpkeep
  #writer: StartedThread
  #sayCaughtUp = () => {}
  #isStuck = false
  #isClosed = false

  private constructor(journal: Journal, writer: StartedThread, data: WriterData, options: StoreOptions) {
    const { times: _, gcInterval: __, ...forReaders } = data
    this.#journal = journal
    this.#readers = new Readers(forReaders)
    this.#options = options
    this.#data = data
    this.#caughtUp = new Promise((done) => (this.#sayCaughtUp = done))
    this.upkeep = new OwnUpkeep((request) => this.#writer.worker.postMessage(request), this.#readers)
    this.#writer = this.#watched(writer)
  }

  /**
   * Opens a store and creates it if missing. If PostgreSQL is unavailable, commands wait on disk
   * and queries fail until it is reachable. Throws STORE_UNAVAILABLE.
   */
  static async open(options: StoreOptions): Promise<Store> {
    const queue = queueIn(options.folder)
    await mkdir(queue, { recursive: true, mode: 0o700 })
    const times = options.times ?? usualTimes
    const data = {
      database: placeOf(options.folder, options.postgresql),
      ...{ queue, server: await serverName(queue) },
      nodePurgeTtl: purgeTtl(times),
      queryTimeMs: options.queryTimeMs ?? budgets.store.queryTime.bound,
      ...{ times, gcInterval: options.gcInterval ?? Number.POSITIVE_INFINITY },
    }
    const journal = await Journal.open(data.queue)
    const writer = startThread(data)
    const heard = await firstWord(writer.worker)
    const store = new Store(journal, writer, data, options)
    store.#heard(heard)
    return store
  }

  /**
   * Opens a store for queries only; another process may write to it meanwhile. Throws
   * STORE_UNAVAILABLE.
   */
  static async openToAsk({ folder, postgresql, times = usualTimes }: StoreOptions): Promise<ToAsk> {
    const database = placeOf(folder, postgresql)
    if (database.kind === 'sqlite')
      await access(database.file).catch(({ message }: Error) => fail(issues.STORE_UNAVAILABLE, { detail: message }))
    const queryTimeMs = budgets.store.queryTime.bound
    return new Readers({ database, queue: queueIn(folder), server: '', nodePurgeTtl: purgeTtl(times), queryTimeMs })
  }

  /** Queues a command, and returns its UUID when the command is on the disk. Throws QUEUE_FULL. */
  async submit(command: Submitted, processed?: () => void): Promise<string> {
    const uuid = randomUUID()
    if (processed) this.#waited.set(uuid, processed)
    try {
      await this.#append(uuid, command)
    } catch (error) {
      this.#waited.delete(uuid)
      throw error
    }
    return uuid
  }

  /**
   * Queues a command and waits until it is stored or discarded. If the timeout ends first,
   * `processed` is `undefined`.
   */
  async submitAndWait(
    command: Submitted,
    milliseconds: number,
  ): Promise<{ readonly uuid: string; readonly processed: Processed | undefined }> {
    const uuid = randomUUID()
    let timer: NodeJS.Timeout | undefined
    const processed = new Promise<Processed | undefined>((done) => {
      this.#waited.set(uuid, done)
      timer = setTimeout(() => done(undefined), Math.min(milliseconds, 0x7fffffff))
    })
    try {
      await this.#append(uuid, command)
      return { uuid, processed: await processed }
    } finally {
      clearTimeout(timer)
      this.#waited.delete(uuid)
    }
  }

  /** Runs a query; the response has PuppetDB's format. Throws INVALID_QUERY and QUERY_FAILED. */
  ask(question: Question, signal?: AbortSignal): Promise<StoreAnswer | undefined> {
    return this.#readers.ask(question, signal)
  }

  /** Resolves when all commands that were queued when this store was opened are stored. */
  caughtUp(): Promise<void> {
    return this.#caughtUp
  }

  /** Ends the writer and the readers. Queued commands are applied after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#journal.close()
    await Promise.all([this.#writer.end(), this.#readers.close()])
  }

  async #append(uuid: string, command: Submitted): Promise<void> {
    const bytes = await this.#journal.append({ ...command, uuid, received: new Date().toISOString() })
    this.upkeep.waits({ commands: 1, bytes })
    this.#writer.worker.postMessage({ kind: 'more' })
  }

  /** Makes the writer remove a segment that was ended because the queue is empty. */
  async #rest(): Promise<void> {
    if (!this.#isClosed && (await this.#journal.rest()) && !this.#isClosed)
      this.#writer.worker.postMessage({ kind: 'more' })
  }

  #watched(writer: StartedThread): StartedThread {
    writer.worker.on('message', (message: WriterMessage) => this.#heard(message))
    let isDead = false
    // A failing thread emits `error` and then `exit`.
    const died = (why: string) => {
      if (!isDead) this.#died(writer, why)
      isDead = true
    }
    writer.worker.once('error', (error: Error) => died(error.message))
    writer.worker.once('exit', () => died('its thread ended'))
    return writer
  }

  /** Restarts a writer thread that died. No commands are lost, because the queue is on the disk. */
  #died(writer: StartedThread, why: string): void {
    if (this.#isClosed || this.#writer !== writer) return
    this.upkeep.giveUp(why)
    this.#saysStuck(why)
    setTimeout(() => {
      if (!this.#isClosed) this.#writer = this.#watched(startThread(this.#data))
    }, restartMs).unref()
  }

  #saysStuck(problem: string): void {
    if (!this.#isStuck) this.#options.stuck?.(problem)
    this.#isStuck = true
  }

  #saysRecovered(): void {
    if (this.#isStuck) this.#options.recovered?.()
    this.#isStuck = false
  }

  #heard(message: WriterMessage): void {
    const { discarded, notCollected } = this.#options
    this.upkeep.heard(message)
    switch (message.kind) {
      case 'ready':
        this.#journal.keeps(message.waiting.bytes)
        this.#saysRecovered()
        break
      case 'away':
        this.#journal.keeps(message.waiting.bytes)
        this.#saysStuck(message.problem)
        break
      case 'idle':
        this.#sayCaughtUp()
        break
      case 'processed':
        if (message.problem !== undefined) discarded?.(message.uuid, message.problem)
        this.#waited.get(message.uuid)?.({ problem: message.problem })
        this.#waited.delete(message.uuid)
        break
      case 'applied':
        this.#journal.applied(message.bytes)
        void this.#rest()
        this.#saysRecovered()
        break
      case 'stuck':
        this.#saysStuck(message.problem)
        break
      case 'not collected':
        notCollected?.(message.problem)
    }
  }
}

/**
 * Milliseconds after which an inactive node is omitted from query results. The value is finite,
 * because JSON has no infinity.
 */
function purgeTtl({ nodePurgeTtl }: RetentionTimes): number {
  return Math.min(nodePurgeTtl, Date.now())
}

/**
 * Resolves with the writer's first message about its database. If no message arrives in time,
 * resolves with the message that the database is unavailable.
 */
function firstWord(worker: Worker): Promise<WriterMessage> {
  return new Promise((done, failed) => {
    const refused = (error: Error) => {
      clearTimeout(late)
      failed(errorOf(issues.STORE_UNAVAILABLE, { detail: error.message }))
    }
    const hear = (message: WriterMessage) => {
      clearTimeout(late)
      if (message.kind === 'reached') return
      worker.off('message', hear)
      worker.off('error', refused)
      done(message)
    }
    const silent = { kind: 'away', problem: 'it does not answer', waiting: { commands: 0, bytes: 0 } } as const
    const late = setTimeout(() => hear(silent), budgets.store.openTime.bound)
    worker.once('error', refused)
    worker.on('message', hear)
  })
}
