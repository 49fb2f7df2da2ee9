import { constants } from 'node:os'

type Handle = (signal: 'SIGINT' | 'SIGTERM') => void

/**
 * Calls `handle` on the first SIGINT or SIGTERM. A second signal calls `again` and exits at once. The listeners are never
 * removed: while a child process runs, execa's signal-exit ends a process in which only its own listeners are left.
 */
export function onTerminationSignal(handle: Handle, again: Handle = () => {}): void {
  let isTold = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isTold) {
        again(signal)
        process.exit(128 + constants.signals[signal])
      }
      isTold = true
      handle(signal)
    })
}
