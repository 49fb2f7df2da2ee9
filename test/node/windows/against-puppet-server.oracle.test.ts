import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { startPuppetServer } from '../../../bench/server/puppet-server.js'
import { without } from '../../support/needs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { accessWarning, startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const certname = 'pc.test'
/** Bytes that any conversion of text or line breaks would spoil. */
const bytes = Buffer.from(Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256))

const files: Readonly<Record<string, string | Buffer>> = {
  'environments/production/manifests/site.pp': 'include demo\n',
  'environments/production/modules/demo/manifests/init.pp': `class demo {
  file { 'C:/managed': ensure => directory }
  file { 'C:/managed/binary': source => 'puppet:///modules/demo/binary' }
  file { 'C:/managed/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
  file { 'C:/managed/role.txt': content => "\${facts['role']}\\r\\n" }
  file { 'C:/managed/late.txt': content => Deferred('upcase', ['late']) }
}
`,
  'environments/production/modules/demo/files/binary': bytes,
  'environments/production/modules/demo/files/tree/sub/two.txt': 'two\r\n',
  'environments/production/modules/demo/facts.d/role.txt': 'role=web\r\n',
}

const missing = without('Windows (Wine)', 'Puppet Server 7.9.5')

describe.skipIf(missing)(`our agent on Windows against a real Puppet Server${missing}`, () => {
  const folder = scratchFolder('windows-against-puppet-server')
  let windows: WindowsMachine
  let server: Awaited<ReturnType<typeof startPuppetServer>>

  beforeAll(async () => {
    const codedir = join(folder, 'code')
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(codedir, path)), { recursive: true })
      writeFileSync(join(codedir, path), content)
    }
    const given = { codedir, port: await freePort(), instances: 1, deployer: 'nobody.test', flush: () => undefined }
    server = await startPuppetServer(folder, given)
    windows = await startWindows()
  }, 1_200_000)
  afterAll(async () => {
    await server?.stop()
    await windows?.stop()
  })

  const agent = (...words: string[]) => {
    const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', certname]
    return windows.plumb(['agent', '--test', ...who, '--keylength', '2048', '--color', 'false', ...words])
  }
  const managed = (path: string) => readFileSync(join(windows.driveC, 'managed', path))

  it('gets a certificate, plug-ins and its catalog, applies it, and sends a report', async () => {
    const { exitCode, stdout, stderr } = await agent()
    expect(stderr).toBe(accessWarning)
    expect(exitCode, stdout).toBe(2)
    expect(managed('binary').equals(bytes)).toBe(true)
    expect(managed('tree/sub/two.txt').toString()).toBe('two\r\n')
    expect(managed('role.txt').toString()).toBe('web\r\n')
    expect(managed('late.txt').toString()).toBe('LATE')
    const place = join(folder, 'puppetserver/var/reports', certname)
    const [report = ''] = readdirSync(place)
    expect(readFileSync(join(place, report), 'utf8')).toMatch(/^status: changed$/m)
  })

  it('changes nothing in a second run, and repairs a file under the cached catalog', async () => {
    const second = await agent()
    expect(second).toMatchObject({ exitCode: 0, stderr: accessWarning })
    writeFileSync(join(windows.driveC, 'managed/late.txt'), 'changed')
    const repair = await agent('--use_cached_catalog')
    // Catalogs of Puppet Server are not signed, which a run with a cached one says.
    expect(repair.exitCode, repair.stderr).toBe(2)
    expect(repair.stderr).toContain('The catalog for pc.test is not signed')
    expect(managed('late.txt').toString()).toBe('LATE')
  })
})
