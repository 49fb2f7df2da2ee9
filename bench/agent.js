// Our agent beside the real one, in pairs, so that a busy machine is the same for both: wall-clock time, time of the
// processor (which a busy machine changes least) and the greatest resident memory.
//   npm run bench:agent [-- MODE [COUNT [PAIRS]]]
// Modes, each of what is as it should be already:
//   static   COUNT files with a source (300)
//   linear   a tenth of COUNT such files, then all (5,000): the time of each of the others
//   ruby     COUNT resources, half of them of a type and provider in Ruby (300); also with an installed Ruby
//   facts    all facts, without Ruby
//   daemon   the process that stays between runs, when it has nothing to do: memory alone
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [mode = 'static', count = mode === 'linear' ? '5000' : '300', pairs = '5'] = process.argv.slice(2)
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'))
const target = join(folder, 'target')
// Node parses these certificates at each start; machines with agents do not set the variable.
delete process.env.NODE_EXTRA_CA_CERTS
const hasPuppet = answers('puppet', ['--version'])
const programs = {
  plumb: { command: [process.execPath, main], facts: [process.execPath, main, 'facts'], more: ['--key_type', 'ec'] },
  ...(hasPuppet && { puppet: { command: ['puppet'], facts: ['facter'], more: ['--keylength', '2048'] } }),
  // The third, so that the ratios are those of the first two.
  ...(mode === 'ruby' && {
    'plumb-native': {
      command: [process.execPath, main],
      facts: [],
      more: ['--key_type', 'ec', '--ruby_provider', 'native'],
    },
  }),
}

/** A type and a provider as modules write them. */
const rubyType = {
  'modules/many/lib/puppet/type/bench_note.rb': `
Puppet::Type.newtype(:bench_note) do
  @doc = 'A file with one line.'
  ensurable { defaultvalues; defaultto :present }
  newparam(:path, namevar: true) { desc 'Its path.' }
  newproperty(:content) { desc 'Its line.' }
end
`,
  'modules/many/lib/puppet/provider/bench_note/ruby.rb': `
Puppet::Type.type(:bench_note).provide(:ruby) do
  desc 'Writes it.'
  def exists? = File.exist?(resource[:path])
  def create = File.write(resource[:path], resource[:content])
  def destroy = File.delete(resource[:path])
  def content = File.read(resource[:path])
  def content=(value)
    File.write(resource[:path], value)
  end
end
`,
}

const modes = {
  async static() {
    await staticFiles(Number(count))
  },
  async linear() {
    const few = await staticFiles(Number(count) / 10)
    rmSync(target, { recursive: true })
    const all = await staticFiles(Number(count))
    for (const [index, [name, ms]] of all.entries())
      console.log(`${name}: ${((ms - few[index][1]) / (Number(count) * 0.9)).toFixed(3)} ms for each further file`)
  },
  async ruby() {
    const half = Number(count) / 2
    const each = `
      file { "${target}/f\${n}": source => "puppet:///modules/many/f\${n}" }
      bench_note { "${target}/note\${n}": content => "note \${n}" }`
    const files = { ...contents(half), ...rubyType }
    await besides(`${half} static files and ${half} resources of Ruby's, nothing to do`, files, loop(half, each))
  },
  async facts() {
    await compare('all facts', ({ facts }) => run(facts))
  },
  async daemon() {
    const server = await startServer(controlRepository({}, ''))
    try {
      for (const [name, program] of Object.entries(programs)) {
        await firstRuns(name, program, server)
        const words = agentWords(name, server, program.more, ['--no-daemonize', '--verbose'])
        console.log(`${name}: ${(await idleMemory([...program.command, ...words])).toFixed(0)} MiB`)
      }
    } finally {
      server.stop()
    }
  },
}

try {
  await (modes[mode] ?? fail(`No such mode: ${mode}; there are ${Object.keys(modes).join(', ')}`))()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function fail(message) {
  throw new Error(message)
}

function staticFiles(number) {
  const each = `file { "${target}/f\${n}": source => "puppet:///modules/many/f\${n}", mode => '0644' }`
  return besides(`${number} static files, nothing to do`, contents(number), loop(number, each))
}

/** Both agents on one site, after the runs that make it so. */
async function besides(title, files, manifest) {
  const server = await startServer(controlRepository(files, `file { '${target}': ensure => directory }\n${manifest}`))
  try {
    for (const [name, program] of Object.entries(programs)) await firstRuns(name, program, server)
    return await compare(title, ({ command, more }, name) => run([...command, ...agentWords(name, server, more)]))
  } finally {
    server.stop()
  }
}

async function firstRuns(name, { command, more }, server) {
  for (const expected of [[0, 2], [0]]) {
    const { status, said } = await run([...command, ...agentWords(name, server, more)])
    if (!expected.includes(status)) throw new Error(`${name} ended with ${status}: ${said}`)
  }
}

async function compare(title, once) {
  /** @type {Record<string, { ms: number, cpu: number, mib: number }[]>} */
  const seen = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
  for (let pair = 0; pair < Number(pairs); pair++)
    for (const [name, program] of Object.entries(programs)) seen[name].push(await once(program, name))
  console.log(`${title}, ${pairs} pairs`)
  const middle = Object.entries(seen).map(([name, all]) => [
    name,
    median(all, 'ms'),
    median(all, 'cpu'),
    median(all, 'mib'),
  ])
  for (const [name, ms, cpu, mib] of middle)
    console.log(
      `${name}: ${(ms / 1000).toFixed(2)} s, ${(cpu / 1000).toFixed(2)} s of the processor, ${mib.toFixed(0)} MiB`,
    )
  const [[, ms, cpu, mib], theirs] = middle
  const ratio = (other, own) => (other / own).toFixed(1)
  if (theirs)
    console.log(
      `ratios: ${ratio(theirs[1], ms)} by the wall, ${ratio(theirs[2], cpu)} of the processor, ${ratio(theirs[3], mib)} of memory`,
    )
  return middle
}

function answers(program, words) {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function contents(number) {
  const names = Array.from({ length: number }, (_, index) => index)
  return Object.fromEntries(names.map((n) => [`modules/many/files/f${n}`, `content of ${n}\n`.repeat(40)]))
}

function loop(number, code) {
  return `Integer[0, ${number - 1}].each |$n| { ${code} }\n`
}

/** A bare repository of a site with these files. */
function controlRepository(files, manifest) {
  const site = mkdtempSync(join(folder, 'site-'))
  const work = join(site, 'work')
  const bare = join(site, 'code.git')
  for (const [name, text] of Object.entries({ ...files, 'manifests/site.pp': manifest })) {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), text)
  }
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

function agentWords(name, server, more, how = ['--test']) {
  const own = join(folder, name)
  const places = ['confdir', 'vardir', 'ssldir', 'rundir', 'logdir', 'publicdir'].flatMap((place) => [
    `--${place}`,
    join(own, place),
  ])
  for (const place of places) if (place.startsWith('/')) mkdirSync(place, { recursive: true })
  return [
    ...['agent', ...how, ...places, '--certname', `${name}.bench.test`],
    ...['--server', 'localhost', '--serverport', server.port, ...more],
  ]
}

/**
 * Runs a command; its status, its times, and the most memory that it had: looked at each few milliseconds.
 * @param {string[]} command
 */
function run([program = '', ...args]) {
  return new Promise((done) => {
    const start = performance.now()
    const before = cpuOfChildren()
    const child = spawn(program, args)
    let said = ''
    let mib = 0
    const looking = setInterval(() => (mib = Math.max(mib, memoryOf(child.pid, 'VmHWM'))), 20)
    child.stdout.on('data', (data) => (said += data))
    child.stderr.on('data', (data) => (said += data))
    child.once('exit', (status) => {
      clearInterval(looking)
      done({ status, said, ms: performance.now() - start, cpu: cpuOfChildren() - before, mib })
    })
  })
}

/** Milliseconds of the processor that children have taken which are over, and theirs. */
function cpuOfChildren() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number)
  return (user + system) * 10
}

function memoryOf(pid, field) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0 // It is over.
  }
}

/** MiB of a process that has done its first run and waits for the next. */
async function idleMemory([program = '', ...args]) {
  const child = spawn(program, args)
  try {
    await new Promise((/** @type {(value?: unknown) => void} */ ready, failed) => {
      const look = (data) => String(data).includes('Applied catalog') && ready()
      child.stdout.on('data', look)
      child.stderr.on('data', look)
      child.once('exit', (status) => failed(new Error(`${program} ended with ${status}`)))
    })
    // The run that the daemon started is over some moments after it says so.
    await new Promise((done) => setTimeout(done, 10_000))
    return memoryOf(child.pid, 'VmRSS')
  } finally {
    child.kill('SIGTERM')
  }
}

function median(measures, key) {
  const sorted = measures.map((each) => each[key]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
