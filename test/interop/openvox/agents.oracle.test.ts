import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { type OpenvoxVersion, programOf, variablesOf } from '../../support/openvox.ts'
import { type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const fact = "Facter.add(:vox_probe) do\n  setcode { 'pluginsynced' }\nend\n"

const files = (target: string) => ({
  'manifests/site.pp': `node default { include demo }\n`,
  'modules/demo/manifests/init.pp': `class demo {
  file { '${target}/static.txt': ensure => file, source => 'puppet:///modules/demo/static.txt' }
  file { '${target}/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
  file { '${target}/facts': content => "\${facts['implementation']} \${facts['vox_probe']} \${facts['clientversion']}\\n" }
  file { '${target}/trusted': content => "\${trusted['certname']} \${trusted['extensions']['pp_role']}\\n" }
  file { '${target}/server': content => "\${server_facts['serverimplementation']}\\n" }
  file { '${target}/bytes': content => Binary('/6k=') }
  file { '${target}/deferred': content => Deferred('upcase', ['later']) }
  notify { 'secret': message => Sensitive('hush'), withpath => false }
}
`,
  'modules/demo/files/static.txt': 'of the first commit\n',
  'modules/demo/files/tree/one.txt': 'one\n',
  'modules/demo/files/tree/sub/two.txt': 'two\n',
  'modules/demo/lib/facter/vox_probe.rb': fact,
})

describe.each([
  ['OpenVox 8.28.1', '8.28.1'],
  ['OpenVox 9.0.0-beta2', '9.0.0-beta2'],
] as const)('a real agent of %s against plumb server', (version: OpenvoxVersion, number) => {
  const home = scratchFolder('openvox-agent')
  const target = scratchFolder('openvox-target')
  const certname = `vox${number[0]}.example.test`
  let server: RunningServer
  const directories = ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir']
  const places = directories.flatMap((name) => [`--${name}`, join(home, name)])
  const who = () => ['--server', 'localhost', '--serverport', String(server.port), '--certname', certname]
  const puppet = (...words: string[]) =>
    execa(
      'ruby',
      [programOf(version), ...words, '--color', 'false', ...places, ...who(), '--basemodulepath', '/nonexistent'],
      {
        reject: false,
        all: true,
        env: variablesOf(version),
      },
    )
  const agent = (...extra: string[]) =>
    puppet('agent', '--onetime', '--no-daemonize', '--verbose', '--no-splay', '--detailed-exitcodes', ...extra)

  beforeAll(async () => {
    const repository = controlRepository(files(target))
    server = await startServer({
      repository: repository.bare,
      settings: { autosign: 'true', reports: 'store', reportdir: join(home, 'reports'), compatibility: 'openvox8' },
    })
  })
  afterAll(async () => {
    await server?.stop()
  })

  it('submits a request with extensions, syncs plug-ins, and applies a static catalog', async () => {
    mkdirSync(join(home, 'confdir'), { recursive: true })
    writeFileSync(join(home, 'confdir/csr_attributes.yaml'), "---\nextension_requests:\n  pp_role: 'web'\n")
    const { all, exitCode } = await agent('--keylength', '2048')
    expect(exitCode, all).toBe(2)
    expect(all).toContain(`Caching catalog for ${certname}`)
    expect(all).not.toContain('hush')
    const read = (name: string) => readFileSync(join(target, name), 'utf8')
    expect(read('static.txt')).toBe('of the first commit\n')
    expect(read('tree/sub/two.txt')).toBe('two\n')
    expect(read('facts')).toBe(`openvox pluginsynced ${number}\n`)
    expect(read('trusted')).toBe(`${certname} web\n`)
    expect(read('server')).toBe('openvox\n')
    expect(readFileSync(join(target, 'bytes')).toString('hex')).toBe('ffa9')
    expect(read('deferred')).toBe('LATER')
  })

  it('sends its report, which the server stores', () => {
    const folder = join(home, 'reports', certname)
    const [report = ''] = readdirSync(folder)
    const text = readFileSync(join(folder, report), 'utf8')
    expect(text.replaceAll('"', '')).toContain(`puppet_version: ${number}`)
    expect(text).toContain('report_format: 12')
    expect(text).not.toContain('hush')
  })

  it('changes nothing in a second run', async () => {
    const { all, exitCode } = await agent()
    expect(all).toContain('Applied catalog')
    // The notify is a change in each run.
    expect(exitCode, all).toBe(2)
    expect(all).not.toContain('File[')
  })

  it('works with catalogs as MessagePack', async () => {
    const { all, exitCode } = await agent('--preferred_serialization_format', 'rich_data_msgpack')
    expect(exitCode, all).toBe(2)
  })

  it('looks at its certificate, and renews it', async () => {
    const verified = await puppet('ssl', 'verify')
    expect(verified.exitCode, verified.all).toBe(0)
    const kept = await puppet('ssl', 'renew_cert', '--if-expiring-in', '1d', '--verbose')
    expect(kept.exitCode, kept.all).toBe(0)
    expect(kept.all).toContain(`Certificate '${certname}' is still valid until`)
    const renewed = await puppet('ssl', 'renew_cert')
    expect(renewed.exitCode, renewed.all).toBe(0)
    expect(renewed.all).toContain(`Downloaded certificate '${certname}' with fingerprint`)
  })

  it('backs up a file to the bucket of the server', async () => {
    const { all, exitCode } = await puppet('filebucket', 'backup', join(target, 'static.txt'))
    expect(exitCode, all).toBe(0)
    expect(all).toMatch(/static\.txt: [0-9a-f]{64}/)
  })

  it('applies a manifest and looks up data without a server', async () => {
    const applied = await puppet('apply', '-e', "notice($facts['implementation'])")
    expect(applied.all).toContain('openvox')
  })
})
