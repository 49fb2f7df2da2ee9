import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const certname = 'real.example.test'
/** Bytes that any conversion of text would spoil. */
const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256)
const fact = `# Bytes beyond ASCII: é\nFacter.add(:plumb_probe) do\n  setcode { 'pluginsynced' }\nend\n`

const files = (target: string) => ({
  'manifests/site.pp': 'node default { include demo }\n',
  'modules/demo/manifests/init.pp': `class demo {
  file { '${target}/static.txt': ensure => file, source => 'puppet:///modules/demo/static.txt' }
  file { '${target}/binary': ensure => file, mode => '0600', source => 'puppet:///modules/demo/binary' }
  file { '${target}/outside': ensure => directory, recurse => true, source => 'puppet:///outside/files' }
  file { '${target}/tree': ensure => directory, recurse => true, purge => true, source => 'puppet:///modules/demo/tree' }
  file { '${target}/content.txt': ensure => file, content => epp('demo/content.epp', { 'probe' => $facts['plumb_probe'] }) }
  file { '${target}/content-bytes': ensure => file, content => file('demo/binary') }
  file { '${target}/template-bytes': ensure => file, content => template('demo/bytes.erb') }
  file { '${target}/link': ensure => link, target => '${target}/static.txt' }
  notify { 'exact': message => $facts['exact'], noop => true }
  notify { 'secret': message => Sensitive('hush'), withpath => false, noop => true }
  exec { 'touched': command => '/bin/echo ran >> ${target}/ran', refreshonly => true, provider => shell, subscribe => File['${target}/static.txt'] }
}
`,
  'modules/demo/templates/content.epp': '<%- | Any $probe | -%>\nprobe: <%= $probe %>\n',
  'modules/demo/templates/bytes.erb': Buffer.from("<%= [255, 173].pack('C2') %>"),
  'modules/demo/files/static.txt': 'the first commit\n',
  'modules/demo/files/binary': bytes,
  'modules/demo/files/tree/one.txt': 'one\n',
  'modules/demo/files/tree/sub/two.txt': 'two\n',
  'modules/demo/files/tree/sub/ä #1 50%+x&y': 'odd\n',
  'modules/demo/lib/facter/plumb_probe.rb': fact,
  'modules/demo/lib/puppet_x/demo/data.bin': bytes,
  'modules/demo/facts.d/exact.json': '{"exact": {"10": 1.0, "9": 1152921504606846977, "1": [0.5, 2.0]}}\n',
  'modules/demo/facts.d/external.txt': 'plumb_external=yes\n',
})

describe.skipIf(!hasPuppet)(`a real Puppet agent against plumb server${withoutPuppet}`, () => {
  const home = scratchFolder('real-agent')
  const target = scratchFolder('real-target')
  const outside = scratchFolder('real-outside')
  let repository: ControlRepository
  let server: RunningServer

  beforeAll(async () => {
    repository = controlRepository(files(target))
    const own = join(outside, certname, 'files')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'binary'), bytes)
    const fileserverconfig = join(outside, 'fileserver.conf')
    writeFileSync(fileserverconfig, `[outside]\n  path ${outside}/%H\n  allow *\n`)
    server = await startServer({ repository: repository.bare, settings: { autosign: 'false', fileserverconfig } })
  })

  afterAll(async () => {
    await server?.stop()
  })

  const directories = ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir']
  const agent = (...extra: string[]) =>
    execa(
      'puppet',
      [
        ...[
          'agent',
          '--onetime',
          '--no-daemonize',
          '--verbose',
          '--no-splay',
          '--detailed-exitcodes',
          '--color',
          'false',
        ],
        ...[
          '--server',
          'localhost',
          '--serverport',
          String(server.port),
          '--certname',
          certname,
          '--keylength',
          '2048',
        ],
        ...directories.flatMap((name) => [`--${name}`, join(home, name)]),
        ...noModules,
        ...extra,
      ],
      { reject: false, all: true },
    )

  it('waits for its certificate, gets it signed, and applies its first catalog', async () => {
    const run = agent('--waitforcert', '1', '--show_diff')
    await expect
      .poll(async () => String((await plumb(['ca', 'list', ...server.places])).stdout), {
        timeout: 240_000,
        interval: 500,
      })
      .toContain(certname)
    const signed = await plumb(['ca', 'sign', '--certname', certname, ...server.places])
    expect(signed.exitCode, String(signed.stderr)).toBe(0)
    const { all, exitCode } = await run
    expect(all).toContain(`Caching catalog for ${certname}`)
    expect(exitCode, all).toBe(2)
    expect(readFileSync(join(target, 'static.txt'), 'utf8')).toBe('the first commit\n')
    expect(readFileSync(join(target, 'binary')).equals(bytes)).toBe(true)
    expect(readFileSync(join(target, 'content-bytes')).equals(bytes)).toBe(true)
    expect(readFileSync(join(target, 'template-bytes')).toString('hex')).toBe('ffad')
    expect(statSync(join(target, 'binary')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(target, 'outside/binary')).equals(bytes)).toBe(true)
    expect(readFileSync(join(target, 'tree/sub/two.txt'), 'utf8')).toBe('two\n')
    expect(readFileSync(join(target, 'tree/sub/ä #1 50%+x&y'), 'utf8')).toBe('odd\n')
    expect(readFileSync(join(target, 'ran'), 'utf8')).toBe('ran\n')
    expect(all).not.toContain('hush')
  })

  it('has the plug-ins byte for byte, and their facts in the catalog', async () => {
    expect(readFileSync(join(home, 'vardir/lib/facter/plumb_probe.rb'), 'utf8')).toBe(fact)
    expect(readFileSync(join(home, 'vardir/lib/puppet_x/demo/data.bin')).equals(bytes)).toBe(true)
    expect(readFileSync(join(home, 'vardir/facts.d/external.txt'), 'utf8')).toBe('plumb_external=yes\n')
    expect(readFileSync(join(target, 'content.txt'), 'utf8')).toBe('probe: pluginsynced\n')
  })

  it('tells how two files of the file bucket differ', async () => {
    const bucket = (...words: string[]) =>
      execa('puppet', [
        ...['filebucket', ...words, '--remote', '--bucket', join(home, 'bucket'), '--color', 'false'],
        ...['--server', 'localhost', '--serverport', String(server.port), '--certname', certname],
        ...directories.flatMap((name) => [`--${name}`, join(home, name)]),
      ])
    const sums = ['one\n', 'two\n'].map(async (text) => {
      const file = join(home, `${text.trim()}.txt`)
      writeFileSync(file, text)
      return /[0-9a-f]{64}/.exec((await bucket('backup', file)).stdout)![0]
    })
    const [one = '', two = ''] = await Promise.all(sums)
    expect((await bucket('diff', one, two)).stdout.split('\n').slice(2)).toEqual(['@@ -1 +1 @@', '-one', '+two'])
  })

  it('sends and gets numbers and the order of keys as they were', () => {
    const catalog = readFileSync(join(home, 'vardir/client_data/catalog', `${certname}.json`), 'utf8')
    expect(catalog).toContain('"message":{"10":1.0,"9":1152921504606846977,"1":[0.5,2.0]}')
  })

  it('left its report with the server', () => {
    const reports = join(server.vardir, 'reports', certname)
    expect(readdirSync(reports).length).toBe(1)
  })

  it('changes nothing the second time', async () => {
    const { all, exitCode } = await agent()
    expect(exitCode, all).toBe(0)
    expect(all).toContain(`Caching catalog for ${certname}`)
  })

  it('only says with --noop what a push would change', async () => {
    repository.push({
      'modules/demo/templates/bytes.erb': Buffer.from("<%= [255, 173].pack('C2') %>"),
      'modules/demo/files/static.txt': 'the second commit\n',
      'modules/demo/files/tree/three.txt': 'three\n',
    })
    const { stdout } = await plumb(['code', 'deploy', 'production', ...server.places])
    expect(stdout).toContain(repository.git('rev-parse', 'HEAD'))
    const { all, exitCode } = await agent('--noop')
    expect(exitCode, all).toBe(0)
    expect(all).toMatch(/static\.txt\]\/content: current_value .* should be .* \(noop\)/)
    expect(readFileSync(join(target, 'static.txt'), 'utf8')).toBe('the first commit\n')
  })

  it("gets the first commit's bytes for the catalog that it cached before the push", async () => {
    writeFileSync(join(target, 'static.txt'), 'drifted\n')
    rmSync(join(target, 'tree'), { recursive: true })
    const { all, exitCode } = await agent('--use_cached_catalog')
    expect(exitCode, all).toBe(2)
    expect(readFileSync(join(target, 'static.txt'), 'utf8')).toBe('the first commit\n')
    expect(readdirSync(join(target, 'tree')).sort()).toEqual(['one.txt', 'sub'])
  })

  it('gets the second commit with a new catalog', async () => {
    const { all, exitCode } = await agent()
    expect(exitCode, all).toBe(2)
    expect(readFileSync(join(target, 'static.txt'), 'utf8')).toBe('the second commit\n')
    expect(existsSync(join(target, 'tree/three.txt'))).toBe(true)
  })

  it('is refused once its certificate is revoked', async () => {
    const revoked = await plumb(['ca', 'revoke', '--certname', certname, ...server.places])
    expect(revoked.exitCode, String(revoked.stderr)).toBe(0)
    const { all, exitCode } = await agent('--no-usecacheonfailure')
    expect(exitCode, all).toBe(1)
    expect(all).toMatch(/certificate revoked|Forbidden|403|alert/i)
  })
})
