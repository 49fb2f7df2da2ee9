import { randomUUID } from 'node:crypto'
import { access, mkdir } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, defineIssues, throwIssue } from '../../base/issue.ts'
import type { CommandOutcome, NodeStore, ReplicaState, StoreResponse, SubmittedCommand } from '../node-store.ts'
import type { OrderRows } from '../orders/order-rows.ts'
import type { QueryRequest } from '../query/execution.ts'
import { Journal } from '../queue/journal.ts'
import { defaultTimes, type RetentionTimes } from '../retention/times.ts'
import type { RolloutRows } from '../rollouts/rollout-rows.ts'
import { getDatabaseLocation, type WriterData, type WriterMessage } from './messages.ts'
import { getQueueFolder, getServerName } from './queue-folder.ts'
import { ReaderPool } from './reader-pool.ts'
import { findReplica } from './replica-watch.ts'
import { createOrderCalls, createRolloutCalls, RowCalls } from './row-calls.ts'
import { ThreadUpkeep } from './thread-upkeep.ts'
import { startWriterThread, type WriterThread } from './writer-start.ts'

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
  /** URLs of the database's read replicas. */
  readonly replicas?: readonly string[]
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
  /** Called when a read replica becomes unusable, with the reason, or usable again. */
  replicaChanged?(name: string, problem: string | undefined): void
}

/** A read-only store. */
export type ReadableStore = Pick<NodeStore, 'ask' | 'close'>

/** Milliseconds to wait before a dead writer thread is restarted. */
const restartMs = 1000

/**
 * A store with the data of all nodes. A command is on the disk when it is acknowledged; a thread
 * writes it to the database later. Processes run the queries. No method blocks the calling thread.
 */
export class Store implements NodeStore {
  readonly #journal: Journal
  readonly #readers: ReaderPool
  readonly #options: StoreOptions
  readonly #data: WriterData
  readonly #waited = new Map<string, (processed: CommandOutcome) => void>()
  readonly #caughtUp: Promise<void>
  readonly upkeep: ThreadUpkeep
  readonly orders: OrderRows
  readonly rollouts: RolloutRows
  readonly #rowCalls: RowCalls
  #writer: WriterThread
  #sayCaughtUp = () => {}
  #isStuck = false
  #isClosed = false

  private constructor(journal: Journal, writer: WriterThread, data: WriterData, options: StoreOptions) {
    const { times: _, gcInterval: __, ...forReaders } = data
    this.#journal = journal
    this.#readers = new ReaderPool(forReaders, () => this.upkeep.chooseReplica())
    this.#options = options
    this.#data = data
    this.#caughtUp = new Promise((done) => (this.#sayCaughtUp = done))
    this.upkeep = new ThreadUpkeep((request) => this.#writer.worker.postMessage(request), this.#readers)
    this.#rowCalls = new RowCalls((call) => this.#writer.worker.postMessage(call))
    this.orders = createOrderCalls(this.#rowCalls)
    this.rollouts = createRolloutCalls(this.#rowCalls)
    this.#writer = this.#watched(writer)
  }

  /**
   * Opens a store and creates it if missing. If PostgreSQL is unavailable, commands wait on disk
   * and queries fail until it is reachable. Throws STORE_UNAVAILABLE.
   */
  static async open(options: StoreOptions): Promise<Store> {
    const queue = getQueueFolder(options.folder)
    await mkdir(queue, { recursive: true, mode: 0o700 })
    const times = options.times ?? defaultTimes
    const data = {
      database: getDatabaseLocation(options.folder, options.postgresql, options.replicas),
      ...{ queue, server: await getServerName(queue) },
      nodePurgeTtl: getPurgeTtl(times),
      queryTimeMs: options.queryTimeMs ?? budgets.store.queryTime.bound,
      ...{ times, gcInterval: options.gcInterval ?? Number.POSITIVE_INFINITY },
    }
    const journal = await Journal.open(data.queue)
    const writer = startWriterThread(data)
    const heard = await waitForWriter(writer.worker).catch(async (error: unknown) => {
      await journal.close()
      throw error
    })
    const store = new Store(journal, writer, data, options)
    store.#heard(heard)
    return store
  }

  /**
   * Opens a store for queries only; another process may write to it meanwhile. Throws
   * STORE_UNAVAILABLE.
   */
  static async openToAsk({ folder, postgresql, replicas, times = defaultTimes }: StoreOptions): Promise<ReadableStore> {
    const database = getDatabaseLocation(folder, postgresql, replicas)
    if (database.kind === 'sqlite')
      await access(database.file).catch(({ message }: Error) =>
        throwIssue(issues.STORE_UNAVAILABLE, { detail: message }),
      )
    const queryTimeMs = budgets.store.queryTime.bound
    const data = { database, queue: getQueueFolder(folder), server: '', nodePurgeTtl: getPurgeTtl(times), queryTimeMs }
    let found: Promise<number | undefined> | undefined
    return new ReaderPool(data, () => (found ??= findReplica(database)))
  }

  /** Queues a command, and returns its UUID when the command is on the disk. Throws QUEUE_FULL. */
  async submit(command: SubmittedCommand, processed?: () => void): Promise<string> {
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
    command: SubmittedCommand,
    milliseconds: number,
  ): Promise<{ readonly uuid: string; readonly processed: CommandOutcome | undefined }> {
    const uuid = randomUUID()
    let timer: NodeJS.Timeout | undefined
    const processed = new Promise<CommandOutcome | undefined>((done) => {
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
  ask(question: QueryRequest, signal?: AbortSignal): Promise<StoreResponse | undefined> {
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

  async #append(uuid: string, command: SubmittedCommand): Promise<void> {
    const bytes = await this.#journal.append({ ...command, uuid, received: new Date().toISOString() })
    this.upkeep.waits({ commands: 1, bytes })
    this.#writer.worker.postMessage({ kind: 'more' })
  }

  /** Makes the writer remove a segment that was ended because the queue is empty. */
  async #rest(): Promise<void> {
    if (!this.#isClosed && (await this.#journal.rest()) && !this.#isClosed)
      this.#writer.worker.postMessage({ kind: 'more' })
  }

  #watched(writer: WriterThread): WriterThread {
    writer.worker.on('message', (message: WriterMessage) => this.#heard(message))
    let isDead = false
    // A failing thread emits `error` and then `exit`.
    const reportDeath = (why: string) => {
      if (!isDead) this.#died(writer, why)
      isDead = true
    }
    writer.worker.once('error', (error: Error) => reportDeath(error.message))
    writer.worker.once('exit', () => reportDeath('its thread exited'))
    return writer
  }

  /** Restarts a writer thread that died. No commands are lost, because the queue is on the disk. */
  #died(writer: WriterThread, why: string): void {
    if (this.#isClosed || this.#writer !== writer) return
    this.upkeep.giveUp(why)
    this.#rowCalls.giveUp(why)
    this.#saysStuck(why)
    setTimeout(() => {
      if (!this.#isClosed) this.#writer = this.#watched(startWriterThread(this.#data))
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

  #reportReplicas(states: readonly ReplicaState[]): void {
    const before = this.upkeep.figures().replicas
    for (const [at, { name, problem }] of states.entries())
      if ((before[at]?.problem === undefined) !== (problem === undefined)) this.#options.replicaChanged?.(name, problem)
  }

  #heard(message: WriterMessage): void {
    const { discarded, notCollected } = this.#options
    if (message.kind === 'replicas') this.#reportReplicas(message.states)
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
      case 'rows':
        this.#rowCalls.heard(message.id, message.outcome)
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
function getPurgeTtl({ nodePurgeTtl }: RetentionTimes): number {
  return Math.min(nodePurgeTtl, Date.now())
}

/**
 * Resolves with the writer's first message about its database. If no message arrives in time,
 * resolves with the message that the database is unavailable.
 */
function waitForWriter(worker: Worker): Promise<WriterMessage> {
  return new Promise((done, failed) => {
    const rejectStart = (error: Error) => {
      clearTimeout(late)
      failed(createPuppetError(issues.STORE_UNAVAILABLE, { detail: error.message }))
    }
    const handleMessage = (message: WriterMessage) => {
      clearTimeout(late)
      if (message.kind === 'reached') return
      worker.off('message', handleMessage)
      worker.off('error', rejectStart)
      done(message)
    }
    const silent = { kind: 'away', problem: 'it does not respond', waiting: { commands: 0, bytes: 0 } } as const
    const late = setTimeout(() => handleMessage(silent), budgets.store.openTime.bound)
    worker.once('error', rejectStart)
    worker.on('message', handleMessage)
  })
}
