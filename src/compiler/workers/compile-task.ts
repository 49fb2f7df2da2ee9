import type { CompiledCatalog, CompileJob } from './compile-job.ts'

/** Assumed minimum size of a waiting job in memory, in bytes: its names, its settings, its queue entry. */
const leastBytes = 64 * 1024

/** A job in the queue or in a thread of the pool, with the functions that settle its promise. */
export interface CompileTask {
  readonly id: number
  readonly job: CompileJob
  readonly environment: string
  readonly node: string
  readonly bytes: number
  /** Time of arrival of the job (`performance.now()`). */
  readonly came: number
  /** Milliseconds that the job waited in the queue. */
  waited: number
  resolve(catalog: CompiledCatalog): void
  reject(error: unknown): void
}

/** Returns a task for a job that arrives now. `bytes` is the memory that it occupies while it waits. */
export function createTask(
  id: number,
  job: CompileJob,
  bytes: number,
  settlers: Pick<CompileTask, 'resolve' | 'reject'>,
): CompileTask {
  return {
    id,
    job,
    environment: job.environment.name,
    node: job.node.name,
    bytes: Math.max(bytes, leastBytes),
    came: performance.now(),
    waited: 0,
    ...settlers,
  }
}
