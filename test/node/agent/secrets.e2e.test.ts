import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManagedResource } from '../../../src/node/resources/managed-resource.ts'
import { metaparameterAttributes } from '../../../src/node/resources/metaparameters.ts'
import { types } from '../../../src/node/resources/types.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** The secret is put together where a manifest is evaluated: no text of code holds it. */
const secret = 'unmistak4ble'
const inCode = `Sensitive("/\${'unmis'}tak4ble")`

/** How the secret may show: as it is and encoded, whole or as a part of something longer. */
const traces = [secret, ...[0, 1, 2].map((offset) => base64Core(offset)), Buffer.from(secret).toString('hex')]

/** What base64 makes of the secret wherever it stands in a longer text: characters that depend on nothing else. */
function base64Core(offset: number): string {
  const encoded = Buffer.from(`${'-'.repeat(offset)}${secret}`)
    .toString('base64')
    .replaceAll('=', '')
  return encoded.slice(offset === 0 ? 0 : offset + 1, -2)
}

/** Programs of which the agent's providers think: each says all that it is told, and fails. */
const programs = [
  ...['useradd', 'usermod', 'userdel', 'groupadd', 'groupmod', 'groupdel', 'chpasswd', 'chage'],
  ...['apt-get', 'apt-cache', 'apt-mark', 'dpkg', 'dpkg-deb', 'dpkg-query', 'debconf-set-selections'],
  ...['systemctl', 'journalctl', 'update-rc.d', 'invoke-rc.d', 'pgrep', 'ps'],
]

/** Attributes that are asked for words of a list, so that nothing secret can be in them. */
const words = ['ensure', 'provider', 'loglevel', 'noop', 'audit', 'schedule', ...Object.keys(metaparameterAttributes)]

/** Attributes that make a catalog of root's alone. */
const ofRoot = process.getuid?.() === 0 ? [] : ['exec.user']

/** Attributes that name what the catalog has not: nothing of it would be applied. */
const ofCatalog = ['file.backup']

/** Which other attributes an attribute needs before it does anything. */
const companions: Readonly<Record<string, string>> = {
  'file.validate_cmd': "content => 'new'",
  'file.validate_replacement': "content => 'new', validate_cmd => '/bin/false %'",
  'file.staging_location': "content => 'new', validate_cmd => '/bin/false %'",
  'file.checksum_value': "source => '/etc/hostname'",
  'exec.unless': "command => '/bin/true'",
  'exec.onlyif': "command => '/bin/true'",
  'exec.refresh': "command => '/bin/true'",
  'service.start': 'ensure => running',
  'service.stop': 'ensure => stopped',
  'service.status': 'ensure => running',
  'service.binary': "ensure => running, provider => 'base'",
  'service.pattern': "ensure => running, hasstatus => false, provider => 'base'",
}

/** Attributes whose value is not a path, with one that they take. */
const values: Readonly<Record<string, string>> = {
  'exec.environment': `Sensitive(["SECRET=\${$secret.unwrap}", "SECRET=\${$secret.unwrap}2"])`,
  'exec.command': `Sensitive("/bin/sh -c 'echo \${$secret.unwrap}; echo \${$secret.unwrap} | base64; exit 3'")`,
  'exec.unless': `Sensitive("/bin/sh -c 'echo \${$secret.unwrap}; exit 3'")`,
  'exec.onlyif': `Sensitive("/bin/sh -c 'echo \${$secret.unwrap}; exit 0'")`,
  'file.validate_cmd': `Sensitive("/bin/sh -c 'echo \${$secret.unwrap}; exit 3' %")`,
  'file.content': `Sensitive("a line\\n\${$secret.unwrap}\\n")`,
  'package.install_options': `Sensitive([{ '--with' => $secret.unwrap }, $secret.unwrap])`,
  'user.password': `Sensitive("$6$\${$secret.unwrap}")`,
}

const base: Readonly<Record<string, string>> = {
  exec: "logoutput => on_failure, path => '/bin:/usr/bin'",
  file: '',
  group: '',
  notify: '',
  package: '',
  service: 'ensure => running',
  user: '',
}

/** Whether an attribute can be a text with a secret in it; what is said when it cannot is another test's. */
function takesText(type: string, name: string): boolean {
  try {
    new ManagedResource(types.get(type)!, { title: '/title', values: new Map([[name, `/${secret}`]]) }).parse()
    return true
  } catch {
    return false
  }
}

/** One resource for each attribute of each type that takes a text, with the secret in it. */
const manifest = [
  `$secret = ${inCode}`,
  `file { ['/x', '/etc']: ensure => directory }`,
  ...Object.keys(base).flatMap((type) =>
    Object.keys(types.get(type)!.attributes).flatMap((name) => {
      const key = `${type}.${name}`
      if (
        words.includes(name) ||
        ofRoot.includes(key) ||
        ofCatalog.includes(key) ||
        !(key in values || takesText(type, name))
      )
        return []
      const title = type === 'file' ? `/x/${name}` : `${type}_${name}`
      const others =
        name === 'path' && type === 'exec'
          ? []
          : [companions[key] ?? base[type]].filter((each) => !each?.startsWith(`${name} `) && each !== '')
      const audit = type === 'exec' || type === 'notify' ? [] : ['audit => all']
      const command =
        type === 'exec' && !key.endsWith('command') && !companions[key] ? ["command => '/bin/sh -c env; exit 4'"] : []
      const given = [`${name} => ${values[key] ?? '$secret'}`, ...others, ...command, ...audit]
      return [`${type} { '${title}': ${given.join(', ')} }`]
    }),
  ),
  // By other ways: through a define, a template, a deferred function, an override.
  `define handed(Sensitive[String] $value) { notify { "by-\${title}": message => $value } file { "/x/by-\${title}": content => $value } }`,
  `handed { 'define': value => $secret }`,
  `notify { 'template': message => Sensitive(inline_epp('<%= $it %>', { 'it' => $secret.unwrap })) }`,
  `notify { 'deferred': message => Sensitive(Deferred('sprintf', ['%s', $secret])) }`,
  `notify { 'deferred-new': message => Deferred('new', [Sensitive, 'x']) }`,
  `notify { 'interpolated': message => "it is \${secret}" }`,
  `notify { 'hash': message => { 'a' => $secret, 'b' => [$secret] } }`,
  `notify { 'overridden': } Notify['overridden'] { message => $secret }`,
  `notice($secret, [$secret], { 'a' => $secret }, "\${secret}")`,
].join('\n')

const folder = scratchFolder('secrets')
const root = join(folder, 'root')
const catalog = join(folder, 'var/client_data/catalog/node.example.test.json')
let repository: ControlRepository
let server: RunningServer
const said: string[] = []

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  for (const program of programs) {
    const path = join(folder, 'bin', program)
    writeFileSync(path, '#!/bin/sh\necho "$0: does not like $*:"\ntimeout 2 cat\nexit 1\n')
    chmodSync(path, 0o755)
  }
  repository = controlRepository({ 'manifests/site.pp': manifest })
  server = await startServer({
    repository: repository.bare,
    settings: { autosign: 'true', storeconfigs: 'true', log_level: 'debug', reports: 'store,log' },
  })
})

afterAll(async () => {
  await server?.stop()
})

async function agent(...words: string[]): Promise<number | undefined> {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--agent_root', root]
  const who = ['--certname', 'node.example.test', '--keylength', '2048', '--server', 'localhost']
  const all = ['agent', '--test', '--debug', ...places, ...who, '--serverport', String(server.port), ...words]
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...all], { reject: false, env })
  said.push(stdout, stderr)
  return exitCode
}

/** Every file below a folder. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

/** Lines in which the secret shows. */
function leaksIn(text: string): string[] {
  return text.split('\n').filter((line) => traces.some((trace) => line.includes(trace)))
}

describe('a secret in every attribute', { timeout: 120_000 }, () => {
  it('is not in what the agent prints', async () => {
    expect(await agent('--noop')).toBe(4)
    expect(await agent()).toBe(6)
    writeFileSync(join(root, 'x/content'), `meddled, and the old ${secret}\n`)
    expect(await agent('--evaltrace')).toBe(6)
    const text = said.join('\n')
    expect(leaksIn(text)).toEqual([])
    // All of it was at work.
    expect(text).toContain("Execution of '[redacted]' returned 1")
    expect(text).toContain('[command redacted] returned 3 instead of one of [0]')
    expect(text).toContain('[output redacted]')
    expect(text).toContain('[diff redacted]')
    expect(text.split('[redacted]').length).toBeGreaterThan(100)
  })

  it('is not in what is said of a bucket that is not there', async () => {
    repository.push({
      'manifests/site.pp': `$secret = ${inCode}\nfile { '/x/backup': content => 'new', backup => $secret }`,
    })
    await plumb(['code', 'deploy', 'production', ...server.places])
    said.length = 0
    expect(await agent()).toBe(1)
    expect(leaksIn(said.join('\n'))).toEqual([])
    expect(said.join('\n')).toContain('Could not find filebucket [redacted] specified in backup')
    repository.push({ 'manifests/site.pp': manifest })
    await plumb(['code', 'deploy', 'production', ...server.places])
    expect(await agent()).toBe(6)
  })

  it('is on the disk of the node in the cached catalog only, which root alone reads', () => {
    const holding = filesBelow(folder).filter((path) => leaksIn(readFileSync(path, 'latin1')).length > 0)
    expect(holding.filter((path) => !path.startsWith(root) && !path.includes('/clientbucket/'))).toEqual([catalog])
    expect(statSync(catalog).mode & 0o777).toBe(0o600)
    for (const path of holding.filter((each) => each.includes('/clientbucket/')))
      expect(statSync(path).mode & 0o007, path).toBe(0)
    expect(existsSync(join(folder, 'var/state/transactionstore.yaml'))).toBe(true)
    expect(readFileSync(join(folder, 'var/state/last_run_report.yaml'), 'utf8')).toContain('redacted: true')
  })

  it('is not in what the server logs or keeps', () => {
    const holding = filesBelow(dirname(server.vardir)).filter(
      (path) => leaksIn(readFileSync(path, 'latin1')).length > 0,
    )
    expect(holding).toEqual([])
    expect(leaksIn(server.output())).toEqual([])
    expect(filesBelow(join(server.vardir, 'reports')).length).toBeGreaterThan(0)
  })
})
