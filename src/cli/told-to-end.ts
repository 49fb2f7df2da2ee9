import { constants } from 'node:os'

/**
 * Calls `handle` when the process is told to end, by SIGINT or SIGTERM; told again, it ends at once. The listeners
 * stay: while a child process runs, execa's signal-exit ends a process in which only its own are left.
 */
export function whenToldToEnd(handle: (signal: 'SIGINT' | 'SIGTERM') => void): void {
  let isTold = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isTold) process.exit(128 + constants.signals[signal])
      isTold = true
      handle(signal)
    })
}
