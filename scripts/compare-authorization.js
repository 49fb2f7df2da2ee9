// Rules of auth.conf by chance, beside Puppet Server's own reader: `npm run authorization -- [--seed N] [--files N]
// [--requests N]` prints files that only Plumbline accepts and requests that only Plumbline allows, and fails if there are
// any; then it counts the files and requests that only Plumbline rejects. Needs Debian's Puppet Server and a build.
import { parseArgs } from 'node:util'
import { compareAuthorization } from '../test/oracle/compare-authorization.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    files: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '200000' },
    examples: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const result = await compareAuthorization({ seed, files: Number(values.files), requests: Number(values.requests) })
for (const { conf, error } of result.accepted.slice(0, 20)) console.log(`only accepted here:\n${conf}\n  ${error}\n`)
for (const { conf, ...more } of result.laxer.slice(0, 20))
  console.log(`only allowed here:\n${conf}\n  ${JSON.stringify(more)}\n`)
for (const [title, counts] of Object.entries({
  'files rejected here': result.rejected,
  'requests denied here': result.stricter,
})) {
  console.log(`${title}:`)
  for (const [reason, count] of Object.entries(counts).sort(([, a], [, b]) => b - a)) {
    console.log(`${String(count).padStart(7)}  ${reason}`)
    if (values.examples) console.log(JSON.stringify(result.examples[reason], undefined, 1))
  }
}
const { files, read, requests, allowed, accepted, laxer } = result
console.log(`${files} files, ${read} accepted by both; ${requests} requests, ${allowed} allowed by Puppet Server`)
console.log(`${accepted.length} files accepted only here, ${laxer.length} requests allowed only here`)
process.exitCode = accepted.length + laxer.length > 0 ? 1 : 0
