import { createContext, Script } from 'node:vm'
import { defineIssues, isIssue, throwIssue } from '../base/issue.ts'
import { getSystemErrorCode } from '../base/system-error.ts'

const issues = defineIssues({
  RUBY_TIMEOUT: {
    text: (a: { seconds: number }) => `Ruby code of a module ran longer than ${a.seconds} seconds`,
    hint: () => 'Look for an endless loop in the called Ruby code, or increase ruby_timeout.',
  },
})

/** Node's longest timeout in milliseconds. */
const longest = 2 ** 31 - 1

const room = createContext({ work: undefined as (() => unknown) | undefined })
const script = new Script('work()')

/**
 * Runs `work` on this thread, and terminates it at the time limit: a loop in Ruby cannot be
 * interrupted, but V8 can drop running code, without its `finally` blocks. Costs 0.2 ms. Throws
 * RUBY_TIMEOUT.
 */
export function runWithTimeLimit<Result>(seconds: number, work: () => Result): Result {
  if (!(seconds > 0 && Number.isFinite(seconds))) return work()
  room['work'] = work
  try {
    return script.runInContext(room, { timeout: Math.min(Math.ceil(seconds * 1000), longest) }) as Result
  } catch (error) {
    if (getSystemErrorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return throwIssue(issues.RUBY_TIMEOUT, { seconds })
  }
}

/** Returns true for the time limit error of `runWithTimeLimit`. */
export function isTimeLimitError(error: unknown): boolean {
  return isIssue(error, issues.RUBY_TIMEOUT)
}
