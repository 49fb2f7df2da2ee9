import { constants } from 'node:os'

/** Exit status of a process that a signal ended, without the number of the signal. */
const signalStatus = 128

/**
 * Runs work that SIGINT and SIGTERM abort, so that it can remove its data first. Returns the exit status of the signal if
 * the work throws after a signal, otherwise the result of the work. A second signal ends the process at once.
 */
export async function runInterruptibly<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | number> {
  const stop = new AbortController()
  let status: number | undefined
  const end = (signal: NodeJS.Signals) => {
    if (status !== undefined) process.exit(status)
    status = signalStatus + constants.signals[signal]
    stop.abort(new Error(`Interrupted by ${signal}`))
  }
  process.on('SIGINT', end).on('SIGTERM', end)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (status !== undefined) return status
    throw error
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}
