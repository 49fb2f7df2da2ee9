import { getPriority, setPriority } from 'node:os'
import { platform } from 'node:process'

/** Niceness, of the system's 19, of a thread that works, of one whose work takes long, of one whose work nobody awaits; the event loop has 0. */
const niceness = { working: 5, patient: 10, unawaited: 19 }

/** Degrees of standing back. */
export type Patience = keyof typeof niceness

/**
 * Has a thread stand back behind the event loop, which is to answer at once whatever is compiled or read meanwhile: this
 * one, or another by the system's number. Where the system does not tell threads apart nothing is done: only Linux does.
 */
export function standBack(as: Patience, thread = 0): void {
  if (platform !== 'linux') return
  try {
    setPriority(thread, Math.min(19, getPriority(process.pid) + niceness[as]))
  } catch {
    // It works all the same.
  }
}
