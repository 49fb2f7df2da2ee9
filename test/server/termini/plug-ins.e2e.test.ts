import { chmodSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { type OutsideServers, openOutsideServers } from '../../support/outside-servers.ts'
import { type Serving, serve } from '../serving.ts'
import { plugInFolder } from './ruby-plug-ins/owner.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/plug-ins.md'), 'utf8')
/** The examples of the page, by their paths. */
const examples = new Map(
  [...page.matchAll(/^`([\w/.]+\.js)`:\n\n```js\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [path!, text!]),
)

const site = `node default { notify { "\${environment} \${role}": } }\n`
const modules = { 'modules/apache/manifests/init.pp': "class apache { notify { 'apache': } }\n" }

let dns: OutsideServers
let serving: Serving | undefined
beforeAll(async () => {
  dns = await openOutsideServers()
  process.env['PLUMB_DNS'] = dns.dns
})
afterAll(async () => {
  delete process.env['PLUMB_DNS']
  await dns?.close()
})
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

function plugIns(files: ReadonlyMap<string, string>): string {
  return plugInFolder(Object.fromEntries(files))
}

/** A server with plug-ins, and a repository of one environment. */
async function start(files: ReadonlyMap<string, string>, settings: Readonly<Record<string, string>>): Promise<Serving> {
  const repository = controlRepository({ 'manifests/site.pp': site, ...modules })
  serving = await serve({ code_repo: repository.bare, server_plugins: plugIns(files), ...settings })
  return serving
}

async function catalogOf(node: string, { call }: Serving) {
  const facts = encodeURIComponent(JSON.stringify({ name: node, values: { os: 'x' } }))
  return call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(facts)}`,
  })
}

const report = (status: string) => ({
  ...{ host: 'a.test', time: '2026-11-24T10:00:00Z', status, logs: [], metrics: {}, report_format: 12 },
  ...{ configuration_version: 1, puppet_version: '8.10.0', environment: 'production' },
  resource_statuses: {
    'File[/a]': { resource: 'File[/a]', failed: true },
    'File[/b]': { resource: 'File[/b]', failed: false },
  },
})

describe('the examples of docs/plug-ins.md', () => {
  it('are these', () =>
    expect([...examples.keys()]).toEqual([
      ...['termini/node/dns_txt.js', 'termini/catalog/packages.js', 'reports/failures.js'],
      ...['indirections/owner.js', 'indirections/ocsp.js'],
    ]))

  it('have nodes come from DNS', async () => {
    await dns.know({
      'web1.example.test TXT': [['class=apache', 'role=web']],
      'bare.example.test TXT': [['role=none']],
    })
    const server = await start(examples, { node_terminus: 'dns_txt' })
    const { status, text } = await catalogOf('web1.example.test', server)
    const titles = status === 200 && JSON.parse(text).resources.map((each: { title: string }) => each.title)
    expect(titles).toEqual(expect.arrayContaining(['apache', 'production web']))
    expect((await catalogOf('bare.example.test', server)).text).toContain('production none')
  })

  it('tell the log of resources that failed', async () => {
    const server = await start(examples, { reports: 'store,failures' })
    const put = (body: object) =>
      server.call('PUT', '/puppet/v3/report/a.test?environment=production', {
        as: 'a.test',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const { status, text } = await put(report('failed'))
    expect([status, JSON.parse(text)]).toEqual([200, ['store', 'failures']])
    await put(report('changed'))
    expect(server.log.filter((line) => line.includes('a.test failed at'))).toEqual([
      expect.stringContaining('a.test failed at File[/a]'),
    ])
  })
})

it('a report processor that throws is a line in the log, and the next has its turn', async () => {
  const bad = "export const process = () => { throw new Error('no \\u001b[31mluck') }"
  const good =
    "export const process = ({ bytes }, { log }) => log('notice', `the next has ${JSON.parse(Buffer.from(bytes)).host}`)"
  const files = new Map([
    ['reports/bad.js', bad],
    ['reports/good.js', good],
  ])
  const server = await start(files, { reports: 'bad,good' })
  const { status } = await server.call('PUT', '/puppet/v3/report/a.test?environment=production', {
    as: 'a.test',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(report('changed')),
  })
  const said = server.log.map((line) => JSON.parse(line).msg)
  expect([status, said]).toEqual([
    200,
    expect.arrayContaining(['Report bad failed: no \\x1b[31mluck', 'the next has a.test']),
  ])
})

it('a terminus of nodes has the facts of the node', async () => {
  const text = `export const create = () => ({
    async find(request) {
      const { os } = await request.facts()
      return { parameters: { role: os + JSON.parse(Buffer.from(await request.factsJson())).os } }
    },
  })`
  const server = await start(new Map([['termini/node/own.js', text]]), { node_terminus: 'own' })
  expect((await catalogOf('a.test', server)).text).toContain('production xx')
})

describe('a plug-in', () => {
  const node = (text: string) => new Map([['termini/node/own.js', text]])

  it('may be a cache: it is saved to, and asked first', async () => {
    const cache = `const kept = new Map()
      export const create = () => ({
        find: ({ key }) => kept.get(key),
        save: (node, { key }) => void kept.set(key, { ...node, parameters: { role: 'kept' } }),
        destroy: ({ key }) => void kept.delete(key),
      })`
    const server = await start(node(cache), { node_terminus: 'plain', node_cache_terminus: 'own' })
    const get = async () => {
      const headers = { accept: 'application/json' }
      const asked = '/puppet/v3/node/a.test?environment=production'
      const { status, text } = await server.call('GET', asked, { as: 'a.test', headers })
      return status === 200 ? JSON.parse(text) : { status, text }
    }
    expect((await get()).parameters).not.toHaveProperty('role')
    expect((await get()).parameters).toMatchObject({ role: 'kept' })
  })

  it.each<[string, string, string]>([
    [
      'throws',
      "export const create = () => ({ find() { throw new Error('no \\u001b[31mluck') } })",
      'failed in find: no \\\\x1b[31mluck',
    ],
    ['answers what is no node', "export const create = () => ({ find: () => ({ classes: 'a' }) })", 'node.classes'],
    ['cannot find', 'export const create = () => ({})', 'does not support find'],
  ])('that %s fails the request, in words', async (_, text, words) => {
    const server = await start(node(text), { node_terminus: 'own' })
    const answer = await catalogOf('a.test', server)
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(words)])
    expect(answer.text).not.toContain('\u001b')
    expect((await server.call('GET', '/status/v1/simple')).text).toBe('running')
  })

  it.each<[string, ReadonlyMap<string, string>, string]>([
    ['does not load', node('export const create = ('), 'cannot be loaded'],
    ['exports nothing', node('export const other = 1'), 'does not export the function create'],
    [
      'has the name of an existing terminus or report processor',
      new Map([['termini/node/exec.js', '']]),
      'has the name of an existing terminus or report processor: exec',
    ],
    [
      'has the name of our processor',
      new Map([['reports/store.js', 'export const process = 1']]),
      'existing terminus or report processor: store',
    ],
    ['has no name', new Map([['termini/node/Own-1.js', '']]), 'must contain only lowercase letters'],
  ])('that %s keeps the server from starting', async (_, files, words) => {
    await expect(start(files, { node_terminus: files.has('termini/node/own.js') ? 'own' : 'plain' })).rejects.toThrow(
      words,
    )
  })

  it('that others may change is refused', async () => {
    const folder = plugIns(node('export const create = () => ({})'))
    const file = join(folder, 'termini/node/own.js')
    const repository = controlRepository({ 'manifests/site.pp': site })
    const given = { code_repo: repository.bare, server_plugins: folder, node_terminus: 'own' }
    chmodSync(file, 0o666)
    await expect(serve(given)).rejects.toThrow(`can change the plug-in ${file}`)
    chmodSync(file, 0o644)
    chmodSync(dirname(file), 0o777)
    await expect(serve(given)).rejects.toThrow(`can change the plug-in ${dirname(file)}`)
  })

  it('that is not there is an unknown terminus, with the nearest name', async () => {
    await expect(start(node('export const create = () => ({})'), { node_terminus: 'owm' })).rejects.toThrow(
      'Could not find terminus owm for indirection node',
    )
  })
})
