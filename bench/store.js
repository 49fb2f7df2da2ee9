// Our store (SQLite, in the server) beside PuppetDB 7.12 on PostgreSQL: catalogs of a made-up site, first and again, then the
// questions of puppetboard; memory and disk. All in turn, in one run.
//   npm run bench:store [-- --check] [--nodes 2000] [--resources 500] [--rounds 20] [--at-once 16] [--store sqlite|ADDRESS]
// With --check the exit status is 1 when the promises are not kept.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { datasetNames, questionsOf } from '../test/store/query/clients.js'
import { hasPuppetDb } from '../test/support/real-puppetdb.js'
import { memoryOf, processorTime, shareOf } from './server/process.js'
import { mib, ms, printTable, times } from './server/report.js'
import { inParallel, submit } from './store/commands.js'
import { startOurs, startTheirs } from './store/servers.js'
import { siteOf } from './store/site.js'

/** How much better ours is promised to be. */
const promises = { first: 2, unchanged: 5, query: 5, memory: 5, disk: 3 }

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '2000' },
    resources: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '16' },
    memory: { type: 'string', default: '-Xmx512m' },
    store: { type: 'string', default: 'sqlite' },
    alone: { type: 'boolean', default: false },
  },
})
const count = (name) => Number(options[name])
const folder = mkdtempSync(join(tmpdir(), 'plumb-store-bench-'))
chmodSync(folder, 0o755)
const running = []
try {
  process.exitCode = (await compare()) || !options.check ? 0 : 1
} finally {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare() {
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  const servers = [await startOurs(made('ours'), options.store)]
  running.push(servers[0])
  if (!hasPuppetDb) console.log('PuppetDB is not installed here: ours alone')
  else if (!options.alone) servers.push(await startTheirs(made('theirs'), options.memory))
  if (servers[1]) running.push(servers[1])
  const site = siteOf({ nodes: count('nodes'), resources: count('resources') })
  const first = await ingest(servers, site, (name) => site.catalog(name, 0))
  const again = [1, 2, 3].map((round) => (name) => site.catalog(name, round))
  const unchanged = []
  for (const catalogs of again) unchanged.push(await ingest(servers, site, catalogs))
  const facts = await ingest(servers, site, site.facts)
  const reports = await ingest(servers, site, site.report)
  const queries = await ask(servers)
  const memory = servers.map(({ pids }) => sum(pids.map((pid) => memoryOf(pid).now)))
  const share = servers.map(({ pids }) => sum(pids.map(shareOf)))
  const disk = servers.map((server) => server.disk())
  console.log(`load ${loadavg()[0].toFixed(1)} at the end\n`)
  return report(servers, { first, unchanged: added(unchanged), facts, reports, queries, memory, share, disk })
}

function made(name) {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

function sum(numbers) {
  return numbers.reduce((all, each) => all + each, 0)
}

function middle(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
}

/** Sends a command of each node to each server, a tenth of the nodes in turn; milliseconds until all are stored. */
async function ingest(servers, { names }, commandOf) {
  const spent = servers.map(() => ({ wall: 0, processor: 0 }))
  const part = Math.max(1, Math.ceil(names.length / 10))
  for (let from = 0; from < names.length; from += part) {
    const commands = names.slice(from, from + part).map(commandOf)
    for (const [at, server] of servers.entries()) {
      const [began, used] = [performance.now(), usedBy(server)]
      await inParallel(commands, count('at-once'), (command) => submit(server, command))
      spent[at].wall += performance.now() - began
      spent[at].processor += usedBy(server) - used
    }
  }
  return spent
}

function usedBy({ pids }) {
  return sum(pids.map(processorTime))
}

function added(runs) {
  return runs[0].map((_, at) => ({
    wall: sum(runs.map((run) => run[at].wall)) / runs.length,
    processor: sum(runs.map((run) => run[at].processor)) / runs.length,
  }))
}

/** Each question to each server in turn; the median of its rounds. */
async function ask(servers) {
  const questions = []
  for (const server of servers) questions.push(await pathsOf(server))
  const rows = []
  for (const [place, path] of questions[0].entries()) {
    const taken = servers.map(() => [])
    const sizes = []
    for (let round = 0; round <= count('rounds'); round++)
      for (const [at, server] of servers.entries()) {
        const began = performance.now()
        const { status, body } = await server.call('GET', questions[at][place])
        if (status !== 200) throw new Error(`${server.name}: ${path}: ${status} ${body}`)
        // The first warms up.
        if (round > 0) taken[at].push(performance.now() - began)
        sizes[at] = body.length
      }
    rows.push({ path, sizes, medians: taken.map(middle) })
  }
  return rows
}

/** What puppetboard asks a server of its first node, on all of its pages. */
async function pathsOf({ call }) {
  const query = encodeURIComponent(JSON.stringify(['=', 'certname', datasetNames.node]))
  const { body } = await call('GET', `/pdb/query/v4/reports?query=${query}`)
  const [{ hash }] = JSON.parse(body.toString())
  const names = { ...datasetNames, 'other node': 'node1.example.com', fact: 'kernel', value: 'Linux', report: hash }
  return questionsOf('puppetboard', names).map(({ question }) => question.path)
}

function report(servers, { first, unchanged, facts, reports, queries, memory, share, disk }) {
  const perSecond = ({ wall }) => `${((count('nodes') / wall) * 1000).toFixed(1)}/s`
  const kept = []
  const row = (what, values, shown, promised) => {
    const ratio = values[1] === undefined ? undefined : values[1] / values[0]
    if (promised !== undefined && ratio !== undefined) kept.push(ratio >= promised)
    return [what, ...values.map(shown), ratio === undefined ? '' : times(ratio), promised ? `${promised}x` : '']
  }
  const walls = (what, spent, promised) => [
    row(
      `${what}, a second`,
      spent.map(({ wall }) => wall),
      (wall) => perSecond({ wall }),
      promised,
    ),
    row(
      `${what}, processor time of one`,
      spent.map(({ processor }) => processor / count('nodes')),
      ms,
    ),
  ]
  const medians = servers.map((_, at) => middle(queries.map((query) => query.medians[at])))
  const ratios = queries.map(({ medians: [ours, theirs] }) => theirs / ours)
  printTable(
    [
      ...walls('first catalogs', first, promises.first),
      ...walls('unchanged catalogs', unchanged, promises.unchanged),
      ...walls('facts', facts),
      ...walls('reports', reports),
      row('queries of puppetboard, median', medians, ms, promises.query),
      row('memory (RSS)', memory, mib, promises.memory),
      row('memory (PSS)', share, mib),
      row('disk', disk, mib, promises.disk),
    ],
    servers.map(({ name }) => name),
  )
  if (servers.length > 1) console.log(`\nmedian of the queries' ratios: ${times(middle(ratios))}\n`)
  const slow = [...queries].sort((a, b) => a.medians[1] / a.medians[0] - b.medians[1] / b.medians[0])
  for (const { path, medians: taken, sizes } of slow)
    console.log(
      `${taken.map(ms).join('  ').padEnd(22)} ${sizes.join(' ').padEnd(18)} ${decodeURIComponent(path).slice(14, 150)}`,
    )
  return kept.every(Boolean)
}
