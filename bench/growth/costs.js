// Costs of operations on this machine, for `plumb plan capacity --costs`: a server with PostgreSQL, two sizes of catalogs.
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../../test/support/real-puppetdb.js'
import { certnames, fleetCertificates } from '../fleet/certificates.js'
import { fleetRepository } from '../fleet/site.js'
import { freePort } from '../free-port.js'
import { agentOf, catalogRequest } from '../server/client.js'
import { startPlumbline } from '../server/plumbline.js'
import { processorTime } from '../server/process.js'
import { agentRun } from '../soak/agent-run.js'
import { nodeFacts } from '../soak/node-facts.js'
import { nodeReport } from '../soak/node-report.js'
import { median } from './fit.js'

const roles = 10
const nodes = 20
/** Services of the two sites; a catalog has three resources for each. */
const sizes = [40, 240]
const idleSeconds = 5

/**
 * Measures the costs. `processor` is that of the clients, for a validation on one machine.
 * @param {{ folder: string, rounds: number, report(text: string): void }} options
 */
export async function measureCosts({ folder, rounds, report }) {
  chmodSync(folder, 0o755)
  const { ca, identity } = await fleetCertificates(folder, certnames(nodes, roles))
  const postgres = await startPostgres(join(folder, 'costs-database'))
  /** @type {any[]} */
  const results = []
  try {
    for (const services of sizes) {
      const place = { folder, ca, identity, postgres, services, rounds }
      const compiled = await measureCompilations(place)
      results.push({ ...(await measureRuns(place)), ...compiled })
      report(`costs of catalogs with ${results.at(-1).resources} resources: ${JSON.stringify(results.at(-1))}`)
    }
  } finally {
    await postgres.stop()
  }
  return toCosts(results)
}

async function startServer({ folder, postgres, services }, settings) {
  const database = `costs${services}${settings.length}`
  postgres.psql('postgres', `create database ${database}`)
  rmSync(join(folder, 'plumbline/var'), { recursive: true, force: true })
  const repository = fleetRepository(folder, roles, services)
  const store = ['--store', postgres.url(database), '--compile_ahead_workers', '0']
  const server = await startPlumbline(folder, { repository, port: await freePort(), settings: [...store, ...settings] })
  return { server, repository }
}

/** Compiled catalogs: nothing is recalled. */
async function measureCompilations(place) {
  const { server } = await startServer(place, ['--no-catalog_traces'])
  const agents = connectAgents(place)
  try {
    const ask = (at, run) => agents[at].call(server, catalogRequest(factsOf(at, run)))
    for (let run = 0; run < 5; run++) for (const at of agents.keys()) await ask(at, run)
    const before = processorTime(server.pid)
    for (let run = 0; run < place.rounds; run++) for (const at of agents.keys()) await ask(at, run + 5)
    return { compile: (processorTime(server.pid) - before) / (place.rounds * nodes) }
  } finally {
    for (const agent of agents) agent.close()
    await server.stop()
  }
}

/** Whole runs, and recalled catalogs and reports alone. */
async function measureRuns(place) {
  const { server, repository } = await startServer(place, [])
  const agents = connectAgents(place)
  const bytes = { sent: 0, received: 0 }
  const failures = []
  const wholeRun = (at, run) =>
    agentRun({
      ...{ port: server.port, ca: place.ca, certname: nameOf(at), identity: place.identity(nameOf(at)) },
      ...{ localAddress: `127.1.0.${at + 1}`, run, judge: () => undefined, extra: { role: at % roles }, backs: false },
      heard({ kind, failure, sent, received }) {
        if (failure !== undefined) failures.push(`${kind}: ${failure}`)
        bytes.sent += sent
        bytes.received += received
      },
    })
  const database = () => processorTime(place.postgres.pid())
  const inRounds = async (work, first) => {
    const before = used(server, database)
    for (let run = 0; run < place.rounds; run++) for (const at of agents.keys()) await work(at, first + run)
    // Wall clock: the store writes behind the responses.
    await delay(2000)
    const after = used(server, database)
    const count = place.rounds * nodes
    return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, (value - before[name]) / count]))
  }
  try {
    for (let run = 0; run < 3; run++) for (const at of agents.keys()) await wholeRun(at, run)
    Object.assign(bytes, { sent: 0, received: 0 })
    const whole = await inRounds(wholeRun, 3)
    const traffic = { sent: bytes.sent / (place.rounds * nodes), received: bytes.received / (place.rounds * nodes) }
    const ask = (at, run) => agents[at].call(server, catalogRequest(factsOf(at, run)))
    const recall = await inRounds(ask, 1000)
    const catalog = JSON.parse((await ask(0, 0)).bytes)
    const send = (at) => agents[at].call(server, reportRequest(nameOf(at), catalog))
    const report = await inRounds(send, 0)
    const idleBefore = processorTime(server.pid)
    // Wall clock: the work of a server without requests is counted per second.
    await delay(idleSeconds * 1000)
    const idle = (processorTime(server.pid) - idleBefore) / idleSeconds
    const push = await measurePushes(server, repository)
    if (failures.length > 0) throw new Error(`${failures.length} requests failed: ${failures[0]}`)
    return { resources: catalog.resources.length, whole, recall, report, idle, push, traffic }
  } finally {
    for (const agent of agents) agent.close()
    await server.stop()
  }
}

/** Median processor time of a push that changes a comment. */
async function measurePushes(server, repository) {
  const costs = []
  for (let number = 0; number < 3; number++) {
    // The fifth kind of commit changes a comment.
    repository.commit(number * 5 + 4)
    const before = processorTime(server.pid)
    await server.deploy()
    costs.push(processorTime(server.pid) - before)
  }
  return median(costs)
}

const used = ({ pid }, database) => ({
  server: processorTime(pid),
  loop: loopTime(pid),
  database: database(),
  client: clientTime(),
})

/** Processor time of the main thread, in milliseconds. */
function loopTime(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

/** Processor time of this process, in milliseconds. */
function clientTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const nameOf = (at) => certnames(nodes, roles)[at]

const connectAgents = ({ identity, ca }) =>
  Array.from({ length: nodes }, (_, at) => agentOf({ ...identity(nameOf(at)), ca, inline: true }))

function factsOf(at, run) {
  const facts = nodeFacts(nameOf(at), run)
  return { ...facts, values: { ...facts.values, role: at % roles } }
}

const reportRequest = (name, catalog) => ({
  method: 'PUT',
  path: `/puppet/v3/report/${name}?environment=production`,
  body: JSON.stringify(nodeReport(name, catalog)),
  type: 'application/json',
})

/**
 * Fixed parts and parts for each resource, from the two sizes.
 * @param {any[]} results
 */
function toCosts([small, large]) {
  const resources = large.resources - small.resources
  const fit = (pick) => {
    const slope = Math.max(0, (pick(large) - pick(small)) / resources)
    return { fixed: Math.max(0, pick(small) - slope * small.resources), slope }
  }
  const [recall, compile, report] = [
    fit((each) => each.recall.server),
    fit((each) => each.compile),
    fit((each) => each.report.server),
  ]
  const traffic = {
    sent: fit((each) => each.traffic.sent / 1024),
    received: fit((each) => each.traffic.received / 1024),
  }
  const middle = (pick) => (pick(small) + pick(large)) / 2
  return {
    costs: {
      machine: `${cpus()[0].model.trim()}, measured on ${new Date().toISOString().slice(0, 10)}`,
      requestsMs: Math.max(
        0,
        middle(({ whole, ...each }) => whole.server - each.recall.server - each.report.server),
      ),
      recallMs: recall.fixed,
      recallResourceMs: recall.slope,
      compileMs: compile.fixed,
      compileResourceMs: compile.slope,
      reportMs: report.fixed,
      reportResourceMs: report.slope,
      loopShare: middle(({ whole }) => whole.loop / whole.server),
      pushMs: middle((each) => each.push),
      idleMs: middle((each) => each.idle),
      databaseRunMs: middle(({ whole }) => whole.database),
      receivedKib: traffic.sent.fixed,
      receivedResourceKib: traffic.sent.slope,
      sentKib: traffic.received.fixed,
      sentResourceKib: traffic.received.slope,
    },
    /** Processor time of a simulated agent for a run, in milliseconds. */
    clientMs: middle(({ whole }) => whole.client),
  }
}
