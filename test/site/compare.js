// A site of Debian's modules, applied for real by real Puppet and by ours, each in a Debian of its own, twice. What they
// printed, their reports (statuses and events of each resource), the files of both with bytes, modes and owners, packages,
// processes, users, jobs, services and databases are equal, but for what is listed here and in the files beside.
//   npm run site [-- --apply] [--folder /var/cache/plumb-site] [--keep]
// Each agent has a server of its own: real Puppet Server, or ours with the same code as a commit. With --apply there is none,
// and `puppet apply` stands beside `plumb apply`. Needs root, iproute2, debootstrap and, the first time, Debian's servers. The
// exit status is 1 when something differs.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { layOutCode } from './code.js'
import { factsOf } from './facts.js'
import { filesOf, pluginsOf } from './files.js'
import { catalogOf, linesOf, logsOf, modulesOf, reportAtServer, reportOf } from './lines.js'
import { applyTwice, openNetwork, questions, startServer, times } from './roots.js'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: '/var/cache/plumb-site' },
    apply: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const { folder } = options
const vardirs = { puppet: '/var/cache/puppet', plumb: '/var/lib/plumb' }
const names = /** @type {(keyof typeof vardirs)[]} */ (Object.keys(vardirs))
const plumb = ['node', '/plumb/dist/main.js']
/** Puppet 7 reports what did not change, and sends facts of old names, unless it is told otherwise; Puppet 8 does not. */
const asPuppet7 = ['--no-exclude_unchanged_resources']

const flags = options.apply
  ? ['apply', '--modulepath', '/modules', '--color=false', '--detailed-exitcodes', '--strict=warning', '/site/site.pp']
  : ['agent', '--test', '--color=false', '--server=localhost', '--certname=node.example.test', '--waitforcert=0']
const ownFlags = options.apply ? ['--no-strict_variables'] : ['--include_legacy_facts']
const commands = { puppet: ['puppet', ...flags], plumb: [...plumb, ...flags, ...asPuppet7, ...ownFlags] }

let different = 0
/**
 * @param {string} what
 * @param {readonly unknown[]} real
 * @param {readonly unknown[]} own
 */
function compare(what, real, own) {
  const [inReal, inOwn] = [new Set(real), new Set(own)]
  const missing = real.filter((line) => !inOwn.has(line))
  const extra = own.filter((line) => !inReal.has(line))
  for (const line of missing) console.log(`- ${line}`)
  for (const line of extra) console.log(`+ ${line}`)
  different += missing.length + extra.length
  console.log(`${what}: ${real.length} of Puppet's, ${missing.length + extra.length} different`)
}

/** Both runs in the root of that name, while its server is there, if it has one. @param {keyof typeof vardirs} name */
async function runsOf(name) {
  const stop = options.apply ? undefined : await startServer(folder, name)
  try {
    const began = Date.now()
    const told = applyTwice(folder, name, commands[name])
    console.log(`${name}: both runs in ${Math.round((Date.now() - began) / 1000)} seconds`)
    return told
  } finally {
    await stop?.()
  }
}

/** What two runs leave in the root of that name, and at its server. @param {keyof typeof vardirs} name */
async function outcome(name) {
  const closeNetwork = openNetwork(name)
  try {
    const told = await runsOf(name)
    const files = filesOf(folder, name)
    if (options.apply) return { told, files }
    const place = join(folder, name, 'up', vardirs[name], 'client_data/catalog/node.example.test.json')
    return {
      told,
      files,
      catalog: readFileSync(place, 'utf8'),
      plugins: pluginsOf(folder, name, vardirs[name]),
      facts: factsOf(folder, name),
      stored: reportAtServer(folder, name),
    }
  } finally {
    closeNetwork()
  }
}

execFileSync(join(import.meta.dirname, 'prepare-root.sh'), [folder], { stdio: ['ignore', 'ignore', 'inherit'] })
if (!options.apply) layOutCode(folder)
const real = await outcome('puppet')
const own = await outcome('plumb')
if (real.catalog && own.catalog) {
  const modules = modulesOf(real.catalog, join(folder, 'modules'))
  console.log(`the catalog is made of ${modules.length} modules: ${modules.join(' ')}`)
  compare('catalog', catalogOf(real.catalog), catalogOf(own.catalog))
  compare('facts', real.facts, own.facts)
  compare('plug-ins', real.plugins, own.plugins)
}
for (const [time, what] of times.entries()) {
  const [ofReal, ofOwn] = [real.told(`report-${time}`), own.told(`report-${time}`)]
  compare(`${what}: exit status`, [real.told(`status-${time}`)], [own.told(`status-${time}`)])
  compare(`${what}: log lines`, linesOf(real.told(`log-${time}`)), linesOf(own.told(`log-${time}`)))
  compare(`${what}: statuses and events`, reportOf(ofReal), reportOf(ofOwn))
  compare(`${what}: the report's log`, logsOf(ofReal), logsOf(ofOwn))
}
if (real.stored && own.stored) {
  const last = `report-${times.length - 1}`
  for (const { told, stored } of [real, own]) compare('report at the server', reportOf(told(last)), reportOf(stored))
}
for (const what of Object.keys(questions)) compare(what, real.told(what).split('\n'), own.told(what).split('\n'))
compare('files', real.files, own.files)
if (!options.keep) for (const name of names) rmSync(join(folder, name), { recursive: true, force: true })
process.exitCode = different === 0 ? 0 : 1
