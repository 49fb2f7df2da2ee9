// What `plumb apply` tells stores and servers, beside real `puppet apply` with PuppetDB's termini.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingWords } from '../../src/settings/settings.ts'
import { type Answer, type HttpsServer, httpsServer, identities } from '../store/puppetdb/https-server.ts'
import { without } from '../support/needs.ts'
import { noModules } from '../support/real-puppet.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const missing = without('real Puppet 7.23', 'puppet-terminus-puppetdb')
const uuid = '11111111-2222-4333-8444-555555555555'
const certname = 'server.test'
const folder = scratchFolder('masterless')
const ssldir = join(folder, 'ssl')
const manifest = join(folder, 'site.pp')

/** Fails requests whose address has a text in it. */
let refused = 'nothing'
const answer: Answer = (response, { url, method }) => {
  const status = url.includes(refused) ? 500 : 200
  const body = method === 'PUT' ? '[]' : JSON.stringify({ uuid })
  response.writeHead(status, { 'content-type': 'application/json' }).end(status === 500 ? 'no' : body)
}

let other: HttpsServer

beforeAll(async () => {
  const { server, client } = await identities()
  other = await httpsServer(server, answer)
  for (const name of ['certs', 'private_keys']) mkdirSync(join(ssldir, name), { recursive: true })
  writeFileSync(manifest, code)
  writeFileSync(join(ssldir, 'certs/ca.pem'), client.ca!)
  writeFileSync(join(ssldir, 'crl.pem'), client.crl!)
  writeFileSync(join(ssldir, `certs/${certname}.pem`), client.cert!)
  writeFileSync(join(ssldir, `private_keys/${certname}.pem`), client.key!)
})
beforeEach(() => {
  other.seen.length = 0
  refused = 'nothing'
})
afterAll(() => other?.stop())

type Who = 'plumb' | 'puppet'

/** Words for a run of its own folders; the same for both. */
function places(who: Who, routes: string): readonly string[] {
  const home = join(folder, who)
  const confdir = join(home, 'etc')
  mkdirSync(confdir, { recursive: true })
  writeFileSync(join(confdir, 'puppetdb.conf'), `[main]\nserver_urls = ${other.url}\n`)
  writeFileSync(join(confdir, 'routes.yaml'), routes === '' ? '--- {}\n' : routes)
  const own = { confdir, vardir: join(home, 'var'), ssldir, codedir: join(home, 'code'), certname }
  return settingWords(own)
}

async function apply(who: Who, words: readonly string[], routes = '') {
  const common = ['apply', '--detailed-exitcodes', ...places(who, routes)]
  if (who === 'plumb') return runHere([...common, '--store', 'puppetdb', ...words])
  const all = [...common, ...words]
  const rest = ['rundir', 'logdir', 'publicdir'].flatMap((name) => [`--${name}`, join(folder, who, name)])
  const { exitCode, stdout, stderr } = await execa('puppet', [...all, ...rest, ...noModules, '--color', 'false'], {
    reject: false,
  })
  return { status: exitCode, out: stdout, err: stderr }
}

const masterless = `---
apply:
  catalog: { terminus: compiler, cache: puppetdb }
  resource: { terminus: ral, cache: puppetdb }
  facts: { terminus: facter, cache: puppetdb_apply }
`
const code = "@@notify { 'exported': } notify { 'x': } exec { '/bin/false': }"

/** What was told, in order. */
function told() {
  return other.seen.map(({ method, url, headers, body, client }) => {
    const { pathname, searchParams } = new URL(url, other.url)
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')
    return {
      method,
      pathname,
      command: searchParams.get('command'),
      version: searchParams.get('version'),
      client,
      text,
    }
  })
}

const moments = /^(?:.*_)?(?:timestamp|time|uuid|version)$/

/** A payload without times, chance and what facts are. */
function comparable(value: unknown, key = ''): unknown {
  if (moments.test(key)) return typeof value
  if (key === 'message' && typeof value === 'string') return value.replace(/[\d.]+ seconds/, 'n seconds')
  if (key === 'tags') return [...(value as string[])].sort()
  // Puppet's node has no name there.
  if (key === 'values') return Object.keys((value as { trusted: object }).trusted)
  // Values are times, and Puppet has resources of its own: schedules, a filebucket.
  if (key === 'metrics') return (value as { category: string }[]).map(({ category }) => category).includes('resources')
  if (Array.isArray(value)) return value.map((each) => comparable(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each, name)]))
}

const bodies = () => told().map(({ text, ...rest }) => ({ ...rest, payload: comparable(JSON.parse(text)) }))

describe('what is told where there is no server', () => {
  describe.skipIf(missing)(`beside real Puppet${missing}`, () => {
    it.each<[string, readonly string[], string]>([
      ['facts, catalog and report', ['--reports', 'puppetdb'], masterless],
      ['noop', ['--reports', 'puppetdb', '--noop'], masterless],
      ['no report', ['--no-report'], masterless],
      ['nothing but a report', ['--reports', 'puppetdb'], ''],
    ])('%s', async (_, words, routes) => {
      const seen = []
      for (const who of ['puppet', 'plumb'] as const) {
        other.seen.length = 0
        const { status } = await apply(who, [...words, manifest], routes)
        seen.push({ status, told: bodies() })
      }
      expect(seen[1]).toEqual(seen[0])
      expect(seen[0]!.told.length).toBeGreaterThan(0)
    })

    it.each<[string, readonly string[]]>([
      ['replace_facts', []],
      ['replace_catalog', []],
      ['store_report', ['--reports', 'puppetdb,store']],
      ['/upload', ['--reports', 'http,store', '--reporturl']],
    ])('%s refused', async (what, words) => {
      refused = what
      const url = words.includes('--reporturl') ? [`${other.url}/upload`] : []
      const seen = []
      for (const who of ['puppet', 'plumb'] as const) {
        other.seen.length = 0
        const { status, out, err } = await apply(who, [...words, ...url, manifest], masterless)
        seen.push({
          status,
          told: told().map(({ method, pathname, command }) => [method, pathname, command]),
          isApplied: out.includes("Notify[x]/message: defined 'message'"),
          said: /(?:Report processor failed|Unable to submit report to .*)/.exec(err)?.[0],
        })
      }
      expect(seen[1]).toEqual(seen[0])
    })
  })
  const stateOf = (path: string) => join(folder, 'plumb/var', path)
  const reports = () => readdirSync(stateOf('reports/server.test'), { recursive: true })

  it('is a report in a file by default, with and without failures, and none without report', async () => {
    expect(await apply('plumb', ['--store', 'none', '-e', "exec { '/bin/false': }"])).toMatchObject({ status: 4 })
    const [file] = reports().sort().slice(-1)
    const count = reports().length
    const text = readFileSync(join(stateOf('reports/server.test'), String(file)), 'utf8')
    expect(text).toMatch(/^--- !ruby\/object:Puppet::Transaction::Report\n/)
    expect(parse(text.replace(/^---.*\n/, ''))).toMatchObject({ host: certname, status: 'failed' })
    for (const words of [['--reports', 'none'], ['--no-report']])
      expect((await apply('plumb', ['--store', 'none', ...words, '-e', "notify { 'x': }"])).status).toBe(2)
    expect(reports()).toHaveLength(count)
    expect(other.seen).toHaveLength(0)
  })

  it('warns of a processor that is not there, and goes on with the others', async () => {
    const words = ['--reports', 'nothere,puppetdb', '-e', "notify { 'x': }"]
    const { status, err } = await apply('plumb', words)
    expect([status, err]).toEqual([2, "Warning: No report named 'nothere'\n"])
    expect(told().map(({ command }) => command)).toEqual(['store_report'])
  })

  it('is posted with the user and the password of reporturl, which are in no message', async () => {
    const url = other.url.replace('//', '//me:s%40cret@')
    refused = '/upload'
    const { status, out, err } = await apply('plumb', ['--reports', 'http', '--reporturl', `${url}/upload`, manifest])
    expect([status, err]).toEqual([6, expect.stringContaining(`Unable to submit report to ${other.url}/upload [500]`)])
    expect(out + err).not.toContain('cret')
    const [{ headers, body }] = other.seen as [(typeof other.seen)[0]]
    expect(headers).toMatchObject({
      'content-type': 'application/x-yaml',
      authorization: `Basic ${Buffer.from('me:s@cret').toString('base64')}`,
    })
    expect(body.toString()).toMatch(/^--- !ruby\/object:Puppet::Transaction::Report\n/)
    for (const wrong of ['ftp://a/', 'me:cret']) {
      const { err } = await apply('plumb', ['--reports', 'http', '--reporturl', wrong, manifest])
      expect(err).toContain('reporturl takes an address that begins with http:// or https://.')
      expect(err).not.toContain('cret')
    }
  })

  it('goes to the server where routes.yaml says rest', async () => {
    const routes = '---\napply: { report: { terminus: rest }, facts: { terminus: facter, cache: rest } }\n'
    const server = ['--server', 'localhost', '--serverport', new URL(other.url).port]
    const { status, err } = await apply('plumb', [...server, '-e', "notify { 'x': }"], routes)
    expect([status, err]).toEqual([2, ''])
    expect(told().map(({ method, pathname, client }) => [method, pathname, client])).toEqual([
      ['PUT', `/puppet/v3/facts/${certname}`, certname],
      ['PUT', `/puppet/v3/report/${certname}`, certname],
    ])
    refused = '/report/'
    const late = await apply('plumb', [...server, '-e', "notify { 'x': }"], routes)
    expect([late.status, late.err]).toEqual([2, expect.stringContaining('Error: Could not send report: Error 500')])
  })

  it.each(['json', 'yaml'])('is a catalog in a %s file, which is never applied in place of a new one', async (form) => {
    for (const name of ['one', 'two']) {
      const words = ['--store', 'none', '--catalog_cache_terminus', form, '-e', `notify { '${name}': }`]
      expect((await apply('plumb', words)).out).toContain(`Notify[${name}]`)
      const folder = form === 'json' ? 'client_data' : 'client_yaml'
      expect(readFileSync(stateOf(`${folder}/catalog/${certname}.${form}`), 'utf8')).toMatch(
        RegExp(`title"?: ?"?${name}`),
      )
    }
  })

  it('goes into a store of our own, which others ask then', async () => {
    const store = ['--store', 'sqlite']
    const all = ['apply', '--detailed-exitcodes', ...places('plumb', ''), ...store, '--storeconfigs']
    expect(await runHere([...all, '-e', code])).toMatchObject({
      status: 1,
      err: expect.stringContaining('The puppetdb terminus of facts has no store'),
    })
    expect((await runHere(['store', 'migrate', ...places('plumb', ''), ...store])).status).toBe(0)
    expect((await runHere([...all, manifest])).status).toBe(6)
    const query = async (words: string) => {
      const { out } = await runHere(['query', words, ...places('plumb', ''), ...store, '--render-as', 'json'])
      return JSON.parse(out)
    }
    expect(await query('reports[certname, status] {}')).toEqual([{ certname, status: 'failed' }])
    expect(await query('resources[title] { exported = true }')).toEqual([{ title: 'exported' }])
    expect(await query('facts[value] { name = "kernel" }')).toEqual([{ value: 'Linux' }])
    expect((await runHere([...all, '--certname', 'two.test', '-e', 'Notify <<| |>>'])).out).toContain(
      'Notify[exported]',
    )
  })

  it('is refused by routes that do not hold', async () => {
    const said = async (routes: string) => (await apply('plumb', ['-e', code], `---\napply: ${routes}\n`)).err
    expect(await said('{ facts: { cache: nonesuch } }')).toContain('Could not find terminus nonesuch for indirection')
    expect(await said('{ facts: { terminus: puppetdb } }')).toContain('The terminus of facts is facter where there is')
    expect(other.seen).toHaveLength(0)
  })
})
