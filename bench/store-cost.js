// The cost of the store to a server: two servers that differ in `store` alone get the same runs in turn (facts, catalog, report).
//   npm run build && node bench/store-cost.js [--nodes N] [--runs N] [--vhosts N]
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from './free-port.js'
import { agentOf, catalogRequest, factsNow } from './server/client.js'
import { certnames, controlRepository } from './server/control-repository.js'
import { spread } from './server/measures.js'
import { makeAuthority, startPlumbline } from './server/plumbline.js'
import { processorTime, shareOf } from './server/process.js'

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20' },
    runs: { type: 'string', default: '10' },
    vhosts: { type: 'string', default: '25' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'plumb-store-cost-'))
const running = []
try {
  await measure()
} finally {
  for (const { server } of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  console.log(`${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)} at the start`)
  const names = certnames(Number(options.nodes))
  for (const store of ['none', 'sqlite']) {
    const place = join(folder, store)
    const { identity } = makeAuthority(place, names)
    const repository = controlRepository(place, { vhosts: Number(options.vhosts), names })
    const server = await startPlumbline(place, { repository, port: await freePort(), settings: ['--store', store] })
    const agents = new Map(names.map((name) => [name, agentOf(identity(name))]))
    running.push({
      store,
      place,
      server,
      agents,
      catalogs: /** @type {number[]} */ ([]),
      reports: /** @type {number[]} */ ([]),
    })
  }
  for (const each of running) for (const name of names) await run(each, name)
  const before = running.map(figures)
  for (let turn = 0; turn < Number(options.runs); turn++)
    for (const name of names) for (const each of running) await run(each, name, each)
  // The store writes behind the requests.
  await new Promise((done) => setTimeout(done, 8000))
  const runs = Number(options.runs) * names.length
  for (const [at, each] of running.entries()) {
    const [was, is] = [/** @type {ReturnType<typeof figures>} */ (before[at]), figures(each)]
    console.log(`store = ${each.store}`)
    console.log(`  ready after ${Math.round(each.server.readyAfter)} ms, ${mib(is.memory)} MiB`)
    console.log(
      `  catalog ${JSON.stringify(spread(each.catalogs))} ms, report ${JSON.stringify(spread(each.reports))} ms`,
    )
    console.log(`  processor time ${((is.processor - was.processor) / runs).toFixed(1)} ms a run`)
    console.log(`  disk ${mib(is.disk)} MiB, ${((is.disk - was.disk) / runs / 1024).toFixed(1)} KiB a run`)
  }
}

/**
 * One run of a node.
 * @param {any} place
 * @param {string} name
 * @param {{ catalogs: number[], reports: number[] }} [times]
 */
async function run({ server, agents }, name, times = { catalogs: [], reports: [] }) {
  const agent = agents.get(name)
  const catalog = await agent.call(server, catalogRequest(factsNow(name)))
  times.catalogs.push(catalog.milliseconds)
  const body = JSON.stringify(reportOf(name, JSON.parse(String(catalog.bytes))))
  const path = `/puppet/v3/report/${name}?environment=production`
  const report = await agent.call(server, { method: 'PUT', path, body, type: 'application/json' })
  times.reports.push(report.milliseconds)
}

/** The report of a run in which all is as it was, with the status of each resource. */
function reportOf(name, catalog) {
  const time = new Date().toISOString()
  const statuses = catalog.resources.map(({ type, title, file = null, line = null, tags = [] }) => [
    `${type}[${title}]`,
    {
      ...{ title, file, line, resource: `${type}[${title}]`, resource_type: type, tags, time, evaluation_time: 0.001 },
      ...{ provider_used: null, containment_path: ['Stage[main]', `${type}[${title}]`], failed: false, changed: false },
      ...{ failed_to_restart: false, out_of_sync: false, skipped: false, change_count: 0, out_of_sync_count: 0 },
      ...{ events: [], corrective_change: false },
    },
  ])
  return {
    ...{ host: name, time, configuration_version: String(catalog.version), transaction_uuid: crypto.randomUUID() },
    ...{ report_format: 12, puppet_version: '8.10.0', status: 'unchanged', noop: false, noop_pending: false },
    ...{ environment: 'production', corrective_change: false, catalog_uuid: catalog.catalog_uuid },
    ...{ code_id: catalog.code_id, cached_catalog_status: 'not_used', job_id: null },
    logs: [
      {
        level: 'notice',
        message: 'Applied catalog in 1.20 seconds',
        source: 'Puppet',
        tags: ['notice'],
        time,
        file: null,
        line: null,
      },
    ],
    metrics: { time: { name: 'time', label: 'Time', values: [['total', 'Total', 1.2]] } },
    resource_statuses: Object.fromEntries(statuses),
  }
}

function figures({ place, server }) {
  return {
    processor: processorTime(server.pid),
    memory: shareOf(server.pid),
    disk: bytesIn(join(place, 'plumbline/var/server_data')),
  }
}

function bytesIn(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  )
}

function mib(bytes) {
  return (bytes / 1024 / 1024).toFixed(1)
}
