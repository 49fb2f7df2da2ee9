import { getPriority, setPriority } from 'node:os'
import { platform } from 'node:process'

/**
 * Increase of the niceness (0 to 19) for ordinary work, for long work, and for work that no request
 * waits for. The event loop has no increase.
 */
const niceness = { working: 5, patient: 10, unawaited: 19 }

/** Kind of work, which determines how far the thread's priority is lowered. */
export type PriorityLevel = keyof typeof niceness

/**
 * Lowers the priority of a thread, by default the current one, so that the event loop stays
 * responsive. `thread` is a system thread id. Has an effect on Linux only, where threads have
 * separate priorities.
 */
export function lowerThreadPriority(as: PriorityLevel, thread = 0): void {
  if (platform !== 'linux') return
  try {
    setPriority(thread, Math.min(19, getPriority(process.pid) + niceness[as]))
  } catch {
    // If the priority cannot be changed, the thread runs with normal priority.
  }
}
