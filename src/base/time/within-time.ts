import { createContext, Script } from 'node:vm'

/** Work that was ended, for it took too long. */
export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms / 1000} seconds`)
    this.name = 'TookTooLong'
  }
}

/** Runs whatever stands in its global `work`: V8 ends a script that is over its time together with all that it called. */
const script = new Script('work()')

/**
 * Does synchronous work, and ends it in the middle when it takes too long: what it worked on is not to be used any more.
 * Throws TookTooLong.
 */
export function withinTime<Result>(ms: number, work: () => Result): Result {
  try {
    return script.runInContext(createContext({ work }), { timeout: ms }) as Result
  } catch (error) {
    // Node makes this error in the context of the script: it is no instance of our Error.
    const isOver = (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    throw isOver ? new TookTooLong(ms) : error
  }
}
