// A server on a repository with a long history: its start, catalogs, pushes, files of old commits, diffs, its memory, and
// how long its event loop stands still meanwhile.
//   npm run bench:large [-- --commits N]
//   npm run bench:large -- --repository BARE --node N --facts FILE --manifest PATH [--branch B] [-- --SETTING VALUE …]
// Without --repository one is made (bench/large/). A given one is cloned first, with all its refs, and stays as it is.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from './free-port.js'
import { gitClient } from './large/git-client.js'
import { makeHistory } from './large/history.js'
import { everything } from './large/site.js'
import { agentOf, catalogRequest } from './server/client.js'
import { spread } from './server/measures.js'
import { main, makeAuthority, placesIn, startPlumbline } from './server/plumbline.js'
import { memoryByShare, processorTime } from './server/process.js'
import { mib, ms } from './server/report.js'

const { values: options, positionals: settings } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: 'string' },
    branch: { type: 'string', default: 'production' },
    node: { type: 'string', default: everything },
    facts: { type: 'string', default: fileURLToPath(new URL('../test/oracle/facts.json', import.meta.url)) },
    manifest: { type: 'string', default: 'modules/m000/manifests/init.pp' },
    commits: { type: 'string', default: '110000' },
    warm: { type: 'string', default: '5' },
    pushes: { type: 'string', default: '3' },
    old: { type: 'string', default: '40' },
    apart: { type: 'string', default: '500' },
  },
})
const { branch } = options
const folder = mkdtempSync(join(tmpdir(), 'plumb-large-'))
let server
let worked = 0
try {
  await measure()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  const bare = join(folder, 'code.git')
  if (options.repository) git('clone', '--quiet', '--mirror', options.repository, bare)
  else await makeHistory(bare, { commits: Number(options.commits) })
  describe(bare)
  const repository = { bare, branch, environmentpath: join(folder, 'environments') }
  const { identity } = makeAuthority(folder, [options.node])
  const agent = agentOf(identity(options.node))
  server = await startPlumbline(folder, { repository, port: await freePort(), settings, watch: true })
  await say('start until it serves', server.readyAfter)

  await new Promise((done) => setTimeout(done, 3000))
  await say('three seconds of nothing', 3000)
  const first = await catalog(agent)
  await say(
    `first catalog, ${JSON.parse(first.bytes).resources.length} resources, ${mib(first.bytes.length)}`,
    first.milliseconds,
  )
  const waits = []
  for (let round = 0; round < Number(options.warm); round++) waits.push((await catalog(agent)).milliseconds)
  await say('warm catalog, median', spread(waits).median)

  plumb('code', 'install-hooks', bare, ...settings)
  const client = gitClient(folder, repository)
  let head = client.git(['rev-parse', branch])
  for (let round = 1; round <= Number(options.pushes); round++) head = await push(client, agent, head, round)
  await oldFiles(bare, agent)
  await diffs(bare, head)
  agent.close()
  console.log(`load ${loadavg()[0].toFixed(1)} at the end`)
}

/** One commit that changes a manifest: pushed to git alone, checked alone, then pushed with both hooks. */
async function push(client, agent, before, round) {
  const after = client.commitLine(before, options.manifest, `# revision ${round}`)
  const withoutHooks = timed(() =>
    client.git([
      'push',
      '--quiet',
      '--receive-pack=git -c core.hooksPath=/nonexistent receive-pack',
      'origin',
      `${after}:refs/bench/${round}`,
    ]),
  )
  await say('  a push, git alone', withoutHooks)
  const line = `${before} ${after} refs/heads/${branch}\n`
  await say(
    '  the check of the push, alone',
    timed(() => plumbWith(line, 'code', 'check', '--stdin', '--repo', join(folder, 'code.git'), ...settings)),
  )
  await say(
    'push until it is served',
    timed(() => client.push(after)),
  )
  const { bytes, milliseconds } = await catalog(agent)
  const { code_id } = JSON.parse(bytes)
  if (code_id !== after) throw new Error(`The catalog is of ${code_id} instead of ${after}`)
  await say('first catalog after it', milliseconds)
  return after
}

/** A file of commits all over the history, as an agent with a cached catalog asks for it. */
async function oldFiles(bare, agent) {
  const history = git('--git-dir', bare, 'rev-list', '--first-parent', branch).split('\n')
  const count = Number(options.old)
  const waits = []
  for (let number = 1; number <= count; number++) {
    const commit = history[Math.floor((history.length * number) / (count + 1))]
    const path = git('--git-dir', bare, 'ls-tree', '-r', '--name-only', commit)
      .split('\n')
      .find((each) => /^[^/]+\/[^/]+\/files\/[\w./-]+$/.test(each))
    if (path === undefined) continue
    const request = {
      method: 'GET',
      path: `/puppet/v3/static_file_content/${path}?environment=${environment()}&code_id=${commit}`,
    }
    const { milliseconds } = await agent.call(server, request)
    if (waits.length === 0) {
      await say('file of an old commit, the first', milliseconds)
      await say('  the same again', (await agent.call(server, request)).milliseconds)
    }
    waits.push(milliseconds)
  }
  await say(`files of ${waits.length} old commits, median`, spread(waits).median)
}

async function diffs(bare, head) {
  const apart = git('--git-dir', bare, 'rev-list', '--first-parent', `--skip=${options.apart}`, '--max-count=1', branch)
  for (const [what, from] of [
    ['the commit before', `${head}~1`],
    [`${options.apart} commits before`, apart],
  ]) {
    const words = ['catalog', 'diff', from, head, '--node', options.node, '--facts', options.facts, '--repo', bare]
    await say(
      `catalog diff with ${what}`,
      timed(() => plumb(...words, ...settings)),
    )
  }
}

function catalog(agent) {
  const values = JSON.parse(readFileSync(options.facts, 'utf8'))
  const uptime = { ...values.system_uptime, seconds: Math.round(performance.now()) }
  const time = new Date().toISOString()
  const facts = { name: options.node, values: { ...values, system_uptime: uptime }, timestamp: time, expiration: time }
  return agent.call(server, catalogRequest(facts, environment()))
}

function environment() {
  return branch.replace(/\W/g, '_')
}

async function say(what, milliseconds) {
  const { own, children } = memoryByShare(server.pid)
  const pause = await server.longestPause()
  const work = processorTime(server.pid)
  console.log(
    `${what.padEnd(52)} ${ms(milliseconds).padStart(9)}   processor ${ms(work - worked).padStart(8)}   RSS ${mib(own)} + ${mib(children)} of git   longest pause ${ms(pause)}`,
  )
  worked = work
}

function describe(bare) {
  const at = (...words) => git('--git-dir', bare, ...words)
  const objects = Object.fromEntries(
    at('count-objects', '-v')
      .split('\n')
      .map((line) => line.split(': ')),
  )
  const refs = at('for-each-ref', '--format=x').split('\n').length
  console.log(
    `${at('rev-list', '--count', branch)} commits of ${branch}; ${objects['in-pack']} objects in ${objects.packs} packs, ${objects.count} loose; ${refs} refs; ${at('ls-tree', '-r', '--name-only', branch).split('\n').length} files`,
  )
}

function git(...words) {
  return execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1e9 }).trim()
}

function plumb(...words) {
  return plumbWith('', ...words)
}

function plumbWith(input, ...words) {
  return execFileSync(process.execPath, [main, ...words, ...placesIn(folder)], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
}

function timed(work) {
  const started = performance.now()
  work()
  return performance.now() - started
}
