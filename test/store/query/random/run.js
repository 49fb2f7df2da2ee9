// Random queries, beside a real PuppetDB: `npm run queries -- [--seed N] [--count N] [--at-least PERCENT] [--show N]` prints
// those that SQLite or PostgreSQL answer otherwise. Needs Debian's puppetdb and postgresql, and a build.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareStores } from './stores.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '2000' },
    'at-least': { type: 'string', default: '99.5' },
    show: { type: 'string', default: '50' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'queries-'))
chmodSync(folder, 0o755)
try {
  const results = await compareStores(folder, Number(values.seed), Number(values.count))
  for (const result of results) report(result)
  const isGood = ({ percent, failed }) => percent >= Number(values['at-least']) && failed.length === 0
  process.exitCode = results.every(isGood) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

function report({ name, percent, equal, unanswered, listed, different, failed, statuses }) {
  for (const { question, expected, given } of [...failed, ...different].slice(0, Number(values.show))) {
    console.log(`${question.method} ${decodeURIComponent(question.path)} ${question.body ?? ''}`)
    console.log(`  PuppetDB: ${shorten(expected)}\n  ${name}: ${shorten(given)}`)
  }
  console.log(
    `${name}: ${percent.toFixed(2)}% equal: ${equal} equal, ${different.length} different, ${listed.length} different as documented, ${failed.length} failed; PuppetDB failed ${unanswered} times; statuses of PuppetDB: ${JSON.stringify(statuses)}`,
  )
}

function shorten(answer) {
  return JSON.stringify(answer).slice(0, 600)
}
