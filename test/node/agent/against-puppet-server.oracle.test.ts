import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { startPuppetServer } from '../../../bench/server/puppet-server.js'
import { without } from '../../support/needs.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const missing = without('Puppet Server 7.9.5')
const certname = 'ours.example.test'
/** Bytes that any conversion of text would spoil. */
const bytes = Buffer.from(Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256))

const type = `
Puppet::Type.newtype(:line_count) do
  newparam(:path, namevar: true)
  newproperty(:lines) { munge(&:to_i) }
end
`
const provider = `
Puppet::Type.type(:line_count).provide(:ruby) do
  def lines
    File.exist?(resource[:path]) ? File.readlines(resource[:path]).size : 0
  end

  def lines=(count)
    File.write(resource[:path], "line\\n" * count)
  end
end
`

const files = (target: string): Readonly<Record<string, string | Buffer>> => ({
  'environments/production/manifests/site.pp': 'include demo\n',
  'environments/staging/manifests/site.pp': 'notify { "in ${environment} with ${facts[\'probe\']}": }\n',
  'environments/production/modules/demo/manifests/init.pp': `class demo {
  file { '${target}/binary': ensure => file, mode => '0600', source => 'puppet:///modules/demo/binary' }
  file { '${target}/tree': ensure => directory, recurse => true, purge => true, source => 'puppet:///modules/demo/tree' }
  file { '${target}/probe': content => epp('demo/probe.epp', { 'probe' => $facts['probe'], 'role' => $facts['role'] }) }
  line_count { '${target}/lines': lines => 3 }
  notify { 'secret': message => Sensitive('hush'), noop => true }
}
`,
  'environments/production/modules/demo/templates/probe.epp': '<%- | $probe, $role | -%>\n<%= $probe %> <%= $role %>\n',
  'environments/production/modules/demo/files/binary': bytes,
  'environments/production/modules/demo/files/tree/one.txt': 'one\n',
  'environments/production/modules/demo/files/tree/sub/two.txt': 'two\n',
  'environments/production/modules/demo/lib/facter/probe.rb': "Facter.add(:probe) { setcode { 'synced é' } }\n",
  'environments/production/modules/demo/facts.d/role.txt': 'role=web\n',
  'environments/production/modules/demo/lib/puppet/type/line_count.rb': type,
  'environments/production/modules/demo/lib/puppet/provider/line_count/ruby.rb': provider,
})

describe.skipIf(missing)(`our agent against a real Puppet Server${missing}`, () => {
  const folder = scratchFolder('against-puppet-server')
  const target = scratchFolder('against-target')
  const home = join(folder, 'puppetserver')
  const codedir = join(folder, 'code')
  let server: Awaited<ReturnType<typeof startPuppetServer>>

  beforeAll(async () => {
    for (const [path, content] of Object.entries(files(target))) {
      mkdirSync(dirname(join(codedir, path)), { recursive: true })
      writeFileSync(join(codedir, path), content)
    }
    cpSync(join(codedir, 'environments/production'), join(folder, 'first'), { recursive: true })
    const program = (name: string, text: string) => {
      const path = join(folder, name)
      writeFileSync(path, `#!/bin/sh\n${text}\n`)
      chmodSync(path, 0o755)
      return path
    }
    const versioned = {
      id: program('code-id', 'echo first'),
      content: program('code-content', `cat "${folder}/$2/$3"`),
    }
    const given = { codedir, port: await freePort(), instances: 1, deployer: 'nobody.test', flush: () => undefined }
    server = await startPuppetServer(folder, { ...given, versioned })
    // It takes a minute of a processor to start, and here others use it, too.
  }, 1_200_000)
  afterAll(async () => {
    await server?.stop()
  })

  async function agent(...words: string[]) {
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
    const who = ['--certname', certname, '--keylength', '2048', '--server', 'localhost']
    const all = ['agent', '--test', ...places, ...who, '--serverport', String(server.port), ...words]
    const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...all], { reject: false })
    return { status: exitCode, out: stdout, err: stderr }
  }

  /** The last report that the server has; real Puppet keeps one a minute. */
  const report = () => {
    const place = join(home, 'var/reports', certname)
    return readFileSync(join(place, readdirSync(place).sort().at(-1)!), 'utf8')
  }

  const cached = () => JSON.parse(readFileSync(join(folder, `var/client_data/catalog/${certname}.json`), 'utf8'))

  it('gets a certificate, plug-ins and its first catalog, and applies it', async () => {
    const { status, out, err } = await agent()
    expect(err).toBe('')
    expect(status, out).toBe(2)
    expect(readFileSync(join(target, 'binary')).equals(bytes)).toBe(true)
    expect(statSync(join(target, 'binary')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(target, 'tree/sub/two.txt'), 'utf8')).toBe('two\n')
    expect(readFileSync(join(target, 'probe'), 'utf8')).toBe('synced é web\n')
    expect(readFileSync(join(target, 'lines'), 'utf8')).toBe('line\nline\nline\n')
    expect(out).not.toContain('hush')
    expect(report()).toMatch(/^status: changed$/m)
    expect(report()).toContain('Line_count[')
    expect(report()).toMatch(/^code_id: first$/m)
    expect(report()).not.toContain('hush')
  })

  it('has a static catalog, of the code that the server names', () => {
    const catalog = cached()
    expect(catalog.code_id).toBe('first')
    expect(Object.keys(catalog.metadata)).toContain(`${target}/binary`)
    expect(Object.keys(catalog.recursive_metadata)).toContain(`${target}/tree`)
  })

  it("gets the bytes of its catalog's commit, whatever is in the folder by now", async () => {
    const source = join(codedir, 'environments/production/modules/demo/files/binary')
    writeFileSync(join(target, 'binary'), 'spoilt')
    writeFileSync(source, 'newer')
    const { status, err } = await agent('--use_cached_catalog')
    expect(err).not.toContain('Error')
    expect(status).toBe(2)
    expect(readFileSync(join(target, 'binary')).equals(bytes)).toBe(true)
    expect(report()).toMatch(/^cached_catalog_status: explicitly_requested$/m)
    writeFileSync(source, bytes)
  })

  it('changes nothing the next time', async () => {
    const { status, out, err } = await agent()
    expect(err).toBe('')
    expect(status, out).toBe(0)
  })

  it('goes into another environment', async () => {
    const { status, out } = await agent('--environment', 'staging')
    expect(status).toBe(2)
    expect(out).toContain('Notice: in staging')
    expect(cached().environment).toBe('staging')
  })

  it('is refused once its certificate is revoked', async () => {
    expect(await revoke()).toBe(204)
    await expect
      .poll(async () => (await agent()).err, { interval: 1000 })
      .toMatch(/alert certificate (?:unknown|revoked)/)
  }, 180_000)

  /** Has the authority revoke it, in the server's own name. */
  function revoke(): Promise<number | undefined> {
    const ssl = (path: string) => readFileSync(join(home, 'etc/ssl', path))
    const identity = {
      ...{ key: ssl('private_keys/localhost.pem'), cert: ssl('certs/localhost.pem'), ca: ssl('certs/ca.pem') },
      ...{ host: 'localhost', port: server.port, method: 'PUT', headers: { 'Content-Type': 'application/json' } },
    }
    return new Promise((done, failed) => {
      const asked = request({ ...identity, path: `/puppet-ca/v1/certificate_status/${certname}` }, (answer) => {
        answer.resume()
        done(answer.statusCode)
      })
      asked.on('error', failed)
      asked.end(JSON.stringify({ desired_state: 'revoked' }))
    })
  }

  it('applies its cached catalog while the server is away', async () => {
    await server.stop()
    writeFileSync(join(target, 'probe'), 'spoilt')
    const { status, out, err } = await agent('--usecacheonfailure', '--environment', 'staging')
    expect(err).toContain('Failed to open TCP connection')
    expect(out).toContain("Using cached catalog from environment 'staging'")
    expect(status).toBe(2)
  })
})
