// Files beside Puppet Server: metadata, content by a commit, and the start of both; one agent that asks each server in turn,
// then many at once, and what that takes of the processors. A third server, which does nothing, tells what of the time of an
// answer is the agent's that measures.
//   npm run bench:files [-- --rounds N]
// Puppet Server runs git for a file of a commit, as its documentation of versioned code has it.
import { execFileSync, fork } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from './free-port.js'
import { agentOf } from './server/client.js'
import { certname, controlRepository } from './server/control-repository.js'
import { flush, inTurn, spread } from './server/measures.js'
import { makeAuthority, startPlumbline } from './server/plumbline.js'
import { memoryOf, processorTime } from './server/process.js'
import { missingPuppetServer, startPuppetServer } from './server/puppet-server.js'
import { mib, ms, printTable, times } from './server/report.js'

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })
const rounds = Number(options.rounds)
/** Agents that ask at once, and seconds for which they do. */
const [many, seconds] = [8, 5]
const missing = missingPuppetServer()
if (missing) throw new Error(missing)
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'))
const running = []
try {
  await compare()
} finally {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare() {
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  const repository = controlRepository(folder, { vhosts: 25 })
  const { identity } = makeAuthority(folder, [certname])
  const agent = agentOf(identity(certname))
  const agents = Array.from({ length: many }, () => agentOf(identity(certname)))
  const starts = new Map()
  const start = async (begin) => {
    const started = performance.now()
    const server = await begin()
    starts.set(server, server.readyAfter ?? performance.now() - started)
    running.push(server)
    return server
  }
  const [oursPort, theirsPort] = [await freePort(), await freePort()]
  // The first start of ours loads what the disk has to read: not counted, and neither is that of Puppet Server's files.
  await (await startPlumbline(folder, { repository, port: oursPort })).stop()
  const ours = await start(() => startPlumbline(folder, { repository, port: oursPort }))
  const theirs = await start(() =>
    startPuppetServer(folder, {
      ...{ codedir: repository.codedir, port: theirsPort, identity: identity('localhost'), deployer: certname },
      ...{ instances: Math.min(4, Math.max(1, availableParallelism() - 1)), versioned: programs(repository.bare) },
      flush: (server) => flush(agent, server),
    }),
  )
  const path = 'site-modules/profile/files/favicon.ico'
  const words = ['--git-dir', repository.bare, 'rev-parse', 'production']
  const commit = execFileSync('git', words, { encoding: 'utf8' }).trim()
  const metadata = {
    method: 'GET',
    path: '/puppet/v3/file_metadata/modules/profile/favicon.ico?environment=production',
  }
  const content = {
    method: 'GET',
    path: `/puppet/v3/static_file_content/${path}?environment=production&code_id=${commit}`,
  }
  const servers = [ours, theirs]
  const bare = await startBare(identity('localhost'), readFileSync(join(repository.work, path)).length)
  running.push(bare)
  // What a server does after its start, such as reading all code, is not part of an answer.
  for (const server of servers) await untilIdle(server)
  const rows = [row('start', (server) => starts.get(server), 'at least 30x')]
  for (const [what, asked, promised] of [
    ['file_metadata', metadata, 'at least 20x'],
    ['static_file_content', content, 'at least 30x'],
  ]) {
    const waits = await asking(servers, agent, asked)
    rows.push(row(`${what}, median`, (server) => waits(server).median, promised))
    rows.push(row('  most', (server) => waits(server).most, ''))
    const load = new Map()
    for (const server of servers) load.set(server, await atOnce(server, agents, asked))
    rows.push(row('  processor time', (server) => load.get(server).work, promised))
    const perSecond = (server) => load.get(server).perSecond
    const [most, least] = [perSecond(ours), perSecond(theirs)]
    rows.push([`  ${many} agents, a second`, most.toFixed(0), least.toFixed(0), times(most / least), ''])
  }
  const [ofOurs, ofTheirs] = [memoryOf(ours.pid).now, memoryOf(theirs.pid).now]
  rows.push(['memory (RSS) after all', mib(ofOurs), mib(ofTheirs), times(ofTheirs / ofOurs), 'at least 4x'])
  const least = await asking([bare, bare], agent, { method: 'GET', path: '/' })
  rows.push(['an answer of nobody, median', ms(least(bare).median), '', '', ''])
  for (const each of [agent, ...agents]) each.close()
  console.log(`load ${loadavg()[0].toFixed(1)} at the end\n`)
  printTable(rows, [ours.name, theirs.name])

  function row(what, value, promised) {
    return [what, ms(value(ours)), ms(value(theirs)), times(value(theirs) / value(ours)), promised]
  }
}

/** The server that does nothing. */
async function startBare({ key, cert, ca }, bytes) {
  const server = fork(new URL('./server/bare-server.js', import.meta.url), [key, cert, ca, String(bytes)])
  const port = await new Promise((done) => server.once('message', done))
  return { name: 'a server that does nothing', port, stop: async () => server.disconnect() }
}

/** The same request to each server, the one that begins changing; both have answered some before they are timed. */
async function asking(servers, agent, asked) {
  /** @type {Map<any, number[]>} */
  const waits = new Map(servers.map((server) => [server, []]))
  const bodies = new Set()
  for (let round = 0; round < rounds + 20; round++)
    for (const server of inTurn(servers, round)) {
      const { milliseconds, bytes } = await agent.call(server, asked)
      if (round >= 20) waits.get(server)?.push(milliseconds)
      else if (asked.path.includes('static_file_content')) bodies.add(String(bytes))
    }
  if (bodies.size > 1) throw new Error('The servers answer different bytes')
  return (server) => spread(waits.get(server) ?? [])
}

/** Answers a second, and milliseconds of processor time for each, while many ask the same as fast as they can. */
async function atOnce(server, agents, asked) {
  await Promise.all(agents.map((agent) => agent.call(server, asked)))
  const [began, before] = [performance.now(), processorTime(server.pid)]
  let answers = 0
  const asking = async (agent) => {
    for (; performance.now() - began < seconds * 1000; answers++) await agent.call(server, asked)
  }
  await Promise.all(agents.map(asking))
  const took = (performance.now() - began) / 1000
  return { perSecond: answers / took, work: (processorTime(server.pid) - before) / answers }
}

/** The moment from which a server takes less than a tenth of a processor. */
async function untilIdle(server) {
  for (let last = Number.NEGATIVE_INFINITY; ; ) {
    const now = processorTime(server.pid)
    if (now - last < 100) return
    last = now
    await new Promise((done) => setTimeout(done, 1000))
  }
}

/** The programs that Puppet Server runs for the id of the code and for a file of it. */
function programs(bare) {
  const program = (name, line) => {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\nexec git --git-dir '${bare}' ${line}\n`)
    chmodSync(file, 0o755)
    return file
  }
  return { id: program('code-id', 'rev-parse "$1"'), content: program('code-content', 'show "$2:$3"') }
}
