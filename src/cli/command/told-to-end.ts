import { constants } from 'node:os'

type Handle = (signal: 'SIGINT' | 'SIGTERM') => void

/**
 * Calls `handle` when the process is told to end, by SIGINT or SIGTERM; told again, it ends at once, after `again`. The
 * listeners stay: while a child process runs, execa's signal-exit ends a process in which only its own are left.
 */
export function whenToldToEnd(handle: Handle, again: Handle = () => {}): void {
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
