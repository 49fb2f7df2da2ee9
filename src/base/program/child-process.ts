import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/**
 * Starts a child process with an error listener, so that a failed start never becomes an unhandled event. At the
 * descriptor limit, Node returns a child without pipes and emits the error in the next tick; a library that fails on
 * the missing pipes has not added a listener by then.
 */
export function startChildProcess<Child>(start: () => Child): Child {
  subscribe('child_process', listenToErrors)
  try {
    return start()
  } finally {
    unsubscribe('child_process', listenToErrors)
  }
}

/** Error text for a child without pipes; Node creates such a child only for this reason. */
export const noPipes = 'EMFILE: too many open files'

function listenToErrors(message: unknown): void {
  const { process } = message as { readonly process: ChildProcess }
  process.on('error', () => {})
}
