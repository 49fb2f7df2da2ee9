// A process that submits reports to a store until it is killed, and says of each that was acknowledged which it was.
//   node submit-reports.js FOLDER FIRST
import { Store } from '#built/store/thread/store.js'

const [folder = '', first = '0'] = process.argv.slice(2)
const store = await Store.open({ folder })
process.stdout.write('open\n')
let next = Number(first)
await Promise.all(Array.from({ length: 4 }, submitOn))

async function submitOn() {
  while (true) {
    const number = next++
    await store.submit({
      name: 'store report',
      version: 8,
      certname: 'node.test',
      payload: Buffer.from(report(number)),
    })
    process.stdout.write(`${number}\n`)
  }
}

function report(number) {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
  return JSON.stringify({
    ...{ certname: 'node.test', environment: 'production', puppet_version: '8.10.0', report_format: 12 },
    ...{ configuration_version: String(number), start_time: time, end_time: time, producer_timestamp: time },
    ...{ producer: 'server.test', resources: [], noop: false, noop_pending: false, corrective_change: false },
    ...{ transaction_uuid: '11111111-1111-1111-1111-111111111111', catalog_uuid: null, code_id: null, job_id: null },
    ...{ cached_catalog_status: 'not_used', metrics: [], logs: [], status: 'unchanged', type: 'agent' },
  })
}
