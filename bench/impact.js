// The impact of pushes on a fleet: nodes of many roles on the large site (bench/large/), asked for with `plumb code impact`
// on two commits, as who pushes waits for it. The first run compiles all nodes and keeps their traces; then three pushes.
//   npm run bench:impact [-- --nodes N] [--roles N] [--folder DIR] [--all] [--check]
// --all also measures a change that touches every node; --folder keeps all of it. With --check the exit status is 1 when a promise is not kept.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { siteFiles } from './large/site.js'

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    roles: { type: 'string', default: '20' },
    modules: { type: 'string', default: '280' },
    shared: { type: 'string', default: '26' },
    folder: { type: 'string' },
    all: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})
const [nodes, roles, modules, shared] = [options.nodes, options.roles, options.modules, options.shared].map(Number)
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const baseFacts = JSON.parse(readFileSync(new URL('../test/oracle/facts.json', import.meta.url), 'utf8'))
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'plumb-impact-'))
const [work, factsFolder, list] = [join(folder, 'code'), join(folder, 'facts'), join(folder, 'nodes')]
let kept = true
/** Who commits. */
const identity = {
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.test',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.test',
}

try {
  await measure()
} finally {
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
if (options.check && !kept) process.exitCode = 1

async function measure() {
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  console.log(`${nodes} nodes of ${roles} roles; a role has ${perRole()} modules of its own, all have ${shared}`)
  makeSite()
  makeNodes()
  const template = moduleName(shared)
  commit({ [`modules/${template}/templates/main.conf.erb`]: (text) => `${text}# one more line\n` }, 'template')
  commit({ 'manifests/site.pp': (text) => text.replace('# what each node is', '# what every node is') }, 'comment')
  commit({ 'manifests/site.pp': (text) => `${text}\nnotify { 'on all nodes': }\n` }, 'all')

  await impact('first run: all nodes compiled, traces kept', 'production~0..production')
  await impact('comment in site.pp that moves no line', 'production..comment', 5)
  await impact("one role's template", 'production..template', 45)
  await impact("one role's template, again", 'production..template')
  if (options.all) await impact('a change that touches all nodes', 'production..all', 900)
  console.log(`load ${loadavg()[0].toFixed(1)} at the end`)
}

function perRole() {
  return Math.floor((modules - shared) / roles)
}

function moduleName(number) {
  return `m${String(number).padStart(3, '0')}`
}

function makeSite() {
  for (const [path, text] of siteFiles({ modules })) put(path, text)
  const included = (from, count) =>
    Array.from({ length: count }, (_, at) => `  include ${moduleName(from + at)}\n`).join('')
  for (let role = 0; role < roles; role++)
    put(
      `site/role${role}/manifests/init.pp`,
      `class role${role} {\n${included(shared + role * perRole(), perRole())}}\n`,
    )
  put(
    'manifests/site.pp',
    `# what each node is\nnode default {\n${included(0, shared)}  include "role\${facts['role']}"\n}\n`,
  )
  git('init', '--quiet', '--initial-branch=production', '.')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'The site')
}

function makeNodes() {
  mkdirSync(factsFolder)
  const names = Array.from({ length: nodes }, (_, at) => `node${at}.example.test`)
  for (const [at, name] of names.entries()) {
    const facts = { ...baseFacts, fqdn: name, hostname: name.split('.')[0], role: String(at % roles) }
    facts.networking = { ...baseFacts.networking, fqdn: name, hostname: facts.hostname }
    writeFileSync(join(factsFolder, `${name}.json`), JSON.stringify(facts))
  }
  writeFileSync(list, `${names.join('\n')}\n`)
  // Traces are written under a key that follows from the server's private key.
  mkdirSync(join(folder, 'ssl'))
  writeFileSync(join(folder, 'ssl', 'key.pem'), randomBytes(32).toString('hex'))
}

/** A branch with edited files. */
function commit(edits, branch) {
  git('checkout', '--quiet', '-b', branch, 'production')
  for (const [path, edit] of Object.entries(edits)) put(path, edit(readFileSync(join(work, path), 'utf8')))
  git('commit', '--quiet', '--all', '--message', branch)
  git('checkout', '--quiet', 'production')
}

async function impact(what, range, promisedSeconds) {
  const began = performance.now()
  const words = ['code', 'impact', range, '--repo', work, '--node-list', list, '--facts-dir', factsFolder]
  const places = ['--vardir', join(folder, 'var'), '--confdir', join(folder, 'conf')]
  const key = ['--hostprivkey', join(folder, 'ssl', 'key.pem')]
  const child = spawn(process.execPath, [main, ...words, ...places, ...key, '--render-as', 'json'])
  let text = ''
  let [most, ticks] = [0, 0]
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  child.stderr.pipe(process.stderr)
  const watch = setInterval(() => {
    most = Math.max(most, residentKiB(child.pid))
    ticks = Math.max(ticks, ticksOf(child.pid))
  }, 200)
  const [status] = await once(child, 'close')
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  if (status !== 0) throw new Error(`plumb code impact ended with ${status}`)
  const { counts, compiled, recalled } = JSON.parse(text)
  const promise = promisedSeconds === undefined ? '' : `, promised ${promisedSeconds} s`
  if (promisedSeconds !== undefined && seconds > promisedSeconds) kept = false
  console.log(
    `${what}: ${seconds.toFixed(1)} s${promise}, ${(ticks / 100).toFixed(1)} s of processor time; at most ${Math.round(most / 1024)} MiB resident`,
  )
  console.log(
    `  ${counts.unaffected} unaffected, ${counts.same} the same, ${counts.changed} changed; ${compiled} compiled, ${recalled} recalled`,
  )
}

/** Hundredths of a second that a process has computed for. */
function ticksOf(pid) {
  try {
    const [, ...fields] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ')
    return Number(fields[10]) + Number(fields[11])
  } catch {
    return 0
  }
}

function residentKiB(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function put(path, text) {
  const file = join(work, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function git(...words) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...identity }
  execFileSync('git', words, { cwd: work, env })
}
