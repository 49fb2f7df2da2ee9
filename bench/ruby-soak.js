// Catalogs of a large site, one after the other in one process, whose Ruby runs each time: how many interpreters were lost,
// how many had grown too large, what they hold, and whether the same node always gets the same catalog.
//   npm run soak:ruby [-- --catalogs 10000] [--modules 280] [--minutes N] [--every 100] [--remembered]
// With --remembered the process remembers what Ruby answered, as a server does; facts of all nodes change after each has had
// four catalogs, of which three then have to equal the first.
// The exit status is 1 when an interpreter was lost or two catalogs differ.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { plainRequest } from '../test/support/plain-request.js'
import { everything, siteFiles } from './large/site.js'
import { unrulyFiles } from './ruby-soak/unruly.js'
import { watchInterpreters } from './ruby-soak/watch-interpreters.js'

const { values: options } = parseArgs({
  options: {
    catalogs: { type: 'string', default: '10000' },
    modules: { type: 'string', default: '280' },
    minutes: { type: 'string', default: 'Infinity' },
    every: { type: 'string', default: '100' },
    remembered: { type: 'boolean', default: false },
  },
})
// Read when the compiler is loaded.
if (!options.remembered) process.env['PLUMB_TRACES'] = 'off'
const { formatExactJson } = await import('#built/base/json/json-text.js')
const { compile } = await import('#built/compiler/compile.js')
const { openEnvironmentDirectory } = await import('#built/code/environments/environment-opener.js')
const { catalogToWire } = await import('#built/model/catalog-wire.js')
const { loadSettings } = await import('#built/machine/settings/settings.js')

/** So many nodes take turns: what one got is compared with what it gets the next time. */
const nodes = 25
/** Catalogs that a node gets before its facts change, where answers are remembered. */
const turns = 4
const mebibyte = 2 ** 20
const baseFacts = JSON.parse(readFileSync(fileURLToPath(new URL('../test/oracle/facts.json', import.meta.url)), 'utf8'))
const interpreters = watchInterpreters()
const folder = mkdtempSync(join(tmpdir(), 'plumb-ruby-soak-'))
try {
  process.exitCode = (await soak()) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Whether all went well. */
async function soak() {
  const environment = await makeSite()
  const known = new Map()
  const lost = []
  const differing = []
  const end = performance.now() + Number(options.minutes) * 60_000
  let made = 0
  for (; made < Number(options.catalogs) && performance.now() < end; made++) {
    const round = made % nodes
    if (options.remembered && made % (nodes * turns) === 0) known.clear()
    try {
      const digest = digestOf(compile(requestOf(environment, round, versionOf(made))))
      if ((known.get(round) ?? digest) !== digest) differing.push(made)
      known.set(round, digest)
    } catch (error) {
      lost.push(`catalog ${made}: ${error.message}`)
    }
    if ((made + 1) % Number(options.every) === 0) report(made + 1, lost, differing)
  }
  report(made, lost, differing)
  for (const each of lost.slice(0, 3)) console.log(each)
  return lost.length === 0 && differing.length === 0
}

function report(made, lost, differing) {
  const { rss, heapUsed } = process.memoryUsage()
  const figures = [
    new Date().toISOString().slice(11, 19),
    `${made} catalogs`,
    `${(process.cpuUsage().user / 1e6 / made).toFixed(2)} s of CPU each`,
    `${lost.length} failed`,
    `${differing.length} differ`,
    `${interpreters.started() - 1} interpreters replaced`,
    `Ruby's memory ${Math.round(interpreters.memorySize() / mebibyte)} MiB`,
    `${interpreters.calls()} calls of Ruby`,
    `process ${Math.round(rss / mebibyte)} MiB, JavaScript ${Math.round(heapUsed / mebibyte)} MiB`,
  ]
  console.log(figures.join(', '))
}

async function makeSite() {
  const files = { ...Object.fromEntries(siteFiles({ modules: Number(options.modules), nodes: 0 })), ...unrulyFiles }
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, path === 'manifests/site.pp' ? `include unruly\n${text}` : text)
  }
  const { environment } = await openEnvironmentDirectory(
    { directory: folder, name: 'production' },
    loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } }),
  )
  return environment
}

/** The version of the facts by which a catalog is made. */
function versionOf(made) {
  return options.remembered ? Math.floor(made / (nodes * turns)) : 0
}

/** Facts differ from node to node, so that what templates say has to be made again. */
function requestOf(environment, round, version) {
  const models = Array.from({ length: 4 }, (_, index) => `model ${round}.${index}.${version}`)
  return plainRequest(environment, {
    node: { name: everything, environment: 'production', parameters: {}, classes: [] },
    facts: { ...baseFacts, round, processors: { count: round + 1 + version, models } },
    trusted: { certname: everything },
  })
}

function digestOf({ catalog }) {
  return createHash('sha256')
    .update(formatExactJson(catalogToWire(catalog, { richData: true })))
    .digest('hex')
}
