import { createPuppetError } from '../../base/issue.ts'
import type { CompiledCatalog, CompileJob, WorkerAnswer } from './compile-job.ts'
import type { CompileThread } from './compile-thread.ts'
import { poolIssues } from './issues.ts'
import type { ThreadState } from './pool-options.ts'

/** Receives the results of a background job's thread. */
export interface LaneOwner {
  answered(answer: WorkerAnswer): void
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
}

/** An idle thread is ended after this number of milliseconds, to release its memory. */
const idleMs = 120_000

/**
 * Runs jobs for which no client waits. These jobs have their own threads with low priority, so that they never occupy a
 * thread for requests. No job starts while a request waits for a thread.
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

  /** Assigns waiting jobs to threads, unless a request waits for a thread. */
  assign(): void {
    for (const task of this.#waiting) {
      if (this.#closed || !this.#options.mayBegin()) return
      const seat = this.#freeSeat()
      if (!seat) return
      this.#waiting.delete(task)
      this.#begin(seat, task)
    }
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
      answered: (answer) => this.#finish(seat, ({ resolve }) => resolve(this.#options.catalogOf(answer))),
      lost: (why) => {
        this.#seats.delete(seat)
        this.#finish(seat, ({ job, reject }) => reject(why(job)))
      },
    })
    const seat: Seat = { number: this.#nextThread++, thread, task: undefined, timer: undefined, isOld: false }
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
    this.assign()
  }

  #end(seat: Seat): Promise<number> {
    clearTimeout(seat.timer)
    seat.task = undefined
    this.#seats.delete(seat)
    return seat.thread.end()
  }
}
