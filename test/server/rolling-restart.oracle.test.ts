import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Balancer, openBalancer } from '../support/balancer.ts'
import { gitIdentity } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { without } from '../support/needs.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const lacks = without('PostgreSQL')
const nodes = 6

describe.skipIf(lacks !== '')(`three servers behind a balancer, restarted one after the other${lacks}`, () => {
  let host: GitHost
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let balancer: Balancer
  let authority: string
  let sources: string
  const servers: RunningServer[] = []
  const folders = ['one', 'two', 'three'].map((name) => scratchFolder(`rolling-${name}`))

  const settings = () => ({
    ...{ code_sources: sources, store: postgres.url('store'), puppetfile_sources: host.url, puppetfile_interval: '3s' },
    ...{ shutdown_delay: '3s', compile_workers: '1' },
  })
  async function start(index: number): Promise<void> {
    servers[index] = await startServer({ folder: folders[index]!, settings: settings() })
    balancer.ports = servers.map(({ port }) => port)
    await eventually(
      () => balancer.live,
      (ports) => ports.includes(servers[index]!.port),
    )
  }

  beforeAll(async () => {
    host = await openGitHost()
    host.commit('motd', {
      'manifests/init.pp': "class motd { file { '/tmp/motd': source => 'puppet:///modules/motd/motd' } }\n",
      'files/motd': 'number 0\n',
    })
    const puppetfile = `mod 'motd', git: '${host.url}/motd.git', branch: 'main'\n`
    host.commit('control', { Puppetfile: puppetfile, 'manifests/site.pp': 'include motd\n' }, 'production')
    const shared = join(scratchFolder('rolling-shared'), 'code.git')
    execaSync('git', ['init', '--quiet', '--bare', shared], { env: gitIdentity })
    postgres = await startPostgres(scratchFolder('rolling-postgres'))
    postgres.psql('postgres', 'create database store')
    const control = { remote: `${host.url}/control.git`, interval: '1s' }
    sources = join(scratchFolder('rolling-sources'), 'r10k.yaml')
    writeFileSync(sources, JSON.stringify({ sources: { control }, deployed: { remote: shared, interval: '1s' } }))
    authority = join(folders[0]!, 'etc')
    const places = ['--confdir', authority, '--vardir', join(folders[0]!, 'var'), '--keylength', '2048']
    const names = Array.from({ length: nodes }, (_, index) => `node${index}.test`)
    for (const words of [
      ['setup', '--certname', 'localhost'],
      ['generate', '--certname', names.join(',')],
    ])
      expect(await plumb(['ca', ...words, ...places])).toMatchObject({ exitCode: 0 })
    for (const folder of folders.slice(1)) {
      mkdirSync(join(folder, 'etc'), { recursive: true })
      cpSync(join(authority, 'ssl'), join(folder, 'etc/ssl'), { recursive: true })
    }
    balancer = await openBalancer()
    for (const index of [0, 1, 2]) await start(index)
  }, 300_000)
  afterAll(async () => {
    balancer?.close()
    await Promise.all(servers.map((each) => each.stop()))
    await postgres?.stop()
    await host?.close()
  })

  interface Said {
    readonly status: number
    readonly text: string
  }
  const failures: string[] = []
  function client(name: string) {
    const file = (path: string) => readFileSync(join(authority, 'ssl', path))
    const tls = { ca: file('certs/ca.pem'), cert: file(`certs/${name}.pem`), key: file(`private_keys/${name}.pem`) }
    const agent = new Agent({ keepAlive: true, ...tls })
    const once = (method: string, path: string, body?: string): Promise<Said> =>
      new Promise((done, failed) => {
        const headers = {
          accept: '*/*',
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        }
        const asking = request({ host: 'localhost', port: balancer.port, method, path, agent, headers }, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', failed)
          answer.on('end', () => done({ status: answer.statusCode ?? 0, text: String(Buffer.concat(chunks)) }))
        })
        // As Node's documentation has it: a connection that was kept may end in the very moment in which it is used again.
        asking.on('error', (error) =>
          asking.reusedSocket ? once(method, path, body).then(done, failed) : failed(error),
        )
        asking.end(body)
      })
    return { once, close: () => agent.destroy() }
  }

  const counts = new Map<string, number>()
  /** Asks for a catalog and its files, over and over, until the end or a failure. */
  async function load(name: string, until: { over: boolean }): Promise<void> {
    const { once, close } = client(name)
    const facts = JSON.stringify({ name, values: {}, timestamp: '2026-11-24', expiration: '2027-11-24' })
    const body = new URLSearchParams({
      ...{ facts_format: 'application/json', facts: encodeURIComponent(facts), environment: 'production' },
      ...{ static_catalog: 'true', checksum_type: 'sha256' },
    }).toString()
    while (!until.over && failures.length === 0) {
      try {
        const catalog = await once('POST', `/puppet/v3/catalog/${name}`, body)
        if (catalog.status !== 200) throw new Error(`catalog: ${catalog.status} ${catalog.text}`)
        const { code_id } = JSON.parse(catalog.text)
        const query = `environment=production&code_id=${code_id}`
        const file = await once('GET', `/puppet/v3/static_file_content/modules/motd/files/motd?${query}`)
        if (file.status !== 200 || !/^number \d+\n$/.test(file.text))
          throw new Error(`file: ${file.status} ${file.text}`)
        counts.set(name, (counts.get(name) ?? 0) + 2)
      } catch (error) {
        failures.push(String(error))
      }
    }
    close()
  }

  it('lose no request, while modules move, and agree on one commit in the end', { timeout: 400_000 }, async () => {
    const until = { over: false }
    const loads = Array.from({ length: nodes }, (_, index) => load(`node${index}.test`, until))
    /** Until each node has been answered six more times. */
    const goOn = async () => {
      const before = new Map(counts)
      const more = () => [...counts].filter(([name, count]) => count >= (before.get(name) ?? 0) + 6).length
      await expect.poll(() => [failures, more()]).toEqual([[], nodes])
    }
    let number = 0
    for (const index of [0, 1, 2]) {
      host.commit('motd', { 'files/motd': `number ${++number}\n` })
      await goOn()
      expect(await servers[index]!.stop()).toBe(0)
      await start(index)
    }
    await goOn()
    until.over = true
    await Promise.all(loads)
    expect(failures).toEqual([])
    expect(balancer.refused).toBe(0)
    const status = async () => {
      const said = await Promise.all(
        servers.map(({ places }) => plumb(['code', 'status', '--render-as', 'json', ...places])),
      )
      return new Set(said.map(({ stdout }) => JSON.parse(String(stdout))[0].commit))
    }
    await expect.poll(async () => (await status()).size, { interval: 500 }).toBe(1)
  })
})
