import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, throwIssue } from '../../base/issue.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { SharedRuby } from '../../ruby/worker-share.ts'
import { SharedGeneratorCache } from '../request/generator-cache.ts'
import { BackgroundLane } from './background-jobs.ts'
import { CompileDurations } from './compile-durations.ts'
import { getReplyCatalog } from './compile-error.ts'
import type { CompiledCatalog, CompileJob, WorkerAnswer } from './compile-job.ts'
import type { Seat } from './compile-seat.ts'
import { type CompileTask, createTask } from './compile-task.ts'
import { CompileThread, type SharedThreadState, type ThreadOptions } from './compile-thread.ts'
import { FairQueue } from './fair-queue.ts'
import { poolIssues } from './issues.ts'
import type { FinishedJob, JobOptions, PoolOptions, PoolStatus, ThreadState } from './pool-options.ts'

/**
 * Factor for the time that is charged to the environment of a slow job, since the job has delayed others, and its
 * thread may have to be replaced.
 */
const lateness = 4
/** An idle thread for slow jobs is ended after this number of milliseconds, to release its memory. */
const idleMs = 300_000
/** Number of environments that are remembered for each thread. */
const mostKnown = 100

type Origin = CompiledCatalog['origin']

/**
 * Threads that compile catalogs, scheduled by a multilevel feedback queue. A job that takes long while others wait
 * becomes slow: it continues in an additional thread; without such a thread, it is ended and starts again later. Slow
 * jobs use only some of the threads, and one environment never uses all threads for slow jobs. A node has at most one
 * running compilation. If a job crashes its thread or exceeds its time limit, only this job fails, and the thread is
 * replaced. Threads start when they are first needed, or by `warmUp`. Background jobs have their own threads. A request
 * waits for a job that compiles its catalog ahead, if that job has less than half of a compilation left.
 */
export class CompilePool {
  readonly #options: ThreadOptions
  readonly #size: number
  readonly #maxQueued: number
  readonly #slowAfterMs: number
  /** Largest number of threads; `#mostSlow` is the largest number of them that may run slow jobs. */
  readonly #mostThreads: number
  readonly #mostSlow: number
  readonly #seats = new Set<Seat>()
  readonly #quick = new FairQueue<CompileTask>()
  readonly #slow = new FairQueue<CompileTask>()
  readonly #past = new CompileDurations()
  readonly #shared: SharedThreadState = { ruby: new SharedRuby(), generated: new SharedGeneratorCache() }
  readonly #background: BackgroundLane
  readonly #ended: (job: FinishedJob) => void
  readonly #waitingOf = new Map<string, number>()
  #waitingBytes = 0
  #next = 1
  #nextThread = 1
  #compiled = 0
  #recalled = 0
  #failed = 0
  #refused = 0
  #closed = false

  constructor({ size, maxQueued, slow, background = 0, ended = () => {}, ...options }: PoolOptions) {
    this.#ended = ended
    this.#options = { script: resolveScriptPath(new URL('./worker.js', import.meta.url)), ...options }
    this.#size = size > 0 ? size : availableParallelism()
    this.#maxQueued = maxQueued
    this.#slowAfterMs = slow?.afterMs ?? Number.POSITIVE_INFINITY
    this.#mostThreads = this.#size + (slow?.threads ?? 0)
    this.#mostSlow = Math.max(1, this.#mostThreads - 1)
    this.#background = new BackgroundLane({
      threads: background,
      start: (owner) => {
        const thread = new CompileThread(this.#options, this.#shared, owner)
        thread.standBack('unawaited')
        return thread
      },
      mayBegin: () => this.#quick.length + this.#slow.length === 0,
      countIdle: () => this.#size - this.#running().length - this.#quick.length - this.#slow.length,
      isAwaited: (job) => this.#isQueued(job) && this.#isSoonMade(job),
      ended: () => this.#assign(),
      catalogOf: getReplyCatalog,
    })
  }

  /** Compiles the catalog of a job. Throws CompileError, or an error with the reason why the job did not run. */
  compile(
    job: CompileJob,
    { bytes = 0, signal, background = false, endsWork }: JobOptions = {},
  ): Promise<CompiledCatalog> {
    if (background && this.#background.hasThreads) return this.#background.compile(job, { signal, endsWork })
    let stopListening = () => {}
    const made = new Promise<CompiledCatalog>((resolve, reject) => {
      if (this.#closed) throwIssue(poolIssues.COMPILE_POOL_CLOSED, {})
      const task = createTask(this.#next++, job, bytes, { resolve, reject })
      this.#admit(task)
      const queue = this.#past.isSlow(job) ? this.#slow : this.#quick
      queue.push(task)
      this.#count(task, 1)
      // A job ahead that is late is no longer waited for.
      if (this.#isSoonMade(job)) setTimeout(() => this.#assign(), this.#past.compilation(job)).unref()
      stopListening = () => this.#forget(task)
      signal?.addEventListener('abort', stopListening, { once: true })
      if (signal?.aborted) stopListening()
      this.#assign()
    })
    return made.finally(() => signal?.removeEventListener('abort', stopListening))
  }

  /** Starts all threads now, so that the first catalogs need not wait for the start of a thread. */
  warmUp(): void {
    while (this.#seats.size < this.#size) this.#start(false)
  }

  status(): PoolStatus {
    const quick = this.#running(false).length
    return {
      size: this.#size,
      free: Math.max(0, this.#size - quick),
      queued: this.#quick.length,
      slow: this.#running(true).length,
      'slow-queued': this.#slow.length,
      background: this.#background.running,
      compiled: this.#compiled,
      recalled: this.#recalled,
      failed: this.#failed,
      refused: this.#refused,
    }
  }

  /** Replaces all threads: idle threads at once, and busy threads after their current job. No job is lost. */
  renew(): void {
    for (const seat of [...this.#seats])
      if (seat.task) seat.isOld = true
      else void this.#end(seat)
    this.#background.renew()
    if (!this.#closed) this.warmUp()
  }

  /** Returns all threads and their current work. */
  threads(): readonly ThreadState[] {
    const own = [...this.#seats].map(({ number, slow, thread }) => {
      const lane = slow ? ('slow' as const) : ('quick' as const)
      return { number, lane, work: thread.work() }
    })
    return [...own, ...this.#background.threads()]
  }

  /** Ends all threads; running and waiting jobs fail. */
  async close(): Promise<void> {
    this.#closed = true
    const seats = [...this.#seats]
    const unfinished = [...this.#quick.takeAll(), ...this.#slow.takeAll(), ...seats.flatMap(({ task }) => task ?? [])]
    const ends = seats.map((seat) => this.#end(seat))
    this.#shared.generated.close()
    for (const task of unfinished) task.reject(createPuppetError(poolIssues.COMPILE_POOL_CLOSED, {}))
    await Promise.all([...ends, this.#background.close()])
  }

  /** Throws if the queue is full, or if too many jobs of the node are waiting. */
  #admit(task: CompileTask): void {
    const { node, bytes } = task
    const waiting = this.#quick.length + this.#slow.length
    const ofNode = budgets.node.waitingCatalogs.bound
    try {
      if ((this.#waitingOf.get(node) ?? 0) >= ofNode) throwIssue(poolIssues.NODE_QUEUE_FULL, { node, waiting: ofNode })
      if (waiting === 0) return
      if (this.#waitingBytes + bytes > budgets.environment.waitingFacts.bound)
        throwIssue(poolIssues.COMPILE_QUEUE_FULL, {})
      const free = this.#running(false).length < this.#size
      if (this.#maxQueued > 0 && waiting >= this.#maxQueued && !free) throwIssue(poolIssues.COMPILE_QUEUE_FULL, {})
    } catch (error) {
      this.#refused++
      this.#tell(task, 'refused', 0)
      throw error
    }
  }

  /** Updates the counters of waiting tasks: `by` is 1 when a task is added, and -1 when a task is removed. */
  #count({ node, bytes }: CompileTask, by: 1 | -1): void {
    this.#waitingBytes += by * bytes
    const waiting = (this.#waitingOf.get(node) ?? 0) + by
    if (waiting > 0) this.#waitingOf.set(node, waiting)
    else this.#waitingOf.delete(node)
  }

  /** Removes a waiting task whose client has disconnected; a running task continues. */
  #forget(task: CompileTask): void {
    if (!this.#quick.remove(task) && !this.#slow.remove(task)) return
    this.#count(task, -1)
    task.reject(createPuppetError(poolIssues.CLIENT_GONE, { node: task.node }))
  }

  /** Starts waiting tasks as long as threads are available. */
  #assign(): void {
    if (this.#closed) return
    do while (this.#serve(false) || this.#serve(true));
    while (this.#makeRoom())
    this.#background.assign()
  }

  #isQueued({ node: { name: node }, environment: { name: environment } }: CompileJob): boolean {
    return this.#quick.has({ node, environment }) || this.#slow.has({ node, environment })
  }

  /** True if the catalog is being compiled ahead, and is expected in less than half the time of a new compilation. */
  #isSoonMade(job: CompileJob): boolean {
    const left = this.#background.expectEnd(job)
    return left !== undefined && left < this.#past.compilation(job) / 2
  }

  /** Starts the next quick or slow task. Returns false if there is no waiting task or no free thread. */
  #serve(slow: boolean): boolean {
    if (!this.#hasPlace(slow) || this.#running().length >= this.#mostThreads) return false
    const isNodeIdle = (task: CompileTask) =>
      !this.#running().some((seat) => seat.task?.node === task.node) && !this.#isSoonMade(task.job)
    const mayRun = slow ? (task: CompileTask) => isNodeIdle(task) && this.#hasShare(task) : isNodeIdle
    const task = (slow ? this.#slow : this.#quick).take(mayRun)
    if (!task) return false
    this.#count(task, -1)
    this.#begin(this.#seatFor(slow, task), task)
    return true
  }

  #running(slow?: boolean): readonly Seat[] {
    return [...this.#seats].filter((seat) => seat.task && (slow === undefined || seat.slow === slow))
  }

  #hasPlace(slow: boolean): boolean {
    return this.#running(slow).length < (slow ? this.#mostSlow : this.#size)
  }

  /**
   * Returns true if the environment may start another slow job: with several threads for slow jobs, it must leave
   * one of them to other environments.
   */
  #hasShare({ environment }: CompileTask): boolean {
    const own = this.#running(true).filter(({ task }) => task?.environment === environment)
    return own.length < Math.max(1, this.#mostSlow - 1)
  }

  /** Reclassifies a quick job as slow if it is late while other jobs wait; returns true if there was such a job. */
  #makeRoom(): boolean {
    if (this.#quick.length === 0) return false
    const late = this.#running(false).find((seat) => this.#patienceLeft(seat) <= 0)
    const task = late?.task
    if (!late || !task) return false
    this.#past.slow(task.job, false)
    this.#quick.charge(task.environment, lateness * late.thread.spent)
    clearTimeout(late.timer)
    if (this.#hasPlace(true) && this.#hasShare(task)) {
      this.#slowDown(late)
    } else {
      void this.#end(late)
      this.#slow.push(task)
      this.#count(task, 1)
    }
    return true
  }

  #slowDown(seat: Seat): void {
    seat.slow = true
    seat.thread.standBack()
  }

  /**
   * Returns a thread for a job. An existing thread of the same kind is preferred to a new thread. A slow job may
   * use a quick thread that has loaded the environment's code, if another quick thread is idle: loading the code
   * into a new thread takes much longer.
   */
  #seatFor(slow: boolean, { environment }: CompileTask): Seat {
    const idle = [...this.#seats].filter(({ task }) => !task)
    const knowing = idle.filter(({ environments }) => environments.has(environment))
    const hasSameSpeed = (seat: Seat) => seat.slow === slow
    const hasRoom = this.#running(false).length + 2 <= this.#size
    const best = knowing.find(hasSameSpeed) ?? (slow && hasRoom ? knowing[0] : undefined) ?? idle.find(hasSameSpeed)
    if (best) return best
    if (this.#seats.size < this.#mostThreads) return this.#start(slow)
    const other = idle[0]!
    if (slow) {
      this.#slowDown(other)
      return other
    }
    // The priority of a thread cannot be raised after it was lowered.
    void this.#end(other)
    return this.#start(slow)
  }

  #start(slow: boolean): Seat {
    const thread = new CompileThread(this.#options, this.#shared, {
      answered: (answer, ms) => {
        this.#finish(seat, ms, true, (task) => this.#settle(task, answer, ms))
      },
      lost: (why, ms) => {
        this.#seats.delete(seat)
        this.#finish(seat, ms, false, (task) => {
          return this.#reject(task, why(task.job), ms)
        })
      },
    })
    const environments = new LRUCache<string, true>({ max: mostKnown })
    const number = this.#nextThread++
    const seat: Seat = { number, thread, task: undefined, slow: false, timer: undefined, isOld: false, environments }
    this.#seats.add(seat)
    if (slow) this.#slowDown(seat)
    return seat
  }

  #begin(seat: Seat, task: CompileTask): void {
    clearTimeout(seat.timer)
    seat.task = task
    task.waited = performance.now() - task.came
    this.#awaitLateness(seat)
    try {
      seat.thread.begin(task.id, task.job)
    } catch (error) {
      this.#finish(seat, 0, true, () => this.#reject(task, error, 0))
    }
  }

  /** Schedules a check for the time when the quick job is late; the time for starting the thread is not included. */
  #awaitLateness(seat: Seat): void {
    if (seat.slow || !Number.isFinite(this.#slowAfterMs)) return
    const checkSlowJob = () => (this.#patienceLeft(seat) > 0 ? this.#awaitLateness(seat) : this.#assign())
    seat.timer = setTimeout(checkSlowJob, Math.max(1, this.#patienceLeft(seat)))
  }

  /** Returns the number of milliseconds until the current job of a thread becomes slow. */
  #patienceLeft({ task, thread }: Seat): number {
    return task ? this.#past.patience(task.job, this.#slowAfterMs) - thread.spent : Number.POSITIVE_INFINITY
  }

  #settle(task: CompileTask, answer: WorkerAnswer, ms: number): Origin | undefined {
    try {
      const catalog = getReplyCatalog(answer)
      if (catalog.origin === 'recalled') this.#recalled++
      else if (catalog.origin !== 'unknown') this.#compiled++
      if (catalog.origin !== 'unknown') this.#tell(task, catalog.origin, ms, catalog.costs)
      task.resolve(catalog)
      return catalog.origin
    } catch (error) {
      return this.#reject(task, error, ms)
    }
  }

  #reject(task: CompileTask, error: unknown, ms: number): undefined {
    this.#failed++
    this.#tell(task, 'failed', ms)
    task.reject(error)
  }

  #tell(
    { environment, waited: waitedMs }: CompileTask,
    outcome: FinishedJob['outcome'],
    ms: number,
    costs?: FinishedJob['costs'],
  ): void {
    this.#ended({ environment, outcome, ms, waitedMs, costs })
  }

  #finish(seat: Seat, ms: number, ended: boolean, settle: (task: CompileTask) => Origin | undefined): void {
    const { task, slow } = seat
    clearTimeout(seat.timer)
    seat.task = undefined
    if (slow && ended) seat.timer = setTimeout(() => void this.#end(seat), idleMs).unref()
    if (task) {
      ;(slow ? this.#slow : this.#quick).charge(task.environment, ms)
      // The first catalog of an environment in a thread includes the time for loading the code, so it is not counted as
      // slow for the node.
      const isFirst = !seat.environments.has(task.environment)
      seat.environments.set(task.environment, true)
      const isQuick = ended && (isFirst || ms < this.#past.patience(task.job, this.#slowAfterMs))
      if (isQuick) this.#past.quick(task.job)
      else this.#past.slow(task.job, ended)
      if (ended) this.#past.took(task.job, ms)
      if (settle(task) === 'compiled' && !isFirst) this.#past.compiled(task.job, ms)
    }
    if (seat.isOld && this.#seats.has(seat)) {
      void this.#end(seat)
      if (!this.#closed) this.warmUp()
    }
    this.#assign()
  }

  /** Ends a thread; the caller must handle the current task. */
  #end(seat: Seat): Promise<number> {
    clearTimeout(seat.timer)
    seat.task = undefined
    this.#seats.delete(seat)
    return seat.thread.end()
  }
}
