// A fleet of agents, each with its own certificate, in the rhythm of real ones, while commits land: no errors, the right
// commit and the right content in each catalog; times by kind of request, how catalogs came about, memory, event loop.
//   npm run bench:fleet [-- --nodes N] [--interval SECONDS] [--minutes N] [--commits SECONDS] [--roles N] [--ahead N] [--check]
// With --check the exit status is 1 when an answer was wrong. Certificates are kept in a folder for the next time.
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { certnames, fleetCertificates } from './fleet/certificates.js'
import { Figures } from './fleet/figures.js'
import { expectedText, fleetRepository } from './fleet/site.js'
import { freePort } from './free-port.js'
import { agentOf } from './server/client.js'
import { startPlumbline } from './server/plumbline.js'
import { memoryOf, processorTime } from './server/process.js'
import { agentRun } from './soak/agent-run.js'

/** @returns {{ type: 'string', default: string }} */
const text = (value) => ({ type: 'string', default: String(value) })
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    nodes: text(2000),
    interval: text(300),
    minutes: text(10),
    commits: text(60),
    roles: text(20),
    ahead: text(1),
    store: text('sqlite'),
    folder: text(join(tmpdir(), 'plumb-fleet')),
  },
})
const [nodes, interval, minutes, everyCommit, roles] = [
  options.nodes,
  options.interval,
  options.minutes,
  options.commits,
  options.roles,
].map(Number)
const { folder } = options

console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
const names = certnames(nodes, roles)
const began = performance.now()
const { ca, identity } = await fleetCertificates(folder, names)
console.log(`${nodes} certificates are there after ${((performance.now() - began) / 1000).toFixed(0)} s`)
const repository = fleetRepository(folder, roles)
const server = await startPlumbline(folder, {
  repository,
  port: await freePort(),
  settings: ['--store', options.store, '--compile_ahead_workers', options.ahead],
})
const admin = adminOf()
/** Commits, with the times at which each was pushed and known to be served. */
const history = [{ ...repository.first, pushed: 0, served: 0 }]
/** The fleet's first round, in which nothing is known of it, and all later ones. */
const phases = [new Figures(), new Figures()]
const delays = []
try {
  const started = performance.now()
  const cpuBefore = processorTime(server.pid)
  const until = started + minutes * 60_000
  const looking = watch(until)
  await Promise.all([...names.map((name, at) => node(name, at, started, until)), commit(started, until), looking])
  await report(processorTime(server.pid) - cpuBefore, performance.now() - started)
} finally {
  admin.close()
  await server.stop()
}

/** One node: a run in each interval, at its own moment. */
async function node(certname, at, started, until) {
  const role = at % roles
  const localAddress = `127.1.${at >> 8}.${at & 255}`
  for (let run = 0; ; run++) {
    const due = started + (run + at / nodes) * interval * 1000
    if (due >= until) return
    await delay(Math.max(0, due - performance.now()))
    const figures = phases[Math.min(run, 1)]
    figures.late = Math.max(figures.late, performance.now() - due)
    const heard = (each) => figures.heard(each)
    const judge = (catalog, { origin, asked, ms }) => {
      figures.origin(origin, ms)
      return wrongIn(catalog, { certname, role, asked })
    }
    const own = { extra: { role: String(role) }, backs: false }
    await agentRun({
      port: server.port,
      ca,
      identity: identity(certname),
      certname,
      localAddress,
      run,
      heard,
      judge,
      ...own,
    })
    figures.runs++
  }
}

/** What is wrong with a catalog that was asked for at a time and has come now; `undefined` for a right one. */
function wrongIn({ name, code_id, resources }, { certname, role, asked }) {
  const now = performance.now()
  const lastServed = history.findLastIndex(({ served }) => served <= asked)
  const possible = history.filter(({ pushed }, at) => at >= lastServed && pushed <= now)
  const commit = possible.find(({ id }) => id === code_id)
  if (name !== certname) return `the catalog is of ${name}`
  if (!commit) return `the code_id is ${code_id}, and not ${possible.map(({ id }) => id).join(' or ')}`
  const { content } = resources.find(({ title }) => title === '/etc/fleet/role').parameters
  const expected = expectedText(commit.state, role)
  return content === expected ? undefined : `the content is ${content} and not ${expected}`
}

/** Commits from the second interval on, each deployed as a hook does. */
async function commit(started, until) {
  for (let number = 1; ; number++) {
    const due = started + interval * 1000 + number * everyCommit * 1000
    if (due + 5000 >= until) return
    await delay(Math.max(0, due - performance.now()))
    const next = { ...repository.commit(number), pushed: performance.now(), served: Number.POSITIVE_INFINITY }
    history.push(next)
    await deployed()
    next.served = performance.now()
  }
}

/** Pushes, and waits until the server says that it serves the commit. */
async function deployed() {
  repository.push()
  const id = history.at(-1)?.id
  for (;;) {
    const { environments } = (await status('server')).status
    if (environments[0].commit === id) return
    await delay(100)
  }
}

/** Looks at the event loop of the server, once a minute. */
async function watch(until) {
  while (performance.now() < until) {
    await delay(Math.min(60_000, Math.max(1000, until - performance.now())))
    delays.push((await status('status-service')).status['event-loop-delay-ms'])
  }
}

function adminOf() {
  const { key, cert } = identity('admin.fleet.test')
  return agentOf({ key, cert, ca, inline: true })
}

async function status(service) {
  const { bytes } = await admin.call(server, { method: 'GET', path: `/status/v1/services/${service}?level=debug` })
  return JSON.parse(bytes)
}

async function report(cpu, wall) {
  const pool = (await status('server')).status['compile-pool']
  const { now, peak } = memoryOf(server.pid)
  for (const [at, figures] of phases.entries()) {
    if (figures.runs === 0) continue
    console.log(
      `\n${at === 0 ? 'The first round: nothing is known of any node' : 'Later rounds, while commits land'}: ${figures.runs} runs`,
    )
    const rows = [['', 'number', 'median', 'p99', 'most, in ms'], ...figures.rows()]
    for (const row of rows)
      console.log(row.map((cell, column) => (column === 0 ? cell.padEnd(34) : cell.padStart(12))).join(''))
    console.log(
      `recalled: ${(100 * figures.share('recalled')).toFixed(1)} %; runs began at most ${figures.late.toFixed(0)} ms late`,
    )
  }
  console.log(
    `\n${history.length - 1} commits of kinds ${[...new Set(history.slice(1).map(({ kind }) => kind))].join(', ')}`,
  )
  console.log(`pool: ${JSON.stringify(pool)}`)
  console.log(
    `memory: ${(now / 2 ** 20).toFixed(0)} MiB, at most ${(peak / 2 ** 20).toFixed(0)} MiB; processors: ${((100 * cpu) / wall).toFixed(0)} % of one`,
  )
  console.log(
    `event loop, by minute: p99 ${delays.map(({ p99 }) => p99).join(', ')} ms; most ${delays.map(({ max }) => max).join(', ')} ms`,
  )
  const errors = phases.flatMap((figures) => figures.errors)
  console.log(
    errors.length === 0
      ? 'No answer was wrong'
      : `${errors.length} answers were WRONG: ${[...new Set(errors)].slice(0, 10).join('\n')}`,
  )
  console.log(`load ${loadavg()[0].toFixed(1)} at the end`)
  if (options.check && errors.length > 0) process.exitCode = 1
}
