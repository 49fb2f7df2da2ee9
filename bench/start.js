// From spawn to the first answered request, and the memory of a server with the example environments loaded.
//   npm run bench:start [-- RUNS]
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.js'

const runs = Number(process.argv[2] ?? 7)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'))
const repository = exampleRepository()
const port = await freePort()

try {
  await serve() // makes the authority: not counted
  const times = []
  const sizes = []
  for (let run = 0; run < runs; run++) {
    const { milliseconds, megabytes } = await serve()
    times.push(milliseconds)
    sizes.push(megabytes)
  }
  say('spawn to first answer', times, 'ms')
  say('resident memory', sizes, 'MB')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function serve() {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'localhost']
  const words = [
    'server',
    '--code_repo',
    repository,
    '--serverport',
    String(port),
    '--bindaddress',
    '127.0.0.1',
    ...places,
  ]
  const start = performance.now()
  const server = spawn(process.execPath, [join(root, 'dist/main.js'), ...words], { stdio: 'ignore' })
  const ended = new Promise((done) => server.once('exit', done))
  while (!(await answers())) await new Promise((done) => setTimeout(done, 5))
  const milliseconds = performance.now() - start
  for (let count = 0; count < 20; count++) await answers()
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
  server.kill('SIGTERM')
  await ended
  return { milliseconds, megabytes: Number(kilobytes) / 1024 }
}

function answers() {
  return new Promise((done) => {
    const options = { port, path: '/status/v1/simple', rejectUnauthorized: false, agent: false }
    get(options, (answer) => {
      answer.resume()
      answer.once('end', () => done(answer.statusCode === 200))
    }).once('error', () => done(false))
  })
}

function exampleRepository() {
  const bare = join(folder, 'code.git')
  const work = join(folder, 'work')
  const person = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.test']
  const git = (...rest) => execFileSync('git', rest, { cwd: work, stdio: 'ignore' })
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  cpSync(join(root, 'environments.example/production'), work, { recursive: true })
  git('init', '--initial-branch=production')
  git('add', '--all')
  git(...person, 'commit', '--message', 'production')
  git('checkout', '-b', 'staging')
  cpSync(join(root, 'environments.example/staging'), work, { recursive: true })
  git('add', '--all')
  git(...person, 'commit', '--message', 'staging')
  git('push', bare, 'production', 'staging')
  return bare
}

function say(what, values, unit) {
  const [least, middle, most] = [0, 0.5, 1].map(
    (part) => values.toSorted((a, b) => a - b)[Math.round(part * (values.length - 1))],
  )
  console.log(
    `${what}: median ${middle.toFixed(0)} ${unit} (least ${least.toFixed(0)}, most ${most.toFixed(0)}, ${values.length} runs)`,
  )
}
