import { LRUCache } from 'lru-cache'
import { createPuppetError } from '../../base/issue.ts'
import type { CompiledCatalog, CompileJob, WorkerAnswer } from './compile-job.ts'
import type { CompileThread } from './compile-thread.ts'
import { poolIssues } from './issues.ts'
import type { ThreadState } from './pool-options.ts'

/** Receives the results of a background job's thread. */
export interface LaneOwner {
  answered(answer: WorkerAnswer, ms: number): void
  lost(why: (job: CompileJob) => Error): void
}

/** Options of a background lane. */
export interface LaneOptions {
  /** Largest number of concurrent jobs. */
  readonly threads: number
  /** Starts a thread; the thread has low priority. */
  start(owner: LaneOwner): CompileThread
  /** Returns true if a background job may start; false while a request waits for a thread. */
  mayBegin(): boolean
  /** Number of compile threads that the requests leave idle; jobs ahead of requests use as many processors. */
  countIdle(): number
  /** True if a request waits for the end of this job. */
  isAwaited(job: CompileJob): boolean
  /** Called when a job has ended; must call `assign`. */
  ended(): void
  /** Returns the catalog in a reply. Throws if the job failed. */
  catalogOf(answer: WorkerAnswer): CompiledCatalog
}

/** Properties of a caller that waits for a job. */
interface Waiting {
  readonly signal?: AbortSignal | undefined
  readonly endsWork?: boolean | undefined
}

interface Task {
  readonly id: number
  readonly job: CompileJob
  resolve(catalog: CompiledCatalog): void
  reject(error: unknown): void
}

interface Seat {
  readonly number: number
  readonly thread: CompileThread
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
  /** True to end the thread after its current job. */
  isOld: boolean
  /** Milliseconds of the thread's last compilation for each environment. */
  readonly took: LRUCache<string, number>
}

/** An idle thread is ended after this number of milliseconds, to release its memory. */
const idleMs = 120_000
/** Number of environments that are remembered for each thread. */
const mostKnown = 100

/**
 * Runs jobs for which no client waits. These jobs have their own threads with low priority, so that they never occupy a
 * thread for requests. No job starts while a request waits for a thread. Jobs ahead of requests use only processors
 * that requests leave idle: these jobs are paused otherwise. A paused job keeps its thread and its progress.
 */
export class BackgroundLane {
  readonly #options: LaneOptions
  readonly #seats = new Set<Seat>()
  readonly #waiting = new Set<Task>()
  #next = 1
  #nextThread = 1
  #closed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  get hasThreads(): boolean {
    return this.#options.threads > 0
  }

  /** Number of running jobs. */
  get running(): number {
    return [...this.#seats].filter(({ task }) => task).length
  }

  /**
   * Compiles the catalog of a job. Throws if the job fails. If the signal is aborted, a waiting job is dropped. With
   * `endsWork`, a running job is also dropped, and its thread is ended.
   */
  compile(job: CompileJob, { signal, endsWork = false }: Waiting = {}): Promise<CompiledCatalog> {
    let stopListening = () => {}
    const made = new Promise<CompiledCatalog>((resolve, reject) => {
      const task: Task = { id: this.#next++, job, resolve, reject }
      stopListening = () => {
        if (this.#waiting.delete(task) || (endsWork && this.#endWork(task)))
          reject(createPuppetError(poolIssues.CLIENT_GONE, { node: job.node.name }))
      }
      this.#waiting.add(task)
      signal?.addEventListener('abort', stopListening, { once: true })
      if (signal?.aborted) stopListening()
      this.assign()
    })
    // All jobs of a push may share one signal. If its listeners were not removed, they would keep each node's facts in
    // memory.
    return made.finally(() => signal?.removeEventListener('abort', stopListening))
  }

  /**
   * Pauses and resumes jobs ahead of requests, and assigns waiting jobs to threads. Called whenever a request's job
   * arrives, starts or ends.
   */
  assign(): void {
    if (this.#closed) return
    let idle = this.#giveWay()
    for (const task of this.#waiting) {
      if (!this.#options.mayBegin()) return
      if (isAhead(task.job) && idle-- <= 0) continue
      const seat = this.#freeSeat()
      if (!seat) return
      this.#waiting.delete(task)
      this.#begin(seat, task)
    }
  }

  /**
   * Returns the expected number of milliseconds until a running job ahead ends that makes this job's catalog
   * recallable; `undefined` if there is none, or its thread has not compiled this environment before. A job that takes
   * longer than the one before it is expected to take as much longer again.
   */
  expectEnd({ node, environment, codeId, format }: CompileJob): number | undefined {
    if (codeId === undefined || format !== 'rich') return undefined
    const seat = [...this.#seats].find(({ task }) => {
      const job = task && isAhead(task.job) ? task.job : undefined
      return job?.node.name === node.name && job.environment.name === environment.name && job.codeId === codeId
    })
    const took = seat?.took.get(environment.name)
    return seat && took !== undefined ? Math.abs(took - seat.thread.spent) : undefined
  }

  /** Ends idle threads now, and busy threads after their current job; later jobs run in new threads. */
  renew(): void {
    for (const seat of [...this.#seats])
      if (seat.task) seat.isOld = true
      else void this.#end(seat)
  }

  /** Returns the threads and their current work. */
  threads(): readonly ThreadState[] {
    return [...this.#seats].map(({ number, thread }) => ({ number, lane: 'background', work: thread.work() }))
  }

  /** Ends all threads; running and waiting jobs fail. */
  async close(): Promise<void> {
    this.#closed = true
    const seats = [...this.#seats]
    const unfinished = [...this.#waiting, ...seats.flatMap(({ task }) => task ?? [])]
    this.#waiting.clear()
    const ends = seats.map((seat) => this.#end(seat))
    for (const { reject } of unfinished) reject(createPuppetError(poolIssues.COMPILE_POOL_CLOSED, {}))
    await Promise.all(ends)
  }

  /**
   * Pauses jobs ahead that have no idle processor, and resumes the others; returns the number of idle processors left.
   * All jobs ahead continue while another background job waits, since it needs a thread.
   */
  #giveWay(): number {
    const isThreadNeeded = [...this.#waiting].some(({ job }) => !isAhead(job))
    let idle = this.#options.countIdle()
    for (const { task, thread } of this.#seats) {
      if (!task || !isAhead(task.job)) continue
      thread.setPaused(!isThreadNeeded && !this.#options.isAwaited(task.job) && idle <= 0)
      idle--
    }
    return idle
  }

  /** Ends the thread that runs a task; returns false if no thread runs the task. */
  #endWork(task: Task): boolean {
    const seat = [...this.#seats].find((each) => each.task === task)
    if (!seat) return false
    void this.#end(seat).then(() => this.assign())
    return true
  }

  #freeSeat(): Seat | undefined {
    const idle = [...this.#seats].find(({ task }) => !task)
    return idle ?? (this.#seats.size < this.#options.threads ? this.#start() : undefined)
  }

  #start(): Seat {
    const thread = this.#options.start({
      answered: (answer, ms) =>
        this.#finish(seat, ({ job, resolve }) => {
          const catalog = this.#options.catalogOf(answer)
          if (catalog.origin === 'compiled') seat.took.set(job.environment.name, ms)
          resolve(catalog)
        }),
      lost: (why) => {
        this.#seats.delete(seat)
        this.#finish(seat, ({ job, reject }) => reject(why(job)))
      },
    })
    const took = new LRUCache<string, number>({ max: mostKnown })
    const seat: Seat = { number: this.#nextThread++, thread, task: undefined, timer: undefined, isOld: false, took }
    this.#seats.add(seat)
    return seat
  }

  #begin(seat: Seat, task: Task): void {
    clearTimeout(seat.timer)
    seat.task = task
    try {
      seat.thread.begin(task.id, task.job)
    } catch (error) {
      this.#finish(seat, () => {
        throw error
      })
    }
  }

  #finish(seat: Seat, settle: (task: Task) => void): void {
    const { task } = seat
    seat.task = undefined
    if (seat.isOld && this.#seats.has(seat)) void this.#end(seat)
    if (this.#seats.has(seat)) seat.timer = setTimeout(() => void this.#end(seat), idleMs).unref()
    try {
      if (task) settle(task)
    } catch (error) {
      task?.reject(error)
    }
    this.#options.ended()
  }

  #end(seat: Seat): Promise<number> {
    clearTimeout(seat.timer)
    seat.task = undefined
    this.#seats.delete(seat)
    return seat.thread.end()
  }
}

/** True for a job that compiles ahead of a request; somebody waits for the result of any other background job. */
function isAhead({ purpose }: CompileJob): boolean {
  return purpose?.kind === 'trace'
}
