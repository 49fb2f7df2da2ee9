import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { isNight } from '../../support/nightly.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('killed-secrets')
const modules = resolve(import.meta.dirname, 'modules')
const secretFunction = 'deferrals/lib/puppet/functions/deferrals/secret.rb'
const [root, bin, holds] = ['root', 'bin', 'holds'].map((name) => join(folder, name)) as [string, string, string]

/** Moments at which a run waits in a program, in their order. */
const moments = [
  ...['start', 'validation', 'backup', 'command', 'environment', 'unless', 'onlyif', 'refresh', 'password', 'service'],
  ...['template', 'deferred-validation', 'deferred-command', 'deferred-template', 'end'],
] as const
type Moment = (typeof moments)[number]

/** Secrets are put together where a manifest is evaluated, or on the node: no text of code holds them. */
const values = [
  'content',
  'backed',
  'command',
  'environment',
  'unless',
  'onlyif',
  'refresh',
  'password',
  'service',
  'output',
  'template',
]
const deferred = ['deferred-content', 'deferred-command', 'deferred-template']
const secrets = [...values.map((name) => `unmistak4ble-"${name}`), ...deferred.map((name) => `hush-${name}`)]
const later = (name: string) => `Deferred('unwrap', [Deferred('deferrals::secret', ['deferred-${name}'])])`

const manifest = `
  function text(String $name) >> String { "unmis\${'tak4ble'}-\\"\${name}" }
  $hold = '${bin}/hold'
  Exec { path => '/bin:/usr/bin' }
  exec { 'start': command => "$hold start" }
  -> file { '${root}/content': content => Sensitive(text('content')), validate_cmd => "$hold validation %" }
  -> file { '${root}/backed': content => Sensitive("first\\n\${text('backed')}\\n"), show_diff => true }
  -> exec { 'backup': command => "$hold backup" }
  -> exec { 'command': command => Sensitive("$hold command '\${text('command')}'") }
  -> exec { 'environment': command => "$hold environment", environment => Sensitive(["A=\${text('environment')}"]) }
  -> exec { 'unless': command => 'true', unless => Sensitive("$hold unless '\${text('unless')}'") }
  -> exec { 'onlyif': command => 'true', onlyif => Sensitive("$hold onlyif '\${text('onlyif')}'") }
  -> exec { 'refresh': command => 'true', refresh => Sensitive("$hold refresh '\${text('refresh')}'"), subscribe => Exec['onlyif'] }
  -> user { 'nobody2x': ensure => present, password => Sensitive(text('password')) }
  -> service { 's': ensure => running, provider => 'base', status => 'false', start => Sensitive("$hold service '\${text('service')}'") }
  -> file { '${root}/template': content => Sensitive(inline_epp('a <%= $it %>', { 'it' => text('template') })), validate_cmd => "$hold template %" }
  -> file { '${root}/deferred': content => ${later('content')}, validate_cmd => "$hold deferred-validation %" }
  -> exec { 'later': command => Deferred('sprintf', ["$hold deferred-command %s", ${later('command')}]) }
  -> file { '${root}/late': content => Deferred('inline_epp', ['a <%= $it %>', { 'it' => ${later('template')} }]), validate_cmd => "$hold deferred-template %" }
  exec { 'output': command => Sensitive("/bin/sh -c 'echo \\"\${text('output')}\\"; exit 3'"), require => File['${root}/late'] }
  exec { 'end': command => "$hold end", require => File['${root}/late'], subscribe => Exec['output'] }
  exec { 'last': command => "$hold end", require => File['${root}/late'] }`

let server: RunningServer

beforeAll(async () => {
  for (const each of [root, bin, holds]) mkdirSync(each)
  const programs = {
    // Waits while the test asks for it.
    hold: `#!/bin/sh\n[ -e "${holds}/$1" ] || exit 0\n: > "${holds}/$1.reached"\nwhile [ -e "${holds}/$1" ]; do sleep 0.02; done\n`,
    chpasswd: `#!/bin/sh\nexec ${bin}/hold password\n`,
    useradd: '#!/bin/sh\nexit 0\n',
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  const code = readFileSync(join(modules, secretFunction))
  const repository = controlRepository({ 'manifests/site.pp': manifest, [`modules/${secretFunction}`]: code })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
})
afterAll(async () => {
  await server?.stop()
})

interface Machine {
  readonly places: readonly string[]
  readonly catalog: string
  /** Words of the run. */
  readonly words: readonly string[]
}

function machine(command: 'agent' | 'apply'): Machine {
  const [confdir, vardir] = [join(folder, command, 'etc'), join(folder, command, 'var')]
  const places = ['--confdir', confdir, '--vardir', vardir]
  const who = ['--certname', 'node.example.test', '--key_type', 'ec']
  const logs = ['--debug', '--trace', '--evaltrace', '--show_diff', '--graph', '--logdest', join(vardir, 'log/run.log')]
  const own = {
    agent: ['--onetime', '--no-daemonize', '--server', 'localhost', '--serverport', String(server?.port)],
    apply: ['--modulepath', modules, '-e', manifest],
  }
  const catalog = join(vardir, 'client_data/catalog/node.example.test.json')
  return { places, catalog, words: [command, ...places, ...who, ...logs, ...own[command]] }
}

/** Runs a command; kills it when it waits at a moment. Returns its output. */
async function run({ words, catalog }: Machine, moment?: Moment | 'caching'): Promise<string> {
  rmSync(root, { recursive: true })
  mkdirSync(root)
  writeFileSync(join(root, 'backed'), 'first\nold, and no secret\n')
  const hold = moment === undefined || moment === 'caching' ? undefined : join(holds, moment)
  if (hold !== undefined) writeFileSync(hold, '')
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
  const child = spawn(process.execPath, [plumbMain, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => said.push(data.toString()))
  const ended = new Promise((done) => child.once('close', done))
  const watcher =
    moment === 'caching'
      ? watch(dirname(catalog), (_, name) => void (name?.endsWith('.tmp') && child.kill('SIGKILL')))
      : undefined
  try {
    if (hold !== undefined) {
      await expect
        .poll(() => existsSync(`${hold}.reached`) || child.exitCode, { interval: 5, timeout: 60_000 })
        .toBe(true)
      child.kill('SIGKILL')
    }
  } finally {
    for (const path of hold === undefined ? [] : [hold, `${hold}.reached`]) rmSync(path, { force: true })
    await ended
    watcher?.close()
  }
  return said.join('')
}

/** What `plumb doctor secrets` finds, besides the cached catalog. */
async function findCopies({ places }: Machine): Promise<readonly string[]> {
  const words = ['doctor', 'secrets', '--role', 'agent', '--render-as', 'json', ...places, '--secrets', '-']
  const { out, err } = await runHere(words, secrets.join('\n'))
  expect(err).toBe('')
  const { findings } = JSON.parse(out) as { findings: readonly { code: string; what: string }[] }
  return findings.filter(({ code }) => code !== 'CATALOG_PLAIN').map(({ code, what }) => `${code} ${what}`)
}

const isSecretIn = (text: string) => secrets.filter((secret) => text.includes(secret))

describe('a run with secrets', { timeout: 120_000 }, () => {
  it('is at work with all of them, and leaves no copy when it ends', async () => {
    for (const each of [machine('agent'), machine('apply')]) {
      const said = await run(each)
      const read = (name: string) => readFileSync(join(root, name), 'utf8')
      expect(read('content'), said).toBe('unmistak4ble-"content')
      expect(['backed', 'template', 'deferred', 'late'].flatMap((name) => isSecretIn(read(name)))).toHaveLength(4)
      expect(isSecretIn(said)).toEqual([])
      expect(await findCopies(each)).toEqual([])
    }
    expect(readFileSync(machine('agent').catalog, 'utf8')).toContain('unmistak4ble')
    expect(readFileSync(machine('agent').catalog, 'utf8')).not.toContain('hush-')
  })

  const kills = moments.flatMap((moment, index) => [
    ['agent', moment] as const,
    ...(isNight || index % 3 === 1 ? [['apply', moment] as const] : []),
  ])
  it.each(kills)('leaves no copy when %s is killed at the moment: %s', async (command, moment) => {
    const here = machine(command)
    expect(isSecretIn(await run(here, moment))).toEqual([])
    expect(await findCopies(here)).toEqual([])
    if (command === 'agent') expect(readFileSync(here.catalog, 'utf8')).not.toContain('hush-')
  })

  it('leaves at most an unfinished catalog when it is killed while it caches one, until the next run', async () => {
    const here = machine('agent')
    const unfinished = join(dirname(here.catalog), '.node.example.test.json.0123456789ab.tmp')
    writeFileSync(unfinished, readFileSync(here.catalog))
    for (let kill = 0; kill < 3; kill++) {
      // An identical catalog is not written again.
      rmSync(here.catalog, { force: true })
      await run(here, 'caching')
    }
    const isOther = (line: string) => !/^SECRET_COPY \S+\/catalog\/\.node\.example\.test\.json\.\w+\.tmp /.test(line)
    const found = await findCopies(here)
    expect(found).not.toEqual([])
    expect(found.filter(isOther)).toEqual([])
    const earlier = new Date(Date.now() - 900_000)
    for (const name of readdirSync(dirname(here.catalog)))
      utimesSync(join(dirname(here.catalog), name), earlier, earlier)
    await run(here)
    expect(await findCopies(here)).toEqual([])
  })

  it('would be found with a copy', async () => {
    const here = machine('agent')
    const copy = join(folder, 'agent/var/state/copy')
    writeFileSync(copy, Buffer.from(secrets.at(-1)!).toString('base64'))
    expect(await findCopies(here)).toEqual([
      `SECRET_COPY ${copy} contains a secret as base64: line ${secrets.length} of standard input`,
    ])
    rmSync(copy)
  })
})
