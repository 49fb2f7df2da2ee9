import { escapeXml } from '../../../base/text/xml.ts'
import type { FileReport } from '../file-report.ts'
import type { LintSettings } from '../options/lint-settings.ts'
import type { Problem } from '../problem.ts'
import { selectProblems } from './text.ts'

/** The errors and warnings as a report of JUnit: a suite for each file, and a failed case for each problem. */
export function formatJunitReport(reports: readonly FileReport[], settings: LintSettings): string {
  const suites = reports.map((report) => {
    const problems = selectProblems(report, settings).filter(({ kind }) => kind === 'error' || kind === 'warning')
    return { path: report.path, problems }
  })
  const failures = suites.reduce((sum, { problems }) => sum + problems.length, 0)
  const tests = suites.reduce((sum, { problems }) => sum + Math.max(1, problems.length), 0)
  const body = suites.map(({ path, problems }) => formatSuite(path, problems)).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="lint" tests="${tests}" failures="${failures}">\n${body}</testsuites>\n`
}

function formatSuite(path: string, problems: readonly Problem[]): string {
  const name = escapeXml(path)
  const cases = problems.map(({ check, kind, message, line, column }) => {
    const text = escapeXml(message)
    const place = `${name}:${line}:${column}`
    return `    <testcase classname="${name}" name="${escapeXml(check)} ${line}:${column}">\n      <failure type="${kind}" message="${text}">${place}: ${text}</failure>\n    </testcase>\n`
  })
  if (cases.length === 0) cases.push(`    <testcase classname="${name}" name="lint"/>\n`)
  return `  <testsuite name="${name}" tests="${cases.length}" failures="${problems.length}">\n${cases.join('')}  </testsuite>\n`
}
