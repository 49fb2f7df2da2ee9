// A store that grows to N nodes: the cost of the last commands, of queries, memory and disk.
import { join } from 'node:path'
import { readCommand } from '#built/store/commands/read-command.js'
import { ingest } from '#built/store/ingest/ingest.js'
import { prepareNodeWrite } from '#built/store/ingest/write-locks.js'
import { openDatabase } from '#built/store/thread/open-database.js'
import { startPostgres } from '../../test/support/real-puppetdb.js'
import { processorTime, shareOf } from '../server/process.js'
import { inParallel, submit } from '../store/commands.js'
import { startOurs } from '../store/servers.js'
import { siteOf } from '../store/site.js'

const resources = 40
const atOnce = 8
/** Nodes whose commands are measured at each size. */
const sample = 400
/** Nodes whose small catalogs are stored in one transaction. */
const fillAtOnce = 100
/** Processor time of a measured series of equal queries, in milliseconds: the clock ticks every 10 ms. */
const leastQueryMs = 200
const mostQueries = 30

const constant = { unit: 'ms', atMost: 0.3, noise: 10 }

export const nodes = {
  name: 'nodes',
  title: 'nodes in the store',
  sizes: { full: [1000, 3000, 10_000, 30_000, 100_000], quick: [1000, 5000] },
  measurements: {
    catalog: { title: 'catalog of a new node', ...constant },
    unchanged: { title: 'unchanged catalog', ...constant },
    facts: { title: 'facts of a new node', ...constant },
    report: { title: 'report', ...constant },
    node: { title: 'query: one node', ...constant },
    reports: { title: 'query: last reports of one node', ...constant },
    fact: { title: 'query: a fact, 100 rows', ...constant },
    latest: { title: 'query: the 50 latest reports', ...constant },
    status: { title: 'query: nodes by status', unit: 'ms', atMost: 1.1, noise: 10 },
    value: { title: 'query: nodes with a fact value', unit: 'ms', atMost: 1.1, noise: 10 },
    resource: { title: 'query: nodes with a resource', unit: 'ms', atMost: 1.1, noise: 10 },
    memory: { title: 'memory of the server (PSS)', unit: 'MiB', atMost: 1.1, noise: 300 },
    disk: { title: 'disk', unit: 'MiB', atMost: 1.1, noise: 10 },
  },
  /** @param {{ folder: string, sizes: readonly number[], store: string, report(text: string): void }} options */
  async measure({ folder, sizes, store, report }) {
    const postgres = store === 'postgresql' ? await startPostgres(join(folder, 'database')) : undefined
    postgres?.psql('postgres', 'create database growth')
    const server = await startOurs(folder, postgres?.url('growth') ?? store)
    const site = siteOf({ nodes: Math.max(...sizes), resources })
    const small = siteOf({ nodes: Math.max(...sizes), resources: 10, facts: 12 })
    const database = await openDatabase(
      postgres
        ? { kind: 'postgresql', url: postgres.url('growth'), replicas: [] }
        : { kind: 'sqlite', file: join(folder, 'plumbline/var/server_data/store/store.db') },
    )
    /** @type {any[]} */
    const pids = [...server.pids, ...(postgres ? [postgres.pid()] : [])]
    const disk = () => (postgres ? Number(postgres.psql('growth', "select pg_database_size('growth')")) : server.disk())
    try {
      const results = []
      let before = 0
      for (const size of sizes) {
        const started = performance.now()
        await fill(database, small, before, size - sample)
        const costs = await measureCommands(server, pids, site, size)
        const queries = await measureQueries(server, pids, site.names[size >> 1])
        const memory = pids.reduce((sum, pid) => sum + shareOf(pid), 0) / 2 ** 20
        results.push({ size, ...costs, ...queries, memory, disk: disk() / 2 ** 20 })
        before = size
        report(`${size} nodes after ${((performance.now() - started) / 1000).toFixed(0)} s`)
      }
      return results
    } finally {
      await database.close()
      await server.stop()
      await postgres?.stop()
    }
  },
}

/**
 * Stores a small catalog, facts and a report of each node from one number to another. The rows are written directly, some
 * nodes in one transaction, because a hundred thousand nodes over HTTPS take hours.
 */
async function fill(database, site, from, to) {
  for (let at = from; at < to; at += fillAtOnce) {
    const names = site.names.slice(at, Math.min(to, at + fillAtOnce))
    const received = new Date().toISOString()
    const commands = names.flatMap((name) => [site.catalog(name, 0), site.facts(name), site.report(name)])
    await database.transaction(async (inside) => {
      await prepareNodeWrite(inside, names)
      for (const { command, version, payload } of commands) {
        const read = readCommand({ name: command, version, payload: Buffer.from(payload), received })
        await ingest(inside, read, Date.parse(received))
      }
    })
    // The driver frees statements in a turn of the event loop, and SQLite works without one.
    await new Promise((turn) => setImmediate(turn))
  }
}

/** Processor time in milliseconds of each kind of command of the last nodes before `size`. */
async function measureCommands(server, pids, site, size) {
  const names = site.names.slice(size - sample, size)
  const known = size === sample ? names : site.names.slice(0, sample)
  const costOf = async (list, commandOf) => {
    const commands = list.map(commandOf)
    const before = used(pids)
    await inParallel(commands, atOnce, (command) => submit(server, command))
    return (used(pids) - before) / commands.length
  }
  return {
    catalog: await costOf(names, (name) => site.catalog(name, 0)),
    facts: await costOf(names, site.facts),
    report: await costOf(names, site.report),
    unchanged: await costOf(known, (name) => site.catalog(name, size)),
  }
}

/** Processor time of each query, in milliseconds. */
async function measureQueries(server, pids, certname) {
  const ast = (query) => encodeURIComponent(JSON.stringify(query))
  const newest = `order_by=${ast([{ field: 'end_time', order: 'desc' }])}`
  const paths = {
    node: `nodes/${certname}`,
    reports: `reports?query=${ast(['=', 'certname', certname])}&${newest}&limit=10`,
    fact: 'facts/kernel?limit=100',
    latest: `reports?${newest}&limit=50`,
    status: `nodes?query=${ast(['extract', [['function', 'count'], 'latest_report_status'], ['group_by', 'latest_report_status']])}`,
    value: `inventory?query=${ast(['extract', [['function', 'count']], ['=', 'facts.osfamily', 'Suse']])}`,
    resource: `resources/File?query=${ast(['extract', [['function', 'count']], ['=', 'title', '/etc/role3/file-6.conf']])}`,
  }
  const costs = {}
  for (const [name, path] of Object.entries(paths))
    costs[name] = await measureQuery(server, pids, `/pdb/query/v4/${path}`)
  return costs
}

async function measureQuery(server, pids, path) {
  const ask = async () => {
    const { status, body } = await server.call('GET', path)
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  }
  for (let warm = 0; warm < 3; warm++) await ask()
  const before = used(pids)
  let count = 0
  while (count < mostQueries && (count < 3 || used(pids) - before < leastQueryMs)) {
    await ask()
    count++
  }
  return (used(pids) - before) / count
}

const used = (pids) => pids.reduce((sum, pid) => sum + processorTime(pid), 0)
