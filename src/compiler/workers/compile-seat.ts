import type { LRUCache } from 'lru-cache'
import type { CompileTask } from './compile-task.ts'
import type { CompileThread } from './compile-thread.ts'

/** A thread of the pool, with its current job. */
export interface Seat {
  readonly number: number
  readonly thread: CompileThread
  task: CompileTask | undefined
  /** True if the thread runs slow jobs. */
  slow: boolean
  timer: NodeJS.Timeout | undefined
  /** True to replace the thread after its current job. */
  isOld: boolean
  /** Environments with a catalog that the thread has compiled; the thread may have cached their code. */
  readonly environments: LRUCache<string, true>
}
