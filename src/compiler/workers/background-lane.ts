import { errorOf } from '../../base/issue.ts'
import type { CompileThread } from './compile-thread.ts'
import { poolIssues } from './issues.ts'
import type { CompiledCatalog, CompileJob, WorkerAnswer } from './job.ts'
import type { ThreadState } from './pool-options.ts'

/** Who hears what becomes of a background job's thread. */
export interface LaneOwner {
  answered(answer: WorkerAnswer): void
  lost(why: (job: CompileJob) => Error): void
}

/** The number of threads, and all that a lane needs of its pool. */
export interface LaneOptions {
  /** Jobs at once. */
  readonly threads: number
  /** A new thread, which stands back behind all others. */
  start(owner: LaneOwner): CompileThread
  /** False while somebody waits for a thread. */
  mayBegin(): boolean
  /** The catalog of an answer. Throws the failure. */
  catalogOf(answer: WorkerAnswer): CompiledCatalog
}

/** Who waits for a job. */
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
  /** True for a thread that is to be ended after its job. */
  isOld: boolean
}

/** After so long without work a thread gives its memory back, in milliseconds. */
const idleMs = 120_000

/**
 * Jobs for which nobody waits. They have threads of their own, so that no place of a request is ever taken; those stand
 * back behind all others, and begin nothing while a request waits for a thread.
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

  /** Jobs that are being done. */
  get running(): number {
    return [...this.#seats].filter(({ task }) => task).length
  }

  /**
   * The catalog of a job. Throws why there is none; a job whose signal is aborted before its turn is given up, and with
   * `endsWork` one that is being done as well: its thread is ended.
   */
  compile(job: CompileJob, { signal, endsWork = false }: Waiting = {}): Promise<CompiledCatalog> {
    let forget = () => {}
    const made = new Promise<CompiledCatalog>((resolve, reject) => {
      const task: Task = { id: this.#next++, job, resolve, reject }
      forget = () => {
        if (this.#waiting.delete(task) || (endsWork && this.#endWork(task)))
          reject(errorOf(poolIssues.CLIENT_GONE, { node: job.node.name }))
      }
      this.#waiting.add(task)
      signal?.addEventListener('abort', forget, { once: true })
      if (signal?.aborted) forget()
      this.assign()
    })
    // One signal may be that of all nodes of a push, and hold each one's facts until it ends.
    return made.finally(() => signal?.removeEventListener('abort', forget))
  }

  /** Gives waiting jobs to threads, as far as nobody else wants the machine. */
  assign(): void {
    for (const task of this.#waiting) {
      if (this.#closed || !this.#options.mayBegin()) return
      const seat = this.#freeSeat()
      if (!seat) return
      this.#waiting.delete(task)
      this.#begin(seat, task)
    }
  }

  /** Ends all threads, those at work when their job has ended: the next jobs have new ones. */
  renew(): void {
    for (const seat of [...this.#seats])
      if (seat.task) seat.isOld = true
      else void this.#end(seat)
  }

  /** The threads, and what each of them does. */
  threads(): readonly ThreadState[] {
    return [...this.#seats].map(({ number, thread }) => ({ number, lane: 'background', work: thread.work() }))
  }

  /** Ends all threads; what they were doing, and what waits, fails. */
  async close(): Promise<void> {
    this.#closed = true
    const seats = [...this.#seats]
    const unfinished = [...this.#waiting, ...seats.flatMap(({ task }) => task ?? [])]
    this.#waiting.clear()
    const ends = seats.map((seat) => this.#end(seat))
    for (const { reject } of unfinished) reject(errorOf(poolIssues.COMPILE_POOL_CLOSED, {}))
    await Promise.all(ends)
  }

  /** Ends the thread that does a task; whether there is one. */
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
