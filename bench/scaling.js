// Whole runs of agents against one, two and four processes that share a repository and a PostgreSQL: runs a second, times,
// processor time of the servers a run, memory of each.
//   npm run bench:scaling [-- --processes 1,2,4] [--seconds N] [--nodes N] [--clients N] [--again SHARE]
//     [--warm-up RUNS] [--predict]
// All is on one machine: with fewer processors than processes the processor time of a run says more than runs a second.
// Without --again, all nodes have asked each server before anything is counted. With --again 0.8, 80 % of the runs are of nodes
// that have asked the server before, the others of new nodes: a fleet of 10,000 nodes need not ask each server first. Each
// server then has 200 runs before anything is counted, since the first ones are slow (--warm-up).
// With --predict the costs of operations are measured first, and the model of `plumb plan capacity` predicts each result.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandomNumbers } from '#built/cli/plan/random-numbers.js'
import { startPostgres } from '../test/support/real-puppetdb.js'
import { certnames, fleetCertificates } from './fleet/certificates.js'
import { Figures } from './fleet/figures.js'
import { sharedKeyIdentities } from './fleet/shared-key.js'
import { fleetRepository } from './fleet/site.js'
import { freePort } from './free-port.js'
import { measureCosts } from './growth/costs.js'
import { comparePrediction } from './scaling/prediction.js'
import { startPlumbline } from './server/plumbline.js'
import { memoryOf, processorTime } from './server/process.js'
import { agentRun } from './soak/agent-run.js'

/** @returns {{ type: 'string', default: string }} */
const text = (value) => ({ type: 'string', default: String(value) })
const { values: options } = parseArgs({
  options: {
    ...{ processes: text('1,2,4'), seconds: text(30), nodes: text(40), clients: text(8), rounds: text(5) },
    'warm-up': text(200),
    again: { type: 'string' },
    predict: { type: 'boolean', default: false },
  },
})
const [seconds, nodes, clients] = [options.seconds, options.nodes, options.clients].map(Number)
const again = options.again === undefined ? undefined : Number(options.again)
const roles = 20
const folder = mkdtempSync(join(tmpdir(), 'plumb-scaling-'))
const names = certnames(nodes, roles)

console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
// The database has a user of its own.
chmodSync(folder, 0o755)
const { ca } = await fleetCertificates(folder, [])
const identity = await sharedKeyIdentities(folder)
const costs = options.predict
  ? await measureCosts({ folder: made('costs'), rounds: Number(options.rounds), report: console.log })
  : undefined
const repository = fleetRepository(folder, roles)
const postgres = await startPostgres(made('database'))
try {
  for (const count of options.processes.split(',').map(Number)) await measure(count)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

function made(name) {
  const path = join(folder, name)
  mkdirSync(path)
  chmodSync(path, 0o755)
  return path
}

/** A server with a folder of its own, of the fleet's authority. */
async function server(number, store) {
  const own = join(folder, `server${number}`)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(join(own, 'plumbline/etc'), { recursive: true })
  cpSync(join(folder, 'plumbline/etc/ssl'), join(own, 'plumbline/etc/ssl'), { recursive: true })
  return startPlumbline(own, { repository, port: await freePort(), settings: ['--store', store] })
}

/** Chooses the node and the server of each run. */
function scheduler(count) {
  const random = createRandomNumbers(1)
  const known = Array.from({ length: count }, () => /** @type {number[]} */ ([]))
  const busy = new Set()
  let number = 0
  const chooseNode = (at) => {
    if (again === undefined) return Math.floor(number / count) % nodes
    const seen = known[at]
    if (seen.length > 0 && random() < again) return seen[Math.floor(random() * seen.length)]
    const node = Math.floor(random() * nodes)
    seen.push(node)
    return node
  }
  return async (work) => {
    const at = number % count
    const node = chooseNode(at)
    number++
    // A node has one run at a time.
    if (busy.has(node)) return
    busy.add(node)
    try {
      await work(node, at)
    } finally {
      busy.delete(node)
    }
  }
}

async function measure(count) {
  const database = `store${count}`
  postgres.psql('postgres', `create database ${database}`)
  const servers = []
  for (let number = 0; number < count; number++) servers.push(await server(number, postgres.url(database)))
  const runs = new Map()
  let resources = 0
  const schedule = scheduler(count)
  const run = (figures) =>
    schedule(async (node, at) => {
      const number = runs.get(node) ?? 0
      runs.set(node, number + 1)
      const judge = (catalog, { origin, ms }) => {
        resources = catalog.resources.length
        figures.origin(origin ?? 'compiled', ms)
      }
      await agentRun({
        ...{ port: servers[at].port, ca, certname: names[node], identity: await identity(names[node]) },
        ...{ localAddress: `127.1.${(node >> 8) & 255}.${node & 255 || 255}`, run: number, judge },
        ...{ heard: (said) => figures.heard(said), extra: { role: node % roles }, backs: false },
      })
      figures.runs++
    })
  const rounds = async (figures, until) => {
    const one = async () => {
      while (!until()) await run(figures)
    }
    await Promise.all(Array.from({ length: clients }, one))
  }
  try {
    const warm = new Figures()
    const warmRuns = again === undefined ? nodes * count * 2 : Number(options['warm-up']) * count
    await rounds(warm, () => warm.runs >= warmRuns)
    const figures = new Figures()
    const before = used(servers)
    const started = performance.now()
    await rounds(figures, () => performance.now() >= started + seconds * 1000)
    const elapsed = (performance.now() - started) / 1000
    const after = used(servers)
    const taken = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]))
    print(count, figures, { servers, elapsed, taken, distinct: runs.size })
    if (costs)
      for (const line of comparePrediction(costs, { count, figures, elapsed, taken, resources })) console.log(line)
  } finally {
    await Promise.all(servers.map((each) => each.stop()))
  }
}

/** Processor time in milliseconds: of the servers, of PostgreSQL, and of the simulated agents. */
function used(servers) {
  const { user, system } = process.cpuUsage()
  return {
    servers: servers.reduce((sum, { pid }) => sum + processorTime(pid), 0),
    database: processorTime(postgres.pid()),
    clients: (user + system) / 1000,
  }
}

function print(count, figures, { servers, elapsed, taken, distinct }) {
  const memory = servers.map(({ pid }) => `${(memoryOf(pid).now / 2 ** 20).toFixed(0)} MiB`)
  console.log(`\n${count} ${count === 1 ? 'process' : 'processes'}: ${(figures.runs / elapsed).toFixed(1)} runs a second, \
${(taken.servers / figures.runs).toFixed(0)} ms of the servers' processor time a run, \
${memory.join(' + ')}, ${distinct} nodes, ${figures.errors.length} errors\
${figures.errors.length > 0 ? `: ${figures.errors[0]}` : ''}`)
  for (const row of figures.rows())
    console.log(
      `  ${row[0].padEnd(28)}${row
        .slice(1)
        .map((each) => each.padStart(10))
        .join('')}`,
    )
}
