import { getPriority, setPriority } from 'node:os'
import { platform } from 'node:process'

/** How much a thread stands back behind the event loop, of the system's 19: one that works, and one whose work takes long. */
const behind = { working: 5, patient: 10 }

/**
 * Has a thread stand back behind the event loop, which is to answer at once whatever is compiled or read meanwhile: this
 * one, or another by the system's number. Where the system does not tell threads apart nothing is done: only Linux does.
 */
export function standBack(as: keyof typeof behind, thread = 0): void {
  if (platform !== 'linux') return
  try {
    setPriority(thread, Math.min(19, getPriority(process.pid) + behind[as]))
  } catch {
    // It works all the same.
  }
}
