import { getPriority, setPriority } from 'node:os'
import { platform } from 'node:process'

/** Niceness (0 to 19) of ordinary work, of long work, and of work that no request awaits. The event loop has 0. */
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
    // The thread runs with normal priority.
  }
}
