// A real PuppetDB behind our server, and puppetdb_query() beside that of real Puppet with PuppetDB's terminus.

import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { computeAnswerDigest } from '../../../src/network/outside/answer-cache.ts'
import type { NodeStore } from '../../../src/store/node-store.ts'
import { openPuppetDbStore } from '../../../src/store/puppetdb/puppetdb-settings.ts'
import { type Serving, serve } from '../../server/serving.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { isNight } from '../../support/nightly.ts'
import { hasPuppetDb, startPuppetDb } from '../../support/real-puppetdb.js'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Answer, type HttpsServer, httpsServer } from './https-server.ts'

const needs = without('real Puppet 7.23', 'puppet-terminus-puppetdb')
const isRun = hasPuppetDb && needs === '' && isNight

const main = join(import.meta.dirname, '../../../dist/main.js')
const facts = {
  'a.test': {
    n: 1,
    f: 1.5,
    whole: 2.0,
    big: 12345678901234567890n,
    none: null,
    text: 'ä "quoted" \\ \u0007',
    yes: true,
  },
  'b.test': { n: 2, os: { family: 'Debian', release: { major: '12', parts: [1, [2.5, null, {}], 'x'] } }, empty: [] },
  'c.test': { n: 3, os: { family: 'RedHat' }, '1': 'digits', nested: { '2': 'b', '1': 'a' } },
}

/** Queries as a manifest says them. */
const queries = [
  `'nodes[certname] { order by certname }'`,
  `'facts[certname, name, value] { order by certname, name }'`,
  `'inventory[certname, facts] { order by certname }'`,
  `'factsets[certname, facts] { certname = "b.test" }'`,
  `'fact_contents[path, value] { certname = "b.test" order by path }'`,
  `'facts[value] { name = "whole" }'`,
  `'facts[value] { name = "big" }'`,
  `'facts[count()] { }'`,
  `'facts[name, count()] { name = "n" group by name }'`,
  `'nodes[certname, deactivated, expired, facts_environment] { certname ~ "^[ab]" order by certname }'`,
  `'resources { }'`,
  `['from', 'nodes', ['extract', ['certname'], ['=', ['fact', 'n'], 2]]]`,
  `['from', 'facts', ['and', ['=', 'name', 'n'], ['>=', 'value', 2]], ['order_by', ['certname']]]`,
  `['from', 'inventory', ['extract', ['certname'], ['=', 'facts.os.family', 'Debian']]]`,
  `['from', 'nodes', ['extract', 'certname', ['in', 'certname', ['array', ['a.test', 'c.test']]]], ['order_by', ['certname']], ['limit', 1]]`,
]
const wrong = [
  `'nodes['`,
  `'nothing { }'`,
  `['from', 'nodes', ['=', 'nothing', 1]]`,
  `['nodes']`,
  `''`,
  `[]`,
  '17',
  `{'a' => 1}`,
]

let folder: string
let database: Awaited<ReturnType<typeof startPuppetDb>>
let front: HttpsServer
let serving: Serving
let store: NodeStore
let home: string
let modules: string

describe.skipIf(!isRun)(`a PuppetDB 7.12 behind the server${needs}`, () => {
  beforeAll(async () => {
    folder = scratchFolder('puppetdb')
    chmodSync(folder, 0o755)
    const [started, port] = await Promise.all([startPuppetDb(folder), freePort()])
    database = started
    const confdir = join(scratchFolder('behind'), 'etc')
    mkdirSync(confdir, { recursive: true })
    writeFileSync(join(confdir, 'puppetdb.conf'), `[main]\nserver_urls = https://localhost:${port}\n`)
    const repository = controlRepository({ 'manifests/site.pp': site, ...module })
    const auth_conf = join(confdir, 'auth.conf')
    writeFileSync(
      auth_conf,
      `authorization: { version: 1, rules: [
        { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["tool.test"] },
        { name: "rest", sort-order: 500, match-request: { path: "/puppet", type: path }, allow: "*" } ] }`,
    )
    serving = await serve({ code_repo: repository.bare, confdir, store: 'puppetdb', auth_conf })
    const tls = await serving.credentials('localhost-front')
    const own = {
      key: readFileSync(serving.settings.hostprivkey, 'utf8'),
      cert: readFileSync(serving.settings.hostcert, 'utf8'),
    }
    front = await httpsServer({ ...own, ca: readFileSync(serving.settings.localcacert, 'utf8') }, toPuppetDb(), port)
    expect(tls.key).not.toBe(own.key)
    store = await openPuppetDbStore(serving.settings, localSystem.files, () => {})
    await Promise.all(Object.entries(facts).map(([certname, values]) => told(certname, values)))
    home = await puppetHome(port)
    modules = modulepath()
  }, 600_000)
  afterAll(async () => {
    await store?.close()
    await serving?.stop()
    await front?.stop()
    await database?.stop()
  })

  it('is asked through /pdb of our server, and told', async () => {
    const answer = await serving.call('GET', '/pdb/query/v4/nodes?include_total=true&order_by=[{"field":"certname"}]', {
      as: 'tool.test',
    })
    expect(answer.headers['x-records']).toBe('3')
    expect((JSON.parse(answer.text) as { certname: string }[]).map(({ certname }) => certname)).toEqual(
      Object.keys(facts),
    )
    const none = await serving.call('GET', '/pdb/query/v4/nodes/nobody', { as: 'tool.test' })
    expect([none.status, JSON.parse(none.text)]).toEqual([404, { error: 'No information is known about node nobody' }])
    const wrong = await serving.call('GET', '/pdb/query/v4/nodes?query=["=","nothing",1]', { as: 'tool.test' })
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining("'nothing' is not a queryable object for nodes"),
    ])
    const command = '/pdb/cmd/v1?command=deactivate_node&version=3&certname=d.test&secondsToWaitForCompletion=30'
    const body = '{"certname":"d.test","producer_timestamp":"2026-11-20T06:00:00.000Z"}'
    const headers = { 'content-type': 'application/json' }
    const done = await serving.call('POST', command, { as: 'tool.test', headers, body })
    expect(JSON.parse(done.text)).toMatchObject({ processed: true, timed_out: false })
    expect(front.seen.every(({ client }) => client === 'localhost')).toBe(true)
  })

  it('answers puppetdb_query() as it answers real Puppet', async () => {
    const code = queries.map((query, at) => `notice("${at} ${'$'}{String(puppetdb_query(${query}), '%p')}")`).join('\n')
    const [ours, theirs] = [await byPlumb(code), await byPuppet(code)]
    expect(notices(theirs)).toHaveLength(queries.length)
    expect(notices(ours)).toEqual(notices(theirs))
  }, 300_000)

  it('refuses what it refuses real Puppet', async () => {
    const code = wrong
      .map((query, at) => `notice("${at} ${'$'}{t::error(${query}).regsubst('\\s+', ' ', 'G')}")`)
      .join('\n')
    const [ours, theirs] = [await byPlumb(code), await byPuppet(code)]
    // A newer JSON of Ruby's says so without a line of its own.
    const words = notices(theirs).map((line) => line.replace(/(\]\): \d+ )\d+: unexpected token/, '$1unexpected token'))
    expect(words).toHaveLength(wrong.length)
    expect(notices(ours)).toEqual(words)
  }, 300_000)

  it('is asked by manifests, EPP, templates, functions and data of our server, and its answers are kept', async () => {
    const asked = () => catalogOf('node.test')
    const first = await asked()
    const titles = ['manifest', 'epp', 'erb', 'function', 'ruby', 'data', 'deferred']
    for (const title of titles) expect(first, title).toContain(`"title":"${title} a.test b.test c.test"`)
    const answers = join(serving.settings.server_datadir, 'answers')
    const kept = readdirSync(answers)
    expect(kept).toHaveLength(1)
    const text = readFileSync(join(answers, kept[0]!), 'utf8')
    expect(kept[0]).toBe(`${computeAnswerDigest(text)}.json`)
    expect(JSON.parse(text)).toEqual([{ certname: 'a.test' }, { certname: 'b.test' }, { certname: 'c.test' }])
    expect(await asked()).toBe(first)
    // A remembered call of Ruby's asks again: what has changed shows.
    await told('e.test', { n: 5 })
    const second = await asked()
    for (const title of titles) expect(second, title).toContain(`"title":"${title} a.test b.test c.test e.test"`)
    expect(readdirSync(answers)).toHaveLength(2)
  }, 200_000)
})

const asking = `puppetdb_query('nodes[certname] { facts_environment = "x" order by certname }')`
const site = `notify { "manifest ${'$'}{${asking}.map |$n| { $n['certname'] }.join(' ')}": }
notify { inline_epp('epp <%= ${asking.replaceAll("'", "\\'")}.map |$n| { $n["certname"] }.join(" ") %>'): }
notify { template('q/erb.erb').strip: }
notify { "function ${'$'}{q::names().join(' ')}": }
notify { "ruby ${'$'}{q::ruby().join(' ')}": }
notify { "data ${'$'}{lookup('q::data').join(' ')}": }
notify { "deferred ${'$'}{call('puppetdb_query', 'nodes[certname] { facts_environment = "x" order by certname }').map |$n| { $n['certname'] }.join(' ')}": }
`
const module = {
  'modules/q/templates/erb.erb': `erb <%= scope.call_function('puppetdb_query', ['nodes[certname] { facts_environment = "x" order by certname }']).map { |n| n['certname'] }.join(' ') %>`,
  'modules/q/functions/names.pp': `function q::names() { ${asking}.map |$n| { $n['certname'] } }`,
  'modules/q/lib/puppet/functions/q/ruby.rb': `require 'puppet/util/puppetdb'
Puppet::Functions.create_function(:'q::ruby') do
  dispatch(:names) {}
  def names = Puppet::Util::Puppetdb.query_puppetdb('nodes[certname] { facts_environment = "x" order by certname }').map { |n| n['certname'] }
end`,
  'modules/q/lib/puppet/functions/q/data.rb': `Puppet::Functions.create_function(:'q::data') do
  dispatch(:data) { param 'Hash', :options; param 'Puppet::LookupContext', :context }
  def data(_options, _context) = { 'q::data' => call_function('puppetdb_query', 'nodes[certname] { facts_environment = "x" order by certname }').map { |n| n['certname'] } }
end`,
  'hiera.yaml': 'version: 5\nhierarchy:\n  - name: store\n    data_hash: q::data\n',
}

function notices(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('Notice: Scope(Class[main]): '))
}

/** A module with a function that gives the error of a query as text. */
function modulepath(): string {
  const folder = scratchFolder('modules')
  mkdirSync(join(folder, 't/lib/puppet/functions/t'), { recursive: true })
  writeFileSync(
    join(folder, 't/lib/puppet/functions/t/error.rb'),
    `Puppet::Functions.create_function(:'t::error') do
  dispatch(:error) { param 'Any', :query }
  def error(query)
    call_function('puppetdb_query', query)
    'nothing'
  rescue StandardError => e
    e.message
  end
end
`,
  )
  return folder
}

/** Facts of a node, stored when this returns. */
async function told(certname: string, values: object): Promise<void> {
  const producer_timestamp = '2026-11-20T06:00:00.000Z'
  const text = JSON.stringify({ certname, environment: 'x', producer: 'p', producer_timestamp, values }, (_, value) =>
    typeof value === 'bigint' ? `big ${value}` : value,
  )
  const payload = Buffer.from(text.replace(/"big (\d+)"/, '$1').replace('"whole":2', '"whole":2.0'))
  const { processed } = await store.submitAndWait({ name: 'replace facts', version: 5, certname, payload }, 30_000)
  expect(processed).toEqual({ problem: undefined })
}

/** TLS before PuppetDB, which here has none. */
function toPuppetDb(): Answer {
  return (response, { method, url, headers, body, client }) => {
    if (client !== 'localhost' && client !== 'applied.test') return void response.writeHead(403).end('who?')
    const asked = plainRequest(`${database.url}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    asked.end(body)
  }
}

async function catalogOf(node: string): Promise<string> {
  const facts = encodeURIComponent(JSON.stringify({ name: node, values: {} }))
  const body = `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(facts)}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const { status, text } = await serving.call('POST', `/puppet/v3/catalog/${node}`, { as: node, headers, body })
  expect(status, text).toBe(200)
  return text
}

async function byPlumb(code: string): Promise<string> {
  const { confdir, vardir } = serving.settings
  const words = [
    '--confdir',
    confdir,
    '--vardir',
    vardir,
    '--certname',
    'localhost',
    '--store',
    'puppetdb',
    '--node',
    'x.test',
    '--modulepath',
    modules,
  ]
  const { all } = await execa(process.execPath, [main, 'catalog', 'compile', ...words, '--code', code], {
    ...{ reject: false, all: true, env: { LC_ALL: 'C.UTF-8' } },
  })
  return all
}

async function byPuppet(code: string): Promise<string> {
  const words = [
    '--confdir',
    join(home, 'etc'),
    '--vardir',
    join(home, 'var'),
    '--certname',
    'applied.test',
    '--modulepath',
    modules,
  ]
  const options = { reject: false, all: true, env: { LC_ALL: 'C.UTF-8' } } as const
  return (await execa('puppet', ['apply', '--color=false', '--noop', ...words, '-e', code], options)).all
}

/** Folders of a real Puppet that asks the PuppetDB itself. */
async function puppetHome(port: number): Promise<string> {
  const made = scratchFolder('terminus')
  const ssl = join(made, 'etc/ssl')
  for (const name of ['certs', 'private_keys']) mkdirSync(join(ssl, name), { recursive: true })
  const { key, cert } = await serving.credentials('applied.test')
  writeFileSync(join(ssl, 'private_keys/applied.test.pem'), key)
  writeFileSync(join(ssl, 'certs/applied.test.pem'), cert)
  writeFileSync(join(ssl, 'certs/ca.pem'), readFileSync(serving.settings.localcacert))
  writeFileSync(join(made, 'etc/puppetdb.conf'), `[main]\nserver_urls = https://localhost:${port}\n`)
  writeFileSync(join(made, 'etc/puppet.conf'), `[main]\nssldir = ${ssl}\ncertificate_revocation = false\n`)
  return made
}
