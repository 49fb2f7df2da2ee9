// Says in one line how the tests went; fails when one failed, none ran, or one that compares with the real thing was skipped.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [report, status] = process.argv.slice(2)
const { testResults, numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
const skipped = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter((each) => each.status === 'skipped' || each.status === 'pending' || each.status === 'todo')
    .map((each) => `${relative(process.cwd(), name)}: ${each.fullName}`),
)
for (const each of skipped) console.log(`skipped: ${each}`)
const missing = skipped.filter((each) => /interop|conformance|real-|oracle/.test(each))
if (missing.length > 0) console.log('A test against the real thing was skipped: that is a failure here.')
const failed = numFailedTests + missing.length
console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`)
process.exitCode = Number(status) || (failed > 0 || numPassedTests === 0 ? 1 : 0)
