// Whole runs of agents against one, two and four processes that share a repository and a PostgreSQL: runs a second, times,
// processor time of the servers a run, memory of each.
//   npm run bench:scaling [-- --processes 1,2,4] [--seconds N] [--nodes N] [--clients N]
// All is on one machine: with fewer processors than processes the processor time of a run says more than runs a second.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/real-puppetdb.js'
import { certnames, fleetCertificates } from './fleet/certificates.js'
import { Figures } from './fleet/figures.js'
import { fleetRepository } from './fleet/site.js'
import { freePort } from './free-port.js'
import { startPlumbline } from './server/plumbline.js'
import { memoryOf, processorTime } from './server/process.js'
import { agentRun } from './soak/agent-run.js'

/** @returns {{ type: 'string', default: string }} */
const text = (value) => ({ type: 'string', default: String(value) })
const { values: options } = parseArgs({
  options: { processes: text('1,2,4'), seconds: text(30), nodes: text(40), clients: text(8) },
})
const [seconds, nodes, clients] = [options.seconds, options.nodes, options.clients].map(Number)
const roles = 20
const folder = mkdtempSync(join(tmpdir(), 'plumb-scaling-'))
const names = certnames(nodes, roles)

console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
const { ca, identity } = await fleetCertificates(folder, names)
const repository = fleetRepository(folder, roles)
// The database has a user of its own.
chmodSync(folder, 0o755)
const postgres = await startPostgres(join(folder, 'database'))
try {
  for (const count of options.processes.split(',').map(Number)) await measure(count)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A server with a folder of its own, of the fleet's authority. */
async function server(number, store) {
  const own = join(folder, `server${number}`)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(join(own, 'plumbline/etc'), { recursive: true })
  cpSync(join(folder, 'plumbline/etc/ssl'), join(own, 'plumbline/etc/ssl'), { recursive: true })
  return startPlumbline(own, { repository, port: await freePort(), settings: ['--store', store] })
}

async function measure(count) {
  const database = `store${count}`
  postgres.psql('postgres', `create database ${database}`)
  const servers = []
  for (let number = 0; number < count; number++) servers.push(await server(number, postgres.url(database)))
  const runs = new Map()
  const run = async (at, figures) => {
    const number = runs.get(at) ?? 0
    runs.set(at, number + 1)
    await agentRun({
      ...{ port: servers[(at + number) % count].port, ca, certname: names[at], identity: identity(names[at]) },
      ...{ localAddress: `127.1.0.${at + 1}`, run: number, heard: (said) => figures.heard(said) },
      ...{ judge: () => undefined, extra: { role: at % roles }, backs: false },
    })
    figures.runs++
  }
  const rounds = async (figures, until) => {
    let next = 0
    const one = async () => {
      while (!until()) await run(next++ % nodes, figures)
    }
    await Promise.all(Array.from({ length: clients }, one))
  }
  try {
    // Each node has asked each server before anything is counted.
    const warm = new Figures()
    await rounds(warm, () => warm.runs >= nodes * count * 2)
    const figures = new Figures()
    const before = servers.reduce((sum, { pid }) => sum + processorTime(pid), 0)
    const end = performance.now() + seconds * 1000
    await rounds(figures, () => performance.now() >= end)
    const taken = servers.reduce((sum, { pid }) => sum + processorTime(pid), 0) - before
    console.log(`\n${count} ${count === 1 ? 'process' : 'processes'}: ${(figures.runs / seconds).toFixed(1)} runs a second, \
${(taken / figures.runs).toFixed(0)} ms of the servers' processor time a run, \
${servers.map(({ pid }) => `${(memoryOf(pid).now / 2 ** 20).toFixed(0)} MiB`).join(' + ')}, \
${figures.errors.length} errors${figures.errors.length > 0 ? `: ${figures.errors[0]}` : ''}`)
    for (const row of figures.rows())
      console.log(
        `  ${row[0].padEnd(28)}${row
          .slice(1)
          .map((each) => each.padStart(10))
          .join('')}`,
      )
  } finally {
    await Promise.all(servers.map((each) => each.stop()))
  }
}
