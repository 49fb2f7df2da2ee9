import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** What made a run fail though no test did. `scripts/ci-summary.js` prints it. */
interface UnhandledErrors {
  /** Errors that no test caught, such as rejected promises and ended processes, with their stacks. */
  readonly errors: readonly string[]
  /** Suites without a result, since their process ended. */
  readonly lostSuites: readonly string[]
}

/** Writes errors that belong to no test into the JSON file `UNHANDLED_FILE`; Vitest's JSON report does not contain them. */
export default class UnhandledReporter implements Reporter {
  onTestRunEnd(suites: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env['UNHANDLED_FILE']
    if (file === undefined) return
    const lost = suites.filter((suite) => ['queued', 'pending'].includes(suite.state()))
    const unhandled: UnhandledErrors = {
      errors: errors.map(printError),
      lostSuites: lost.map((suite) => relative(process.cwd(), suite.moduleId)),
    }
    writeFileSync(file, JSON.stringify(unhandled))
  }
}

/** The message and the stack of an error, those of its cause, and the suite that ran. */
function printError(error: SerializedError): string {
  const suite = error['VITEST_TEST_PATH'] as string | undefined
  const lines = [error.stack ?? error.message, ...(suite === undefined ? [] : [`    while ${suite} ran`])]
  const cause = error.cause as SerializedError | undefined
  return cause ? `${lines.join('\n')}\nCaused by: ${printError(cause)}` : lines.join('\n')
}
