import { readdirSync, readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Longer than a test may take (`vitest.config.ts`). */
const defaultSeconds = 480

/**
 * Ends suites that block their process, where no time limit of a test applies: in `execFileSync`, in an endless loop, or in
 * an `await` outside of tests. If no test starts or ends for `STALL_SECONDS` (480), it prints the suites and tests that
 * are running and kills their processes. Vitest then reports errors and runs the suites of other processes. A blocked process
 * may not have sent its last events, so that an earlier test, or none, is printed.
 */
export default class StallReporter implements Reporter {
  readonly #suites = new Map<string, string>()
  readonly #milliseconds = Number(process.env['STALL_SECONDS'] ?? defaultSeconds) * 1000
  #timer: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    // Wall clock: a blocked process sends no event.
    this.#timer = setTimeout(() => this.#endSuites(), this.#milliseconds)
  }

  onTestModuleQueued(suite: TestModule): void {
    this.#note(suite, 'loading, or blocked early')
  }

  onTestCaseReady(test: TestCase): void {
    this.#note(test.module, test.fullName)
  }

  onTestCaseResult(test: TestCase): void {
    this.#note(test.module, `after ${test.fullName}`)
  }

  onTestModuleEnd(suite: TestModule): void {
    this.#suites.delete(suite.moduleId)
    this.#timer?.refresh()
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer)
  }

  #note(suite: TestModule, test: string): void {
    this.#suites.set(suite.moduleId, test)
    this.#timer?.refresh()
  }

  #endSuites(): void {
    const lines = [...this.#suites].map(([suite, test]) => `  ${suite}: ${test}\n`)
    process.stderr.write(`No test started or ended for ${this.#milliseconds / 1000} s. Running:\n${lines.join('')}`)
    for (const child of listChildren()) process.kill(child, 'SIGKILL')
    this.#timer?.refresh()
  }
}

/** The process ids of the processes that run suites. */
function listChildren(): readonly number[] {
  const threads = readdirSync('/proc/self/task')
  const children = threads.flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' '))
  return children
    .filter((child) => child !== '')
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('vitest'))
}
