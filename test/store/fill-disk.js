// A store on a small disk that another file fills: commands are submitted before, while and after; then what was stored is counted.
//   node fill-disk.js FOLDER FILLER
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { Store } from '#built/store/thread/store.js'
import { eventually } from '../support/eventually.js'

const [folder = '', filler = ''] = process.argv.slice(2)
const seen = { acknowledged: 0, refused: 0, stuck: 0, stored: 0, twice: 0 }
const numbers = []
const store = await Store.open({ folder, stuck: () => seen.stuck++ })

async function submit(from, to) {
  for (let number = from; number < to; number++)
    try {
      await store.submit({
        name: 'store report',
        version: 8,
        certname: 'node.test',
        payload: Buffer.from(report(number)),
      })
      seen.acknowledged++
      numbers.push(number)
    } catch {
      seen.refused++
    }
}

await submit(0, 20)
const file = openSync(filler, 'w')
try {
  for (const bytes = Buffer.alloc(64 * 1024); ; ) writeSync(file, bytes)
} catch {
  // The disk is full.
}
closeSync(file)
for (let round = 0; round < 40 && seen.stuck + seen.refused === 0; round++)
  await submit(100 + round * 20, 120 + round * 20)
await submit(5000, 5010)
await eventually(() => seen.stuck + seen.refused)
rmSync(filler)
await submit(9000, 9020)
const last = { certname: 'last.test', producer_timestamp: '2026-02-01T00:00:00.000Z' }
const payload = Buffer.from(JSON.stringify(last))
await store.submitAndWait({ name: 'deactivate node', version: 3, certname: 'last.test', payload }, 60_000)
const search = `query=${encodeURIComponent(JSON.stringify(['extract', ['configuration_version'], ['=', 'certname', 'node.test']]))}`
const answer = await store.ask({ method: 'GET', path: '/reports', search })
let text = ''
for await (const piece of answer.pieces) text += piece
const versions = JSON.parse(text).map((row) => Number(row.configuration_version))
const stored = new Set(versions)
seen.twice = versions.length - stored.size
seen.stored = numbers.filter((number) => stored.has(number)).length
process.stdout.write(JSON.stringify(seen))
await store.close()

function report(number) {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
  return JSON.stringify({
    ...{ certname: 'node.test', environment: 'production', puppet_version: '8.10.0', report_format: 12 },
    ...{ configuration_version: String(number), start_time: time, end_time: time, producer_timestamp: time },
    ...{ producer: 'server.test', resources: [], noop: false, noop_pending: false, corrective_change: false },
    ...{ transaction_uuid: '11111111-1111-1111-1111-111111111111', catalog_uuid: null, code_id: null, job_id: null },
    ...{ cached_catalog_status: 'not_used', metrics: [], status: 'unchanged', type: 'agent' },
    logs: [{ level: 'notice', message: 'x'.repeat(20_000), source: 'a', tags: [], time, file: null, line: null }],
  })
}
