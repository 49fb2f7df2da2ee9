// Prints the skipped tests, the failed tests with their errors, and the counts; fails if a test failed, none ran, or one that
// compares with the real thing was skipped. Failures come last because a stored log may keep only its end. Beside each REPORT,
// REPORT.unhandled has the errors outside of tests (test/support/unhandled-reporter.ts).
//   node scripts/ci-summary.js STATUS REPORT...
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [status, ...files] = process.argv.slice(2)
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
const sum = (count) => reports.reduce((total, report) => total + report[count], 0)
const skipped = reports
  .flatMap(({ testResults }) => testResults)
  .flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((each) => each.status === 'skipped' || each.status === 'pending' || each.status === 'todo')
      .map((each) => `${relative(process.cwd(), name)}: ${each.fullName}`),
  )
for (const each of skipped) console.log(`skipped: ${each}`)
const missing = skipped.filter((each) => /^test\/interop|conformance|left out: no /.test(each))
if (missing.length > 0) console.log('A test against the real thing was skipped: that is a failure here.')
const failures = reports
  .flatMap(({ testResults }) => testResults)
  .flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults
      .filter((each) => each.status === 'failed')
      .map((each) => ({ title: each.fullName, messages: each.failureMessages }))
    const outsideTests =
      status === 'failed' && tests.length === 0 ? [{ title: 'outside of its tests', messages: [message] }] : []
    return [...tests, ...outsideTests].map((each) => ({ ...each, file: relative(process.cwd(), name) }))
  })
for (const { file, title, messages } of failures) {
  const lines = messages.join('\n').split('\n').slice(0, 15)
  console.log([`failed: ${file}: ${title}`, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join('\n'))
}
const unhandled = files
  .map((file) => `${file}.unhandled`)
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')))
  .flatMap(({ errors, lostSuites }) => [...errors, ...lostSuites.map((suite) => `${suite} has no result`)])
for (const error of unhandled) {
  console.log(`failed: outside of tests: ${error.split('\n').slice(0, 15).join('\n    ').slice(0, 3000)}`)
}
const passed = sum('numPassedTests')
const failed = sum('numFailedTests') + missing.length + unhandled.length
if (failed === 0 && status !== '0') console.log('A part failed though no test did: see the output of each part.')
console.log(`${passed} passed, ${failed} failed, ${sum('numPendingTests')} skipped`)
process.exitCode = Number(status) || (failed > 0 || passed === 0 ? 1 : 0)
