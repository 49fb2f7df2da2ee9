import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { builtScript } from '../../base/built-script.ts'
import { diagnose, errorOf, fail, PuppetError } from '../../base/issue.ts'
import { openThreadBridge, type ThreadBridge } from '../../base/thread-bridge.ts'
import type { ExportSearch } from '../../model/exported-resource.ts'
import { SharedRuby } from '../../ruby/ruby-share.ts'
import { RubyWatch } from '../../ruby/watch.ts'
import type { ExportStore } from '../../store/exports/export-store.ts'
import { poolIssues } from './issues.ts'
import type { CompiledCatalog, CompileJob, JobFailure, JobLog, JobMessage, WorkerData, WorkerMessage } from './job.ts'

/** How a pool is sized. */
export interface PoolOptions {
  /** How many catalogs are compiled at once; 0 is one for each core. */
  readonly size: number
  /** Seconds that one catalog may take; 0 is no limit. */
  readonly timeout: number
  /** Seconds that one piece of a module's Ruby may take; 0 or none is no limit. */
  readonly rubyTimeout?: number
  /** How many may wait; 0 is no bound. */
  readonly maxQueued: number
  /** What runs in a thread; another one only for tests. */
  readonly script?: string
  readonly stackSizeMb?: number
  /** What one thread may hold; more ends it, and fails its job only. */
  readonly heapMb?: number
  /** For each thread a way to ask for blobs that its environments did not load. */
  blobs?(): ThreadBridge
  /** What nodes export, to be collected; without it storeconfigs is off. */
  readonly exports?: Pick<ExportStore, 'search'> | undefined
}

/** How busy a pool is. */
export interface PoolStatus {
  readonly size: number
  readonly free: number
  readonly queued: number
  readonly compiled: number
  readonly failed: number
  /** Refused because too many waited. */
  readonly refused: number
}

/** A compilation that failed because of the code or its data; what was said before is with it. */
export class CompileError extends PuppetError {
  readonly logs: readonly JobLog[]

  constructor({ message, hint, logs }: JobFailure) {
    super(diagnose(poolIssues.COMPILE_FAILED, { message, hint }))
    this.logs = logs
  }
}

/** What is new in a thread's heap, at most: V8's own 48 MiB for each thread would be most of a small server. */
const youngMb = 24

interface Task {
  readonly id: number
  readonly job: CompileJob
  resolve(catalog: CompiledCatalog): void
  reject(error: unknown): void
}

interface Seat {
  worker: Worker | undefined
  /** Whether the thread has started, and can compile. */
  ready: boolean
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
  /** Looks after Ruby while there is a task. */
  readonly watch: RubyWatch
  patrol: NodeJS.Timeout | undefined
}

/**
 * Threads that compile catalogs. A job that crashes its thread, or does not end in time, fails alone: the thread is
 * replaced. Threads are started when they are first needed, or by `warmUp`.
 */
export class CompilePool {
  readonly #options: PoolOptions & { readonly script: string }
  readonly #seats: readonly Seat[]
  readonly #queue: Task[] = []
  readonly #ruby = new SharedRuby()
  #next = 1
  #compiled = 0
  #failed = 0
  #refused = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = { script: builtScript(new URL('./worker.js', import.meta.url)), ...options }
    const size = options.size > 0 ? options.size : availableParallelism()
    this.#seats = Array.from({ length: size }, emptySeat)
  }

  /** The catalog of a job. Throws CompileError, or why the job could not be done. */
  compile(job: CompileJob): Promise<CompiledCatalog> {
    return new Promise((resolve, reject) => {
      if (this.#closed) fail(poolIssues.COMPILE_POOL_CLOSED, {})
      const { maxQueued } = this.#options
      if (maxQueued > 0 && this.#queue.length >= maxQueued && !this.#seats.some(({ task }) => !task)) {
        this.#refused++
        fail(poolIssues.COMPILE_QUEUE_FULL, {})
      }
      this.#queue.push({ id: this.#next++, job, resolve, reject })
      this.#assign()
    })
  }

  /** Starts all threads, so that the first catalogs need not wait for them. */
  warmUp(): void {
    for (const seat of this.#seats) seat.worker ??= this.#start(seat)
  }

  status(): PoolStatus {
    return {
      size: this.#seats.length,
      free: this.#seats.filter(({ task }) => !task).length,
      queued: this.#queue.length,
      compiled: this.#compiled,
      failed: this.#failed,
      refused: this.#refused,
    }
  }

  /** Ends all threads; what they were doing, and what waits, fails. */
  async close(): Promise<void> {
    this.#closed = true
    const unfinished = [...this.#queue.splice(0), ...this.#seats.flatMap(({ task }) => task ?? [])]
    const workers = this.#seats.flatMap(({ worker }) => worker ?? [])
    for (const seat of this.#seats) {
      clearTimeout(seat.timer)
      clearInterval(seat.patrol)
      seat.task = undefined
      seat.worker = undefined
    }
    for (const task of unfinished) task.reject(errorOf(poolIssues.COMPILE_POOL_CLOSED, {}))
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      // One that already runs is preferred to one that has to start.
      const free = this.#seats.filter(({ task }) => !task)
      const seat = free.find(({ worker }) => worker) ?? free[0]
      if (!seat) return
      this.#begin(seat, this.#queue.shift()!)
    }
  }

  #begin(seat: Seat, task: Task): void {
    seat.task = task
    seat.worker ??= this.#start(seat)
    seat.worker.ref() // who waits for a catalog does not end before it comes
    this.#time(seat)
    this.#patrol(seat)
    try {
      seat.worker.postMessage({ id: task.id, job: task.job } satisfies JobMessage)
    } catch (error) {
      this.#finish(seat, (task) => task.reject(error))
    }
  }

  /** Begins to count the time of a task; that of a thread that still starts is not the catalog's. */
  #time(seat: Seat): void {
    const { timeout } = this.#options
    if (seat.task && seat.ready && timeout > 0 && Number.isFinite(timeout))
      seat.timer = setTimeout(() => this.#expire(seat), timeout * 1000)
  }

  #start(seat: Seat): Worker {
    seat.ready = false
    const { script, stackSizeMb = 48, heapMb = 2048, exports: store } = this.#options
    const blobs = this.#options.blobs?.()
    const exports = store && openThreadBridge((search: ExportSearch) => store.search(search))
    const ruby = this.#ruby.bridge(seat.watch)
    const worker = new Worker(script, {
      resourceLimits: { stackSizeMb, maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
      workerData: { blobs, exports, ruby } satisfies WorkerData,
      transferList: [blobs, exports, ruby].flatMap((bridge) => bridge?.port ?? []),
    })
    worker.on('message', (message: WorkerMessage) => {
      if (seat.worker === worker) this.#answer(seat, message)
    })
    worker.on('error', (error) => this.#crash(seat, worker, error.message))
    worker.on('exit', (code) => this.#crash(seat, worker, `exit code ${code}`))
    worker.unref()
    return worker
  }

  #answer(seat: Seat, message: WorkerMessage): void {
    if (message.kind === 'ready') {
      seat.ready = true
      this.#time(seat)
      return
    }
    if (message.id !== seat.task?.id) return
    if (message.kind === 'catalog') {
      this.#compiled++
      this.#finish(seat, (task) => task.resolve(message.catalog))
    } else {
      this.#failed++
      this.#finish(seat, (task) => task.reject(failureError(message.failure)))
    }
  }

  #crash(seat: Seat, worker: Worker, reason: string): void {
    if (seat.worker !== worker) return
    seat.worker = undefined
    this.#failed++
    this.#finish(seat, ({ job, reject }) => {
      const about = { node: job.node.name, environment: job.environment.name, reason }
      reject(errorOf(poolIssues.COMPILE_CRASHED, about))
    })
  }

  #expire(seat: Seat): void {
    this.#end(seat, ({ node, environment }) =>
      errorOf(poolIssues.COMPILE_TIMEOUT, {
        node: node.name,
        environment: environment.name,
        seconds: this.#options.timeout,
      }),
    )
  }

  /** Ends a thread whose Ruby takes too long. */
  #patrol(seat: Seat): void {
    const { rubyTimeout: seconds = 0 } = this.#options
    seat.watch.end()
    if (seconds <= 0 || !Number.isFinite(seconds)) return
    const look = () => {
      const run = seat.watch.running()
      if (run === undefined || Date.now() - run.since < seconds * 1000) return
      this.#end(seat, ({ node }) => errorOf(poolIssues.RUBY_TIMEOUT, { node: node.name, seconds, place: run.place }))
    }
    seat.patrol = setInterval(look, Math.min(1000, seconds * 250)).unref()
  }

  /** Fails the task of a seat, whose thread cannot be asked to stop. */
  #end(seat: Seat, why: (job: CompileJob) => Error): void {
    const { worker } = seat
    seat.worker = undefined
    void worker?.terminate()
    this.#failed++
    this.#finish(seat, ({ job, reject }) => reject(why(job)))
  }

  #finish(seat: Seat, settle: (task: Task) => void): void {
    const { task } = seat
    clearTimeout(seat.timer)
    clearInterval(seat.patrol)
    seat.task = undefined
    seat.timer = undefined
    seat.worker?.unref()
    if (task) settle(task)
    if (!this.#closed) this.#assign()
  }
}

function emptySeat(): Seat {
  return {
    worker: undefined,
    ready: false,
    task: undefined,
    timer: undefined,
    watch: new RubyWatch(),
    patrol: undefined,
  }
}

function failureError(failure: JobFailure): Error {
  if (failure.code !== undefined) return new CompileError(failure)
  const bug = new Error(failure.message)
  if (failure.stack !== undefined) bug.stack = failure.stack
  return bug
}
