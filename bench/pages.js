// The pages before a store of two thousand nodes: the median of each over HTTP, as who looks at them waits for it.
//   npm run bench:pages [-- --nodes N] [--resources N] [--runs N] [--rounds N] [--folder DIR] [--check]
// With --check the exit status is 1 when a median is 100 ms or more. --folder keeps the store for the next time.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { createUnauthenticatedClient } from '#built/server/http/client.js'
import { parseParameters } from '#built/server/http/parameters.js'
import { openConsole } from '#built/server/ui/console.js'
import { Store } from '#built/store/thread/store.js'
import { fill } from '../test/server/pages/fill.js'

/** @returns {{ type: 'string', default: string }} */
const number = (value) => ({ type: 'string', default: String(value) })
const { values: options } = parseArgs({
  options: {
    nodes: number(2000),
    resources: number(500),
    runs: number(48),
    rounds: number(15),
    folder: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})

const promisedMs = 100
const commits = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40))
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'plumb-pages-'))
const isThere = existsSync(join(folder, 'store.db'))
mkdirSync(folder, { recursive: true })
const store = await Store.open({ folder, stuck: console.error })
if (!isThere) {
  const since = performance.now()
  const { nodes, resources, runs } = options
  await fill(store, {
    nodes: Number(nodes),
    resources: Number(resources),
    runs: Number(runs),
    now: Date.now(),
    commits,
  })
  console.log(
    `${nodes} nodes of ${resources} resources and ${runs} reports: ${Math.round((performance.now() - since) / 1000)} s`,
  )
}

const server = Fastify()
server.addHook('onRequest', async (request) => {
  const [path = '', search = ''] = request.url.split('?')
  const client = { ...createUnauthenticatedClient('127.0.0.1'), certname: 'admin' }
  request.call = { path: decodeURIComponent(path), query: parseParameters(search), client }
})
const status = commits.slice(-1).map((commit) => ({
  ...{ name: 'production', ref: 'refs/heads/production', commit, since: Date.now(), refused: undefined, warnings: [] },
}))
const { routes } = openConsole({
  store,
  environments: { status: async () => status },
  source: undefined,
  rollouts: undefined,
  now: () => Date.now(),
  unresponsiveAfter: 2 * 3600,
  nodeTtl: 7 * 24 * 3600,
  gate: /** @type {never} */ (undefined),
})
await server.register(routes)
const url = await server.listen({ port: 0, host: '127.0.0.1' })

/** @param {string} q */
const rows = async (q) => {
  const answer = await fetch(`${url}/ui/query/rows.json?q=${encodeURIComponent(q)}`)
  return /** @type {any[]} */ (await answer.json())
}
const [{ certname, hash }] = await rows('reports[certname, hash] { status = "failed" limit 1 }')
const [other] = await rows(`nodes[certname] { !(certname = "${certname}") limit 1 }`)
const pages = {
  overview: '/ui/',
  nodes: '/ui/nodes',
  'nodes, failed': '/ui/nodes?state=failed&sort=-report_timestamp',
  'nodes, by name': '/ui/nodes?name=web&offset=50',
  'nodes, by commit': `/ui/nodes?code_id=${commits.at(-1)}`,
  'a node': `/ui/nodes/${certname}`,
  'its facts': `/ui/nodes/${certname}/facts`,
  'its resources': `/ui/nodes/${certname}/resources`,
  'its history': `/ui/nodes/${certname}/history`,
  reports: '/ui/reports',
  'reports, failed': '/ui/reports?state=failed',
  'a report': `/ui/reports/${hash}`,
  deploys: '/ui/deploys',
  compare: `/ui/diff?a=${other.certname}&b=${certname}`,
  exported: '/ui/exported',
  query: `/ui/query?q=${encodeURIComponent('nodes[certname, report_timestamp] { }')}`,
  radiator: '/ui/radiator',
}

let isKept = true
console.log('page                  first   median  slowest      CPU')
for (const [name, path] of Object.entries(pages)) {
  const times = []
  let before = process.cpuUsage()
  for (let round = 0; round <= Number(options.rounds); round++) {
    const since = performance.now()
    const answer = await fetch(url + path)
    await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    times.push(performance.now() - since)
    if (round === 0) before = process.cpuUsage()
  }
  const { user, system } = process.cpuUsage(before)
  const [first, ...later] = times
  later.sort((a, b) => a - b)
  const median = later[Math.floor(later.length / 2)]
  if (median >= promisedMs) isKept = false
  const cpu = (user + system) / 1000 / later.length
  const told = [first, median, later.at(-1), cpu].map((ms) => `${ms.toFixed(0)} ms`.padStart(9))
  console.log(`${name.padEnd(18)}${told.join('')}`)
}
await server.close()
await store.close()
if (options.folder === undefined) rmSync(folder, { recursive: true })
process.exitCode = options.check && !isKept ? 1 : 0
