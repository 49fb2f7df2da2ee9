import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatExactJson, parseJson } from '../../src/base/json/json-text.ts'
import { exportsToWire } from '../../src/model/exported-resource.ts'
import { Store } from '../../src/store/thread/store.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const tool = 'tool.test'
const secret = 'Quod-erat-sub-rosa'
let repository: ControlRepository
let serving: Serving
let auth_conf: string

beforeAll(() => {
  repository = controlRepository({
    'hiera.yaml': 'version: 5\nhierarchy: [{ name: all, path: all.yaml }]\n',
    'data/all.yaml': 'role::port: 81\n',
    'manifests/site.pp': `
class role(Integer $port) {
  notify { 'shown': message => "\${port} \${facts['kernel']}" }
  notify { 'hidden': message => Sensitive('${secret}') }
  @@notify { "from \${trusted['certname']}": message => Sensitive('${secret}') }
}
node default { include role  Notify <<| title != 'x' |>> }
`,
  })
  auth_conf = join(scratchFolder('auth'), 'auth.conf')
  writeFileSync(
    auth_conf,
    `authorization: { version: 1, rules: [
      { name: "puppet", sort-order: 1, match-request: { path: "/puppet", type: path }, allow: "*" },
      { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["${tool}"] } ] }`,
  )
})
afterEach(() => serving?.stop())

async function start(given: Record<string, string> = {}): Promise<void> {
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', auth_conf, ...given })
}

async function rows(query: string): Promise<Record<string, unknown>[]> {
  const path = `/pdb/query/v4?query=${encodeURIComponent(query)}`
  const { status, text } = await serving.call('GET', path, { as: tool })
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

/** Rows once there are as many. */
async function rowsSoon(query: string, count = 1): Promise<Record<string, unknown>[]> {
  await expect.poll(async () => (await rows(query)).length).toBe(count)
  return rows(query)
}

/** A node gets its catalog, with facts of which one is only its own. */
async function run(node: string, values: object = { kernel: 'Linux', [`only-${node}`]: 1.0 }): Promise<string[]> {
  const facts = encodeURIComponent(JSON.stringify({ name: node, values }))
  const body = new URLSearchParams({
    ...{ environment: 'production', facts_format: 'application/json', facts },
    transaction_uuid: '11111111-2222-4333-8444-555555555555',
  }).toString()
  const headers = { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' }
  const { status, text } = await serving.call('POST', `/puppet/v3/catalog/${node}`, { as: node, headers, body })
  expect(status, text).toBe(200)
  const { resources } = JSON.parse(text) as { resources: { type: string; title: string }[] }
  return resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)
}

const report = (host: string, given: object = {}) =>
  JSON.stringify({
    ...{ host, time: '2026-11-20T06:00:00.000000000+00:00', configuration_version: 1, report_format: 12 },
    ...{ transaction_uuid: '11111111-2222-4333-8444-555555555555', puppet_version: '8.0.0', status: 'changed' },
    ...{ environment: 'production', noop: false, noop_pending: false, corrective_change: false, metrics: {} },
    logs: [
      { level: 'notice', message: 'said', source: 'Puppet', tags: [], time: '2026-11-20T06:00:01.000000000+00:00' },
    ],
    resource_statuses: {},
    ...given,
  })

async function send(path: string, node: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const whole = `/puppet/v3/${path}/${node}?environment=production`
  return (await serving.call('PUT', whole, { as: node, headers, body })).status
}

const places = () => {
  const { confdir, vardir, rundir } = serving.settings
  return ['--confdir', confdir, '--vardir', vardir, '--rundir', rundir, '--store', 'sqlite']
}

describe('a server with a store', () => {
  it('stores facts, catalogs, the keys of their data, and reports', async () => {
    await start({ storeconfigs: 'true' })
    const { settings } = serving
    expect([settings.facts_terminus, settings.storeconfigs_backend, settings.reports]).toEqual([
      ...['puppetdb', 'puppetdb'],
      ['store', 'puppetdb'],
    ])
    await run('web1.test')
    expect(await send('report', 'web1.test', report('web1.test'))).toBe(200)
    const [node] = await rowsSoon('nodes { latest_report_status = "changed" and catalog_timestamp is not null }')
    expect(node).toMatchObject({ certname: 'web1.test', facts_environment: 'production' })
    const codeId = (await serving.server.environments.get('production'))?.codeId
    expect(codeId).toMatch(/^[0-9a-f]{40}$/)
    const [catalog] = await rows('catalogs[certname, environment, code_id, producer, transaction_uuid]{}')
    expect(catalog).toEqual({
      ...{ certname: 'web1.test', environment: 'production', code_id: codeId },
      ...{ producer: 'localhost', transaction_uuid: '11111111-2222-4333-8444-555555555555' },
    })
    const { text } = await serving.call('GET', '/pdb/query/v4/catalog-input-contents', { as: tool })
    expect(JSON.parse(text)).toMatchObject([{ certname: 'web1.test', type: 'hiera', name: 'role::port' }])
    const [inventory] = await rows('inventory[facts, trusted]{}')
    expect(inventory).toMatchObject({
      facts: { kernel: 'Linux' },
      trusted: { authenticated: 'remote', certname: 'web1.test' },
    })
    expect((await rows('reports[logs]{}'))[0]).toMatchObject({ logs: { data: [{ message: 'said' }] } })
    expect(readdirSync(join(settings.reportdir, 'web1.test'))).toHaveLength(1)
    expect(existsSync(join(settings.server_datadir, 'facts'))).toBe(false)
  })

  it('holds no secret', async () => {
    await start({ storeconfigs: 'true' })
    await run('web1.test')
    expect(await run('web2.test')).toEqual(expect.arrayContaining(['from web1.test']))
    await rowsSoon('catalogs {}', 2)
    const [shown] = await rows('resources[parameters]{ title = "shown" and certname = "web1.test" }')
    expect(shown).toEqual({ parameters: { message: '81 Linux' } })
    const hidden = await rows('resources[parameters, exported]{ title in ["hidden", "from web1.test"] }')
    expect(hidden).toHaveLength(4)
    for (const { parameters } of hidden) expect(parameters).toEqual({})
    await serving.stop()
    for (const file of readdirSync(join(serving.settings.server_datadir, 'store'), {
      recursive: true,
      encoding: 'utf8',
    }))
      expect(contentOf(join(serving.settings.server_datadir, 'store', file)).includes(secret)).toBe(false)
    expect(serving.log.join('')).not.toContain(secret)
    await start()
  })

  it('finds stored facts for a node that sends none, also before they are stored', async () => {
    await start()
    expect(await send('facts', 'web1.test', report('x', { name: 'web1.test', values: { kernel: 'Hurd' } }))).toBe(200)
    const headers = { accept: 'application/json' }
    const path = '/puppet/v3/catalog/web1.test?environment=production'
    for (const wait of [false, true]) {
      if (wait) await rowsSoon('facts { name = "kernel" }')
      const { text } = await serving.call('GET', path, { as: 'web1.test', headers })
      expect(text).toContain('81 Hurd')
      const node = await serving.call('GET', '/puppet/v3/node/web1.test?environment=production', {
        as: 'web1.test',
        headers,
      })
      expect(JSON.parse(node.text).parameters, node.text).toEqual({ kernel: 'Hurd' })
    }
  })

  it('goes on without a store that takes nothing, and says so once', async () => {
    await start()
    await run('web1.test')
    // What a full queue does: nothing more can be kept.
    const submit = Store.prototype.submit
    Store.prototype.submit = async () => {
      throw new Error('The command queue is full')
    }
    try {
      for (const node of ['web1.test', 'web2.test']) {
        await run(node)
        expect(await send('report', node, report(node))).toBe(200)
        expect(await send('facts', node, report('x', { name: node, values: {} }))).toBe(200)
      }
    } finally {
      Store.prototype.submit = submit
    }
    expect(serving.log.filter((line) => line.includes('rejects data of nodes'))).toHaveLength(1)
    await run('web1.test')
    expect(serving.log.filter((line) => line.includes('accepts data of nodes again'))).toHaveLength(1)
  })

  it('takes a report that the store cannot read, and says why it is not there', async () => {
    await start()
    expect(await send('report', 'web1.test', report('web1.test', { environment: null }))).toBe(200)
    expect(serving.log.join('')).toContain('Could not store the report of web1.test: Environment is nil')
  })

  it('is asked by commands beside it, and told of nodes that are gone', async () => {
    await start({ storeconfigs: 'true' })
    await run('web1.test')
    await rowsSoon('catalogs {}')
    const compiled = await plumb([
      'catalog',
      'compile',
      '--node',
      'web1.test',
      '--repo',
      repository.bare,
      '--at',
      'production',
      ...places(),
    ])
    expect(compiled.stdout, String(compiled.stderr)).toContain('81 Linux')
    const { stdout } = await plumb(['node', 'deactivate', 'web1.test', ...places()])
    expect(stdout).toBe('web1.test: deactivated')
    expect(await rows('nodes { }')).toEqual([])
    expect(await run('lb.test')).not.toContain('from web1.test')
    await run('web1.test')
    expect(await run('lb.test')).toContain('from web1.test')
    expect((await plumb(['node', 'clean', 'web1.test', ...places()])).stdout).toBe(
      'web1.test: certificate removed; deactivated',
    )
  })

  it('does what routes.yaml and settings of PuppetDB say', async () => {
    const route_file = join(scratchFolder('routes'), 'routes.yaml')
    writeFileSync(route_file, 'master: { facts: { terminus: puppetdb, cache: yaml }, catalog: { cache: json } }\n')
    await start({ route_file, reports: 'puppetdb' })
    await run('web1.test')
    await send('report', 'web1.test', report('web1.test'))
    await rowsSoon('reports {}')
    expect(await rows('catalogs {}')).toEqual([])
    const { server_datadir, yamldir, reportdir } = serving.settings
    expect(readdirSync(join(yamldir, 'facts'))).toEqual(['web1.test.yaml'])
    expect(readdirSync(join(server_datadir, 'catalog'))).toEqual(['web1.test.json'])
    expect(existsSync(reportdir)).toBe(false)
  })

  it.each([
    [{ facts_terminus: 'puppetdb' }, 'The puppetdb terminus of facts requires a store'],
    [{ reports: 'store,puppetdb' }, 'The puppetdb terminus of reports requires a store'],
    [{ catalog_cache_terminus: 'puppetdb' }, 'The puppetdb terminus of catalog requires a store'],
  ])('is needed for %j', async (given, message) => {
    await expect(start({ store: 'none', ...given })).rejects.toThrow(message)
  })
})

describe('files of facts and exports', () => {
  const exported = { type: 'Notify', title: 'from old.test', tags: ['notify'], parameters: { message: 'old' } }

  /** The folder of a server that kept its nodes in files. */
  function kept(nodes: readonly string[]): string {
    const server_datadir = scratchFolder('datadir')
    for (const folder of ['facts', 'exports']) mkdirSync(join(server_datadir, folder), { recursive: true })
    for (const name of nodes) {
      const facts = join(server_datadir, 'facts', `${name}.json`)
      writeFileSync(facts, `{"name":"${name}","values":{"kernel":"Linux","big":1152921504606846977,"float":1.0}}`)
      const exports = join(server_datadir, 'exports', `${name}.json`)
      const title = `from ${name}`
      writeFileSync(exports, formatExactJson(exportsToWire(name, [{ certname: name, ...exported, title }])))
      for (const file of [facts, exports]) utimesSync(file, 1_000_000, 1_000_000)
    }
    return server_datadir
  }

  it('move into the store at the first start, and are answered before they are stored', async () => {
    const server_datadir = kept(['old1.test', 'old2.test'])
    writeFileSync(join(server_datadir, 'facts', 'broken.test.json'), '{')
    await start({ storeconfigs: 'true', server_datadir })
    expect(await run('new.test')).toEqual(expect.arrayContaining(['from old1.test', 'from old2.test']))
    const facts = await serving.call('GET', '/pdb/query/v4/facts?query=["=","certname","old1.test"]', { as: tool })
    expect(facts.text).toContain('1152921504606846977')
    expect(facts.text).toMatch(/"value":1\.0[,}]/)
    expect(parseJson(facts.text)).toHaveLength(4)
    expect(readdirSync(join(server_datadir, 'facts'))).toEqual(['broken.test.json'])
    expect(readdirSync(join(server_datadir, 'exports'))).toEqual([])
    expect(serving.log.join('')).toContain('The facts of 2 nodes are in the store; 1 files remain in')
  })

  it('that were moved before a crash move again, and nothing newer is lost', async () => {
    const server_datadir = kept(['old1.test'])
    await start({ storeconfigs: 'true', server_datadir })
    await run('old1.test', { kernel: 'Newer' })
    await rowsSoon('facts { value = "Newer" }')
    const again = kept(['old1.test'])
    await serving.stop()
    for (const folder of ['facts', 'exports'])
      writeFileSync(
        join(server_datadir, folder, 'old1.test.json'),
        contentOf(join(again, folder, 'old1.test.json')).toString(),
      )
    for (const folder of ['facts', 'exports'])
      utimesSync(join(server_datadir, folder, 'old1.test.json'), 1_000_000, 1_000_000)
    await start({ storeconfigs: 'true', server_datadir })
    expect(await rows('facts[value]{ name = "kernel" }')).toEqual([{ value: 'Newer' }])
    expect(await rows('resources[parameters]{ exported = true and title = "from old1.test" }')).toEqual([
      { parameters: {} },
    ])
    expect(readdirSync(join(server_datadir, 'exports'))).toEqual([])
  })

  it('stay where they are for termini of files', async () => {
    const server_datadir = kept(['old1.test'])
    await start({ server_datadir, facts_terminus: 'json', storeconfigs_backend: 'json', storeconfigs: 'true' })
    expect(readdirSync(join(server_datadir, 'facts'))).toEqual(['old1.test.json'])
    expect(await run('new.test')).toContain('from old1.test')
  })
})

function contentOf(path: string): Buffer {
  return statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0)
}
