import type { CompileCosts } from '../request/compile-request.ts'
import type { ThreadOptions, ThreadWork } from './compile-thread.ts'

/** Returns the default number of compile threads: all cores except one for the event loop. */
export function countDefaultThreads(cores: number): number {
  return Math.max(1, cores - 1)
}

/** The size and the limits of a pool. */
export interface PoolOptions extends Omit<ThreadOptions, 'script'> {
  /** Number of concurrent compilations; 0 means one for each core. */
  readonly size: number
  /** Largest number of waiting jobs; if 0, only memory limits the queue. */
  readonly maxQueued: number
  /** Options for slow catalogs; if undefined, a slow catalog occupies its thread until it is finished. */
  readonly slow?: SlowOptions
  /** Number of threads for background jobs; if undefined, background jobs wait in the normal queue. */
  readonly background?: number
  readonly script?: string
  /** Called for each job that has ended. */
  ended?(job: FinishedJob): void
}

/** Options for slow catalogs. */
export interface SlowOptions {
  /** A catalog is slow after this number of milliseconds. */
  readonly afterMs: number
  /** Number of threads for slow catalogs, in addition to `size`. */
  readonly threads: number
}

/** Options of the caller of a job. */
export interface JobOptions {
  /** Number of bytes of memory that the job occupies while it waits. */
  readonly bytes?: number
  /** The job is removed from the queue when this signal is aborted, because the client has disconnected. */
  readonly signal?: AbortSignal | undefined
  /** True if no client waits for the job, so that it may run with low priority. */
  readonly background?: boolean
  /** True if an aborted signal also ends the thread of a running background job. */
  readonly endsWork?: boolean
}

/** Load of a pool. */
export interface PoolStatus {
  readonly size: number
  readonly free: number
  readonly queued: number
  /** Number of slow jobs, running and waiting. */
  readonly slow: number
  readonly 'slow-queued': number
  /** Number of background jobs. */
  readonly background: number
  readonly compiled: number
  /** Number of jobs served from a trace, without compilation. */
  readonly recalled: number
  readonly failed: number
  /** Number of jobs rejected because the queue was full. */
  readonly refused: number
}

/** A job that has ended. */
export interface FinishedJob {
  readonly environment: string
  /** Outcome of the job; `refused` if the job never ran because the queue was full. */
  readonly outcome: 'compiled' | 'recalled' | 'failed' | 'refused'
  /** Milliseconds that the job ran in a thread. */
  readonly ms: number
  /** Milliseconds that the job waited in the queue. */
  readonly waitedMs: number
  /** Time and Ruby calls of a compiled catalog. */
  readonly costs?: CompileCosts | undefined
}

/** A thread of a pool, with its permanent number and its current work. */
export interface ThreadState {
  readonly number: number
  /** The kind of jobs that the thread runs. */
  readonly lane: 'quick' | 'slow' | 'background'
  /** Current work; undefined if the thread is idle. */
  readonly work: ThreadWork | undefined
}
