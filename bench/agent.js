// One run of our agent and of the real one on the same catalog of static files that are all as they should be:
// wall-clock time and the greatest resident memory, in pairs, so that a busy machine is the same for both.
//   npm run bench:agent [-- FILES [PAIRS]]
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const files = Number(process.argv[2] ?? 300)
const pairs = Number(process.argv[3] ?? 5)
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'))
const target = join(folder, 'target')
const hasPuppet = answers('puppet', ['--version'])
const server = await startServer(controlRepository())

try {
  const agents = {
    plumb: [process.execPath, main, ...words('plumb', ['--key_type', 'ec'])],
    ...(hasPuppet && { puppet: ['puppet', ...words('puppet', ['--keylength', '2048'])] }),
  }
  for (const [name, command] of Object.entries(agents))
    for (const expected of [[0, 2], [0]]) {
      const { status, said } = await run(command)
      if (!expected.includes(status)) throw new Error(`${name} ended with ${status}: ${said}`)
    }
  const seen = { plumb: [], puppet: [] }
  for (let pair = 0; pair < pairs; pair++)
    for (const [name, command] of Object.entries(agents)) seen[name].push(await run(command))
  const medians = Object.keys(agents).map((name) => [name, median(seen[name], 'ms'), median(seen[name], 'mib')])
  console.log(`${files} static files, nothing to do, ${pairs} pairs`)
  for (const [name, ms, mib] of medians) console.log(`${name}: ${(ms / 1000).toFixed(2)} s, ${mib.toFixed(0)} MiB`)
  const [[, ours], [, theirs] = []] = medians
  if (theirs) console.log(`${(theirs / ours).toFixed(1)} times as fast`)
} finally {
  server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function answers(program, words) {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A bare repository whose site is a folder of files, each with a source. */
function controlRepository() {
  const work = join(folder, 'work')
  const bare = join(folder, 'code.git')
  const sources = join(work, 'modules/many/files')
  mkdirSync(sources, { recursive: true })
  mkdirSync(join(work, 'manifests'))
  for (let index = 0; index < files; index++)
    writeFileSync(join(sources, `f${index}`), `content of ${index}\n`.repeat(40))
  const each = `file { "${target}/f\${n}": source => "puppet:///modules/many/f\${n}", mode => '0644' }`
  writeFileSync(
    join(work, 'manifests/site.pp'),
    `file { '${target}': ensure => directory }\nInteger[0, ${files - 1}].each |$n| { ${each} }\n`,
  )
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.test', ...words], {
      cwd: work,
      stdio: 'ignore',
    })
  git('init', '--quiet', '--initial-branch=production')
  git('add', '.')
  git('commit', '--quiet', '-m', 'bench')
  git('clone', '--quiet', '--bare', work, bare)
  return bare
}

/** A server of ours; its process, and its port. */
async function startServer(repository) {
  const places = ['--confdir', join(folder, 'server/etc'), '--vardir', join(folder, 'server/var')]
  const own = ['--certname', 'localhost', '--serverport', '0', '--bindaddress', '127.0.0.1', '--autosign', 'true']
  const child = spawn(process.execPath, [main, 'server', '--repo', repository, ...places, ...own])
  let said = ''
  const port = await new Promise((ready, failed) => {
    const look = (data) => {
      said += data
      const [, port] = /serving .*:(\d+)\n/.exec(said) ?? []
      if (port) ready(port)
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('exit', (status) => failed(new Error(`the server ended with ${status}: ${said}`)))
  })
  return { port: String(port), stop: () => child.kill('SIGTERM') }
}

function words(name, more) {
  const own = join(folder, name)
  const places = ['confdir', 'vardir', 'ssldir', 'rundir', 'logdir', 'publicdir'].flatMap((place) => [
    `--${place}`,
    join(own, place),
  ])
  for (const place of places) if (place.startsWith('/')) mkdirSync(place, { recursive: true })
  return [
    'agent',
    '--test',
    ...places,
    '--certname',
    `${name}.bench.test`,
    '--server',
    'localhost',
    '--serverport',
    server.port,
    ...more,
  ]
}

/**
 * Runs a command; its status, its time, and the most memory that it had: looked at each few milliseconds.
 * @param {string[]} command
 */
function run(command) {
  const [program = '', ...args] = command
  return new Promise((done) => {
    const start = performance.now()
    const child = spawn(program, args)
    let said = ''
    let mib = 0
    const look = () => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
        mib = Math.max(mib, Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
      } catch {
        // It is over.
      }
    }
    const looking = setInterval(look, 20)
    child.stdout.on('data', (data) => (said += data))
    child.stderr.on('data', (data) => (said += data))
    child.once('exit', (status) => {
      clearInterval(looking)
      done({ status, said, ms: performance.now() - start, mib })
    })
  })
}

function median(measures, key) {
  const sorted = measures.map((each) => each[key]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
