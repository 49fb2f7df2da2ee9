// A rollout with ordered runs: the time from `git push` until eight real agent services have applied the commit, in two
// waves. Each agent is a process of its own, with its own root directory.
//   npm run bench:rollout [-- --nodes N] [--rounds N] [--check]
// With --check the exit status is 1 if a round took longer than 20 s.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from './free-port.js'
import { main, startPlumbline } from './server/plumbline.js'

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
  },
})
const [nodes, rounds] = [Number(options.nodes), Number(options.rounds)]
const boundMs = 20_000
/** Milliseconds after which a state that was not reached is a failure. */
const patienceMs = 300_000

console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} at the start`)
const folder = mkdtempSync(join(tmpdir(), 'plumb-rollout-'))
const names = Array.from({ length: nodes }, (_, at) => `web${at}.example.test`)
const work = join(folder, 'work')
const bare = join(folder, 'code.git')
const git = (...words) =>
  execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.test', ...words], {
    cwd: work,
    encoding: 'utf8',
  })
const plan = `waves:
  - { name: canary, nodes: { certnames: [web0.example.test, web1.example.test] } }
  - { name: rest }
order: { run_now: true }
`
mkdirSync(work)
execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
git('init', '--quiet', '--initial-branch=production')
git('remote', 'add', 'origin', bare)
push('round 0')
const port = await freePort()
const repository = { bare, environmentpath: join(folder, 'environments') }
const settings = ['--store', 'sqlite', '--autosign', 'true']
const server = await startPlumbline(folder, { repository, port, settings })
const agents = names.map(startAgent)
try {
  await allHave('round 0')
  await reach(() => logOf(names.length).filter((text) => text.includes('Waiting for orders of')).length === nodes)
  const times = []
  for (let round = 1; round <= rounds; round++) {
    const started = performance.now()
    push(`round ${round}`)
    await allHave(`round ${round}`)
    times.push(performance.now() - started)
    console.log(`round ${round}: ${nodes} nodes have the commit after ${((times.at(-1) ?? 0) / 1000).toFixed(1)} s`)
    await reach(() => server.pid !== undefined && isComplete())
  }
  if (options.check && times.some((ms) => ms > boundMs)) process.exitCode = 1
} finally {
  for (const { child } of agents) child.kill('SIGKILL')
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Commits a new content of the file, and pushes it. */
function push(text) {
  mkdirSync(join(work, 'manifests'), { recursive: true })
  writeFileSync(join(work, 'rollout.yaml'), plan)
  writeFileSync(join(work, 'manifests/site.pp'), `file { '/motd': content => '${text}' }\n`)
  git('add', '.')
  git('commit', '--quiet', '--message', text)
  git('push', '--quiet', 'origin', 'production')
}

function startAgent(name) {
  const home = join(folder, name)
  const places = ['--confdir', join(home, 'etc'), '--vardir', join(home, 'var'), '--rundir', join(home, 'run')]
  const who = ['--server', 'localhost', '--serverport', String(port), '--certname', name, '--key_type', 'ec']
  const words = ['agent', '--no-daemonize', '--verbose', '--runinterval', '1h', '--color', 'false', ...places, ...who]
  mkdirSync(join(home, 'root'), { recursive: true })
  const child = spawn(process.execPath, [main, ...words, '--agent_root', join(home, 'root')])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data))
  return { child, log: () => text }
}

/** The output of the first agents. */
function logOf(count) {
  return agents.slice(0, count).map(({ log }) => log())
}

/** Waits until all nodes have a content. */
async function allHave(text) {
  const file = (name) => join(folder, name, 'root/motd')
  await reach(() => names.every((name) => existsSync(file(name)) && readFileSync(file(name), 'utf8') === text))
}

/** True if the rollout is complete, so that the next push supersedes nothing. */
function isComplete() {
  const places = ['--confdir', join(folder, 'plumbline/etc'), '--vardir', join(folder, 'plumbline/var')]
  const { phase } = JSON.parse(
    execFileSync(process.execPath, [main, 'rollout', 'show', 'production', '--render-as', 'json', ...places], {
      encoding: 'utf8',
    }),
  ).rollout
  return phase === 'complete'
}

async function reach(isReached) {
  const end = performance.now() + patienceMs
  while (!isReached()) {
    if (performance.now() > end) throw new Error(`Not reached in ${patienceMs / 1000} s:\n${logOf(1)[0]}`)
    await delay(20)
  }
}
