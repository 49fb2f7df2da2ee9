import type { ThreadOptions, ThreadWork } from './compile-thread.ts'

/** The size and the limits of a pool. */
export interface PoolOptions extends Omit<ThreadOptions, 'script'> {
  /** Catalogs compiled at once; 0 is one for each core. */
  readonly size: number
  /** Waiting jobs, at most; 0 is no bound but that of memory. */
  readonly maxQueued: number
  /** Treatment of catalogs that take long; without it each has its thread to the end. */
  readonly slow?: SlowOptions
  /** Threads for jobs for which nobody waits; without any such jobs have their turn among the others. */
  readonly background?: number
  readonly script?: string
  /** Told of each job that is over. */
  ended?(job: EndedJob): void
}

/** Treatment of catalogs that take long. */
export interface SlowOptions {
  /** Milliseconds after which one takes long. */
  readonly afterMs: number
  /** Threads that there may be for them, beside `size`. */
  readonly threads: number
}

/** The pool's knowledge of the client that asks. */
export interface Asking {
  /** Memory that the job holds while it waits, in bytes. */
  readonly bytes?: number
  /** Ends the wait of who went away. */
  readonly signal?: AbortSignal | undefined
  /** True where nobody waits: what others leave of the machine is enough. */
  readonly background?: boolean
  /** True where the signal ends also what is being done in the background: its thread is ended. */
  readonly endsWork?: boolean
}

/** The load of a pool. */
export interface PoolStatus {
  readonly size: number
  readonly free: number
  readonly queued: number
  /** Slow jobs: being compiled, and waiting. */
  readonly slow: number
  readonly 'slow-queued': number
  /** Jobs that are done for nobody who waits. */
  readonly background: number
  readonly compiled: number
  /** Answered without compiling. */
  readonly recalled: number
  readonly failed: number
  /** Refused because too many waited. */
  readonly refused: number
}

/** A job that is over. */
export interface EndedJob {
  readonly environment: string
  /** `refused`: too many waited; no thread had it. */
  readonly outcome: 'compiled' | 'recalled' | 'failed' | 'refused'
  /** Milliseconds in a thread. */
  readonly ms: number
  /** Milliseconds until a thread had time for it. */
  readonly waitedMs: number
}

/** A thread of a pool, by a number that it keeps, and its work. */
export interface ThreadState {
  readonly number: number
  /** The jobs that the thread is for. */
  readonly lane: 'quick' | 'slow' | 'background'
  /** None of an idle thread. */
  readonly work: ThreadWork | undefined
}
