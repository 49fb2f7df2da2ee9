import { escapeXml } from '../../base/text/xml.ts'
import type { TestResult } from './test-suite.ts'

/** Numbers of tests, each on one system. */
export interface TestCounts {
  readonly tests: number
  readonly failures: number
  readonly seconds: number
}

/** Adds up results. */
export function countResults(results: readonly TestResult[], seconds: number): TestCounts {
  return { tests: results.length, failures: results.filter(isFailed).length, seconds }
}

/** True if the test failed. */
export function isFailed({ failures }: TestResult): boolean {
  return failures.length > 0
}

/** Name of a test in messages, such as `installs the package on debian-12-x86_64`. */
export function formatTestName({ test = 'the file', system }: TestResult): string {
  return system === undefined ? test : `${test} on ${system}`
}

/** The failures with their locations, numbered, as RSpec prints them; empty if there are none. */
export function formatFailures(results: readonly TestResult[]): string {
  const failed = results.filter(isFailed)
  if (failed.length === 0) return ''
  const texts = failed.map((result, at) => {
    const reasons = result.failures.map(({ message, file, line }) => {
      const place = file === undefined ? '' : `\n     # ${file}${line === undefined ? '' : `:${line}`}`
      return `     ${message.replaceAll('\n', '\n     ')}${place}`
    })
    return `  ${at + 1}) ${formatTestName(result)}\n${reasons.join('\n')}\n`
  })
  return `\nFailures:\n\n${texts.join('\n')}`
}

/** The last lines, as RSpec prints them: `Finished in 0.12 seconds` and `3 examples, 1 failure`. */
export function formatSummary({ tests, failures, seconds }: TestCounts): string {
  const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  return `\nFinished in ${seconds.toFixed(2)} seconds\n${plural(tests, 'example')}, ${plural(failures, 'failure')}\n`
}

/** Results as RSpec's JSON formatter writes them. */
export function toRspecJson(results: readonly TestResult[], counts: TestCounts): object {
  return {
    examples: results.map((result) => ({
      description: result.test ?? result.file,
      full_description: formatTestName(result),
      status: isFailed(result) ? 'failed' : 'passed',
      file_path: result.file,
      line_number: result.line ?? null,
      run_time: result.seconds,
      system: result.system ?? null,
      ...(isFailed(result) && {
        exception: {
          class: 'ExpectationNotMetError',
          message: result.failures.map(({ message }) => message).join('\n'),
        },
      }),
    })),
    summary: {
      duration: counts.seconds,
      example_count: counts.tests,
      failure_count: counts.failures,
      pending_count: 0,
    },
    summary_line: formatSummary(counts).trim().split('\n').at(-1),
  }
}

/** Results as JUnit XML: a test suite with a test case for each test and system. */
export function formatJUnit(results: readonly TestResult[], { tests, failures, seconds }: TestCounts): string {
  const cases = results.map((result) => {
    const attributes = `classname="${escapeXml(result.file)}" name="${escapeXml(formatTestName(result))}" time="${result.seconds.toFixed(6)}"`
    const reasons = result.failures.map(
      ({ message, file, line }) =>
        `    <failure message="${escapeXml(message.split('\n', 1)[0]!)}">${escapeXml(`${message}\n${file ?? ''}:${line ?? ''}`)}</failure>\n`,
    )
    return reasons.length === 0
      ? `  <testcase ${attributes}/>\n`
      : `  <testcase ${attributes}>\n${reasons.join('')}  </testcase>\n`
  })
  const head = `<testsuite name="plumb test" tests="${tests}" failures="${failures}" errors="0" skipped="0" time="${seconds.toFixed(6)}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join('')}</testsuite>\n`
}
