import { execFile } from 'node:child_process'
import { budgets } from '../../base/budgets/budgets.ts'
import { startChildProcess } from '../../base/program/child-process.ts'

/** Maximum time in milliseconds of a program that reads or changes accounts, owners or access lists. */
export const accessTimeMs: number = budgets.machine.accessTime.bound

/** Exit status and output of a program. */
export interface LimitedResult {
  readonly status: number
  readonly stdout: string
  /** Both outputs; after the time limit, the sentence of `formatTimeLimit`. */
  readonly output: string
  readonly timedOut: boolean
}

/** Runs a program of Windows without a window, and ends it after a time limit. */
export function runLimitedProgram(
  program: string,
  words: readonly string[],
  timeout: number = accessTimeMs,
): Promise<LimitedResult> {
  return new Promise((done) => {
    startChildProcess(() =>
      execFile(program, [...words], { windowsHide: true, timeout, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
        const timedOut = error?.killed === true
        const output = timedOut ? formatTimeLimit(program, timeout) : `${stdout}${stderr}` || String(error ?? '')
        done({ status: error === null ? 0 : 1, stdout, output, timedOut })
      }),
    )
  })
}

/** The reason for a failure after a time limit: `icacls.exe did not end within 300 seconds`. */
export const formatTimeLimit = (program: string, limitMs: number = accessTimeMs): string =>
  `${program.slice(program.lastIndexOf('/') + 1)} did not end within ${limitMs / 1000} seconds`
