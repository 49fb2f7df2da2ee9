// Catalogs of one apache node of more than a thousand resources, by Plumbline and by Puppet Server over HTTPS, request
// by request in turn: warm, after pushes, and for many agents at once. Also by Puppet's compiler in one Ruby process.
//   npm run bench:server [-- --check] [--warm N] [--recalled N] [--pushes N] [--agents N] [--warm-up N] [--instances N]
//     [--compiled]
// With --check the exit status is 1 when the promise is not kept. With --compiled ours compiles each catalog, too: none is
// recalled, and none is compiled ahead.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { differences } from '../scripts/conformance/compare.js'
import { freePort } from './free-port.js'
import { agentOf, catalogRequest } from './server/client.js'
import { certname, certnames, controlRepository } from './server/control-repository.js'
import { catalogsAfterPushes, flush, manyAgents, recalledCatalogs, warmCatalogs } from './server/measures.js'
import { makeAuthority, startPlumbline } from './server/plumbline.js'
import { memoryOf } from './server/process.js'
import { missingPuppetServer, startPuppetServer } from './server/puppet-server.js'
import { mib, ms, printTable, promises, times } from './server/report.js'
import { rubyCatalogs } from './server/ruby.js'

/** @returns {{ type: 'string', default: string }} */
const number = (value) => ({ type: 'string', default: String(value) })
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    compiled: { type: 'boolean', default: false },
    warm: number(20),
    recalled: number(400),
    pushes: number(8),
    agents: number(50),
    'warm-up': number(60),
    vhosts: number(25),
    // As Puppet Server chooses it: one less than there are cores, at most four.
    instances: number(Math.min(4, Math.max(1, availableParallelism() - 1))),
  },
})
const count = (name) => Number(options[name])
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'))
const running = []
try {
  process.exitCode = (await compare()) || !options.check ? 0 : 1
} finally {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare() {
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  const names = certnames(count('agents'))
  const repository = controlRepository(folder, { vhosts: count('vhosts'), names })
  const { identity } = makeAuthority(folder, names)
  const agent = agentOf(identity(certname))
  const settings = options.compiled ? ['--no-catalog_traces'] : []
  const ours = await startPlumbline(folder, { repository, port: await freePort(), settings })
  running.push(ours)
  const missing = missingPuppetServer()
  if (missing) console.log(missing)
  const theirs = missing ? undefined : await startTheirs(repository, identity, agent)
  const servers = theirs ? [ours, theirs] : [ours]
  await sameCatalogs(servers, agent)
  for (let round = 1; round < count('warm-up'); round++)
    for (const server of servers) await agent.call(server, catalogRequest())

  const warm = await warmCatalogs(servers, agent, count('warm'))
  const recalled = options.compiled ? undefined : await recalledCatalogs(ours, agent, count('recalled'))
  const pushed = await catalogsAfterPushes(servers, agent, repository, count('pushes'))
  const many = new Map()
  for (const server of servers) many.set(server, await manyAgents(server, identity, names))
  const memory = new Map(servers.map((server) => [server, memoryOf(server.pid)]))
  const ruby = rubyCatalogs(folder, repository, count('warm'))
  agent.close()
  console.log(`load ${loadavg()[0].toFixed(1)} at the end\n`)
  return report({ ours, theirs, ruby, warm, recalled, pushed, many, memory })
}

async function startTheirs(repository, identity, agent) {
  const server = await startPuppetServer(folder, {
    codedir: repository.codedir,
    port: await freePort(),
    instances: count('instances'),
    identity: identity('localhost'),
    deployer: certname,
    flush: (server) => flush(agent, server),
  })
  running.push(server)
  return server
}

/** The first catalogs, which have to say the same. */
async function sameCatalogs(servers, agent) {
  const catalogs = []
  for (const server of servers) {
    const { milliseconds, bytes } = await agent.call(server, catalogRequest())
    catalogs.push(JSON.parse(bytes))
    console.log(`${server.name}: ${catalogs.at(-1).resources.length} resources, first of all in ${ms(milliseconds)}`)
  }
  const [catalog, real] = catalogs
  const found = real ? differences({ catalog: real }, { catalog }) : []
  if (found.length > 0) throw new Error(`The catalogs differ: ${JSON.stringify(found.slice(0, 5))}`)
  if (real) console.log('The catalogs are equal in resources, parameters, tags, places, edges and classes')
}

function report({ ours, theirs, ruby, warm, recalled, pushed, many, memory }) {
  const both = (value, show) => [ours, theirs].map((server) => (server ? show(value(server)) : ''))
  const ratio = (value) => (theirs ? value(theirs) / value(ours) : Number.NaN)
  const row = (what, value, show, promised) => [
    what,
    ...both(value, show),
    theirs ? times(ratio(value)) : '',
    promised === undefined ? '' : `at least ${promised}x`,
  ]
  const [catalog, first, size] = [
    (server) => warm.get(server).median,
    (server) => pushed.get(server).median,
    (server) => memory.get(server).now,
  ]
  const [agents, speed] = [count('agents'), (server) => many.get(server).perSecond]
  const rows = [
    row('warm catalog, median', catalog, ms, promises.warm),
    row('  least', (server) => warm.get(server).least, ms),
    row('  most', (server) => warm.get(server).most, ms),
    row('  processor time', (server) => warm.get(server).work, ms),
    ...(recalled ? recalledRows(recalled, theirs && warm.get(theirs)) : []),
    row('first catalog after a push, median', first, ms, promises.push),
    row('  most', (server) => pushed.get(server).most, ms),
    ['  the push itself, or the flush', ...both((server) => pushed.get(server).deploy, ms)],
    row('memory (RSS) after all', size, mib, promises.memory),
    row('  the most there was', (server) => memory.get(server).peak, mib),
    [
      `${agents} agents at once, catalogs a second`,
      ...both(speed, (value) => value.toFixed(1)),
      theirs ? times(1 / ratio(speed)) : '',
    ],
    row('  the slowest answer', (server) => many.get(server).waits.most, ms),
    row('  status meanwhile, median', (server) => many.get(server).looks.median, ms),
    row('  status meanwhile, most', (server) => many.get(server).looks.most, ms),
  ]
  printTable(rows, [ours.name, theirs?.name ?? ''])
  if (ruby) {
    const own = warm.get(ours).median
    console.log(
      `\nPuppet's compiler in one warm Ruby process, without HTTPS: median ${ms(ruby.median)}, ${times(ruby.median / own)}`,
    )
  } else console.log('\nThere is no Ruby Puppet here (Debian 12: apt-get install puppet-agent)')
  if (!theirs) return false
  const kept = ratio(catalog) >= promises.warm && ratio(first) >= promises.push && ratio(size) >= promises.memory
  console.log(kept ? 'The promise is kept' : 'The promise is NOT kept')
  return kept
}

/** Catalogs that needed no compiling, beside Puppet Server's warm ones. */
function recalledRows(ours, theirs) {
  const both = (name) => [
    ms(ours[name]),
    theirs ? ms(theirs[name]) : '',
    theirs ? times(theirs[name] / ours[name]) : '',
  ]
  return [
    [
      `recalled catalog, median (${ours.checked} were compiled, to be checked)`,
      ...both('median'),
      `at least ${promises.recalled}x`,
    ],
    ['  processor time', ...both('work'), `at most ${promises.recalledWork} ms`],
  ]
}
