import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { startPuppetServer } from '../../bench/server/puppet-server.js'
import { controlRepository } from '../support/control-repository.ts'
import { without } from '../support/needs.ts'
import { askServer, plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const missing = without('Puppet Server 7.9.5', 'puppet-terminus-puppetdb', 'real Puppet 7.23')
const [one, two, three] = ['one.example.test', 'two.example.test', 'three.example.test'] as const

const manifest = (target: string) => `
@@file { "${target}/from-\${trusted['certname']}":
  ensure  => file,
  content => "exported by \${trusted['certname']}\\n",
  tag     => 'shared',
}
File <<| tag == 'shared' |>>
notify { 'asked':
  message => puppetdb_query('nodes[certname] { order by certname }').map |$node| { $node['certname'] }.join(' '),
}
`

describe.skipIf(missing)(`a real Puppet Server on our store${missing}`, () => {
  const folder = scratchFolder('puppet-server')
  const target = scratchFolder('exported')
  const codedir = join(folder, 'code')
  let store: RunningServer
  let puppetServer: Awaited<ReturnType<typeof startPuppetServer>>

  beforeAll(async () => {
    const port = await freePort()
    const allowlist = join(folder, 'allowlist')
    writeFileSync(allowlist, 'localhost\n')
    store = await startServer({
      repository: controlRepository({ 'manifests/site.pp': manifest(target) }).bare,
      settings: {
        store: 'sqlite',
        storeconfigs: 'true',
        puppetdb_port: String(port),
        puppetdb_certificate_allowlist: allowlist,
      },
    })
    for (const certname of [one, two, three]) {
      const { exitCode, stderr } = await plumb(['ca', 'generate', '--certname', certname, ...store.places])
      expect(exitCode, String(stderr)).toBe(0)
    }
    mkdirSync(join(codedir, 'environments/production/manifests'), { recursive: true })
    mkdirSync(join(codedir, 'modules'))
    writeFileSync(join(codedir, 'environments/production/manifests/site.pp'), manifest(target))
    const ssl = (path: string) => join(store.confdir, 'ssl', path)
    puppetServer = await startPuppetServer(folder, {
      ...{ codedir, port: await freePort(), instances: 1, deployer: 'nobody.test', flush: () => undefined },
      identity: {
        ...{ key: ssl('private_keys/localhost.pem'), cert: ssl('certs/localhost.pem') },
        ...{ ca: ssl('certs/ca.pem'), crl: ssl('crl.pem') },
      },
      puppetdb: `https://localhost:${port}`,
    })
    // It takes a minute of a processor to start, and here others use it, too.
  }, 1_200_000)
  afterAll(async () => {
    await puppetServer?.stop()
    await store?.stop()
  })

  async function run(certname: string, port = puppetServer.port): Promise<string> {
    const home = join(folder, certname)
    const places = ['confdir', 'vardir', 'codedir', 'rundir', 'logdir', 'publicdir']
    const { all, exitCode } = await execa(
      'puppet',
      [
        ...[
          'agent',
          '--onetime',
          '--no-daemonize',
          '--no-splay',
          '--detailed-exitcodes',
          '--color',
          'false',
          '--verbose',
        ],
        ...['--server', 'localhost', '--serverport', String(port), '--certname', certname],
        ...['--ssldir', join(store.confdir, 'ssl'), '--no-usecacheonfailure'],
        ...places.flatMap((name) => [`--${name}`, join(home, name)]),
      ],
      { reject: false, all: true },
    )
    expect([0, 2], `${all}\n${logOfServer()}`).toContain(exitCode)
    return String(all)
  }

  const logOfServer = () => readFileSync(join(folder, 'puppetserver/log/server.log'), 'utf8').slice(-4000)

  async function rows(query: string): Promise<unknown> {
    const { status, text } = await askServer(store, `/pdb/query/v4?query=${encodeURIComponent(query)}`)
    expect(status, text).toBe(200)
    return JSON.parse(text)
  }

  it('keeps the facts, the catalog and the report of a run', async () => {
    const said = await run(one)
    expect(said).toContain(`Caching catalog for ${one}`)
    expect(await rows(`facts[name, value] { certname = "${one}" and name = "kernel" }`)).toEqual([
      { name: 'kernel', value: 'Linux' },
    ])
    await expect
      .poll(() => rows(`reports[status, type] { certname = "${one}" }`))
      .toEqual([{ status: 'changed', type: 'agent' }])
    expect(await rows(`catalogs[environment, producer] { certname = "${one}" }`)).toEqual([
      { environment: 'production', producer: 'localhost' },
    ])
    expect(await rows(`resources[title] { certname = "${one}" and exported = true }`)).toEqual([
      { title: `${target}/from-${one}` },
    ])
    expect(await rows('events[resource_title, status] { resource_type = "Notify" }')).toEqual([
      { resource_title: 'asked', status: 'success' },
    ])
  })

  it('collects what another node exported, and is answered by puppetdb_query', async () => {
    expect(readdirSync(target)).toEqual([`from-${one}`])
    const said = await run(two)
    expect(readdirSync(target).sort()).toEqual([`from-${one}`, `from-${two}`])
    expect(readFileSync(join(target, `from-${one}`), 'utf8')).toBe(`exported by ${one}\n`)
    expect(said).toContain(`${one} ${two}`)
    expect(await run(one)).toContain(`Caching catalog for ${one}`)
    const exporters = `resources[certname] { type = "File" and title = "${target}/from-${two}" order by certname }`
    expect(await rows(exporters)).toEqual([{ certname: one }, { certname: two }])
  })

  it('collects across: a node of our server from those of the real one, and the other way round', async () => {
    const said = await run(three, store.port)
    expect(readdirSync(target).sort()).toEqual([one, three, two].map((name) => `from-${name}`))
    for (const name of [one, two])
      expect(readFileSync(join(target, `from-${name}`), 'utf8')).toBe(`exported by ${name}\n`)
    expect(said).toContain(`${one} ${three} ${two}`)
    const collectors = `resources[certname, exported] { type = "File" and title = "${target}/from-${one}" order by certname }`
    const of = (certname: string) => ({ certname, exported: certname === one })
    await expect.poll(() => rows(collectors)).toEqual([one, three, two].map(of))

    writeFileSync(join(target, `from-${three}`), 'changed by hand\n')
    await run(two)
    expect(readFileSync(join(target, `from-${three}`), 'utf8')).toBe(`exported by ${three}\n`)
    const exporters = `resources[certname] { type = "File" and title = "${target}/from-${three}" order by certname }`
    expect(await rows(exporters)).toEqual([{ certname: three }, { certname: two }])
    const { text } = await askServer(store, `/pdb/query/v4/catalogs/${two}/resources`)
    const [collected] = (JSON.parse(text) as { title: string; exported: boolean; parameters: object }[]).filter(
      ({ title }) => title === `${target}/from-${three}`,
    )
    expect(collected).toMatchObject({
      exported: false,
      parameters: { ensure: 'file', content: `exported by ${three}\n` },
    })
  })

  it('lets puppet node deactivate reach the store', async () => {
    const words = ['node', 'deactivate', one, '--confdir', join(folder, 'puppetserver/etc'), '--color', 'false']
    const { all, exitCode } = await execa('puppet', [...words, '--vardir', join(folder, 'face')], {
      reject: false,
      all: true,
    })
    expect(exitCode, all).toBe(0)
    await expect
      .poll(() => rows('nodes[certname] { order by certname }'))
      .toEqual([{ certname: three }, { certname: two }])
    const refused = store
      .output()
      .split('\n')
      .filter((line) => /Forbidden|error/i.test(line) && line.includes('/pdb'))
    expect(refused).toEqual([])
  })
})
