import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/**
 * Starts a child process by `start`, whose failure is then an error of the one who asked and never an unhandled event: at
 * the limit of descriptors Node gives back a child without pipes, and says why in an event of the next tick, for which a
 * library that stumbled over the missing pipes has no listener yet.
 */
export function startChild<Child>(start: () => Child): Child {
  subscribe('child_process', listenToErrors)
  try {
    return start()
  } finally {
    unsubscribe('child_process', listenToErrors)
  }
}

/** Why a child has no pipes: the only reason for which Node makes none. */
export const noPipes = 'EMFILE: too many open files'

function listenToErrors(message: unknown): void {
  const { process } = message as { readonly process: ChildProcess }
  process.on('error', () => {})
}
