import { createContext, Script } from 'node:vm'

/** Error of work that exceeded its time limit. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms / 1000} seconds`)
    this.name = 'TimeoutError'
  }
}

/**
 * Calls the global function `work`. V8 terminates this script at its timeout, including the functions that it called.
 */
const script = new Script('work()')

/**
 * Runs synchronous work and terminates it at the time limit; its data must not be used afterwards.
 * Throws TimeoutError.
 */
export function runWithTimeout<Result>(ms: number, work: () => Result): Result {
  try {
    return script.runInContext(createContext({ work }), { timeout: ms }) as Result
  } catch (error) {
    // Node creates this error in the script's context, so `instanceof Error` would fail.
    const isOver = (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    throw isOver ? new TimeoutError(ms) : error
  }
}
