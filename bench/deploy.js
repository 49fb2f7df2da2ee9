// Branches with a Puppetfile, deployed from nothing: our server beside real r10k, from the same repositories.
//   npm run bench:deploy [-- --environments N] [--modules N]
// Modules are Debian's, as git repositories of this machine, so that no network is measured; ours is done when all is served.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from './free-port.js'
import { main } from './server/plumbline.js'

const { values } = parseArgs({
  options: { environments: { type: 'string', default: '30' }, modules: { type: 'string', default: '60' } },
})
const [environments, count] = [values.environments, values.modules].map(Number)
const installed = '/usr/share/puppet/modules'
const folder = mkdtempSync(join(tmpdir(), 'plumb-deploy-'))
const author = { GIT_AUTHOR_NAME: 'Bench', GIT_AUTHOR_EMAIL: 'bench@example.test' }
const committer = { GIT_COMMITTER_NAME: 'Bench', GIT_COMMITTER_EMAIL: 'bench@example.test' }
const env = { ...process.env, ...author, ...committer, HOME: folder }
const git = (cwd, ...words) => execFileSync('git', words, { cwd, env, encoding: 'utf8' }).trim()

console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
try {
  const names = readdirSync(installed).slice(0, count)
  for (const name of names) repositoryOf(name)
  const control = controlRepository(names)
  console.log(`${environments} environments of ${names.length} modules`)
  const theirs = await r10k(control)
  const ours = await plumbline(control)
  tell('from nothing', ours.first, theirs.first, 's')
  tell('one commit in each branch', ours.again, theirs.again, 's')
  tell('disk', ours.disk, theirs.disk, 'MiB')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @type {(what: string, ours: number, theirs: number, unit: string) => void} */
function tell(what, ours, theirs, unit) {
  const figures = `ours ${ours.toFixed(1)} ${unit}, r10k ${theirs.toFixed(1)} ${unit}`
  console.log(`${what.padEnd(28)}${figures}: ${(theirs / ours).toFixed(1)}x`)
}

/** A bare repository of a module, with one commit on `main`. */
function repositoryOf(name) {
  const work = join(folder, 'works', name)
  cpSync(join(installed, name), work, { recursive: true, dereference: true })
  git(work, 'init', '--quiet', '--initial-branch=main')
  git(work, 'add', '--all', '--force')
  git(work, 'commit', '--quiet', '--message', 'A module')
  git(folder, 'clone', '--quiet', '--bare', work, join(folder, 'modules', `${name}.git`))
}

function controlRepository(names) {
  const work = join(folder, 'control')
  const bare = join(folder, 'control.git')
  mkdirSync(join(work, 'manifests'), { recursive: true })
  git(work, 'init', '--quiet', '--initial-branch=env0')
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=env0', bare)
  const lines = names.map((name) => `mod '${name}', git: '${join(folder, 'modules', name)}.git', branch: 'main'\n`)
  writeFileSync(join(work, 'Puppetfile'), lines.join(''))
  const each = (text) => {
    for (let number = 0; number < environments; number++) {
      const branch = `env${number}`
      if (git(work, 'branch', '--list', branch) === '') git(work, 'checkout', '--quiet', '-B', branch)
      else git(work, 'checkout', '--quiet', branch)
      writeFileSync(join(work, 'manifests/site.pp'), `notify { 'environment ${number} ${text}': }\n`)
      git(work, 'add', '--all')
      git(work, 'commit', '--quiet', '--message', text)
    }
    git(work, 'push', '--quiet', '--force', bare, '--all')
  }
  each('one')
  return { bare, change: each }
}

/** Bytes of files on the disk, in MiB. */
function diskOf(...paths) {
  const lines = execFileSync('du', ['-sk', '-c', ...paths], { encoding: 'utf8' })
    .trim()
    .split('\n')
  return Number(lines.at(-1)?.split('\t')[0]) / 1024
}

function since(started) {
  return (performance.now() - started) / 1000
}

async function r10k({ bare, change }) {
  const [cachedir, basedir, config] = ['cache', 'environments', 'r10k.yaml'].map((name) => join(folder, 'r10k', name))
  mkdirSync(basedir, { recursive: true })
  writeFileSync(config, JSON.stringify({ cachedir, sources: { main: { remote: bare, basedir } } }))
  const deploy = () => {
    const started = performance.now()
    execFileSync('r10k', ['deploy', 'environment', '--modules', '--config', config], { env, stdio: 'ignore' })
    return since(started)
  }
  const first = deploy()
  change('two')
  return { first, again: deploy(), disk: diskOf(join(folder, 'r10k')) }
}

async function plumbline({ bare, change }) {
  const places = ['--confdir', join(folder, 'plumbline/etc'), '--vardir', join(folder, 'plumbline/var')]
  mkdirSync(join(folder, 'plumbline'), { recursive: true })
  const sources = join(folder, 'plumbline/sources.yaml')
  writeFileSync(sources, JSON.stringify({ sources: { main: { remote: bare, interval: '1d' } } }))
  execFileSync(process.execPath, [main, 'ca', 'setup', '--certname', 'localhost', ...places], { stdio: 'ignore' })
  const port = ['--serverport', String(await freePort()), '--bindaddress', '127.0.0.1', '--certname', 'localhost']
  const code = ['--code_sources', sources, '--puppetfile_sources', join(folder, 'modules'), '--gate', 'off']
  const started = performance.now()
  const server = spawn(process.execPath, [main, 'server', ...port, ...code, ...places], { env, stdio: 'ignore' })
  const ended = new Promise((done) => server.once('exit', done))
  const ask = (...words) =>
    execFileSync(process.execPath, [main, 'code', ...words, ...places], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const served = async (commits) => {
    for (;;) {
      const statuses = asked(() => JSON.parse(ask('status', '--render-as', 'json'))) ?? []
      if (statuses.length === environments && statuses.every(({ name, source }) => commits.get(name) === source)) return
      await sleep(200)
    }
  }
  const tips = () =>
    new Map(
      git(bare, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads')
        .split('\n')
        .map((line) => /** @type {[string, string]} */ (line.split(' '))),
    )
  try {
    await served(tips())
    const first = since(started)
    change('three')
    const again = performance.now()
    ask('fetch')
    await served(tips())
    return { first, again: since(again), disk: diskOf(join(folder, 'plumbline')) }
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}

function asked(question) {
  try {
    return question()
  } catch {
    return undefined
  }
}
