import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { without } from '../support/needs.ts'
import { noModules } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const tool = 'tool.test'
const withoutTerminus = without('real Puppet 7.23', 'puppet-terminus-puppetdb')
let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  const auth_conf = join(scratchFolder('auth'), 'auth.conf')
  writeFileSync(
    auth_conf,
    `authorization: { version: 1, rules: [
      { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["${tool}", "applied.test"] } ] }`,
  )
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', auth_conf })
})
afterAll(async () => {
  await serving?.stop()
})

const facts = (certname: string, values: object) =>
  JSON.stringify({
    ...{ certname, environment: 'production', producer: 'server.test', values },
    producer_timestamp: '2026-11-20T06:00:00.000Z',
  })
const command = (name: string, version: number, certname: string) =>
  `/pdb/cmd/v1?command=${name}&version=${version}&certname=${certname}&producer-timestamp=2026-11-20T06:00:00.000Z&secondsToWaitForCompletion=60`

async function rows(query: string): Promise<unknown> {
  const { status, text } = await serving.call('GET', `/pdb/query/v4?query=${encodeURIComponent(query)}`, { as: tool })
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

describe('/pdb', () => {
  it('takes commands, packed or not, and answers queries in PQL and AST', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const path = (certname: string) => command('replace_facts', 5, certname)
    const plain = { as: tool, headers, body: facts('a.test', { kernel: 'Linux', os: { family: 'Debian' } }) }
    expect(await serving.call('POST', path('a.test'), plain)).toMatchObject({ status: 200 })
    const packed = { ...headers, 'content-encoding': 'gzip' }
    const body = gzipSync(facts('b.test', { kernel: 'Linux', os: { family: 'RedHat' } }))
    const { text } = await serving.call('POST', path('b.test'), { as: tool, headers: packed, body })
    expect(JSON.parse(text)).toMatchObject({ processed: true, timed_out: false })
    expect(await rows('inventory[certname] { facts.os.family = "Debian" }')).toEqual([{ certname: 'a.test' }])
    const posted = { as: tool, headers, body: JSON.stringify({ query: ['=', 'name', 'kernel'], include_total: true }) }
    const answer = await serving.call('POST', '/pdb/query/v4/facts', posted)
    expect(answer.headers['x-records']).toBe('2')
    expect(JSON.parse(answer.text)).toHaveLength(2)
  })

  it('says what is wrong with a request', async () => {
    const asked = (path: string) => serving.call('GET', path, { as: tool })
    expect(await asked('/pdb/query/v4/nodes?query=["=","nothing",1]')).toMatchObject({ status: 400 })
    expect(await asked('/pdb/query/v4/nodes/nobody.test')).toMatchObject({
      status: 404,
      text: '{"error":"No information is known about node nobody.test"}',
    })
    expect(await asked('/pdb/query/v4/nothing')).toMatchObject({ status: 404 })
    const wrong = await serving.call('POST', command('no_command', 1, 'a.test'), { as: tool, body: '{}' })
    expect(wrong.status).toBe(400)
    const body = Buffer.from('not gzip')
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    const broken = await serving.call('POST', command('replace_facts', 5, 'a.test'), { as: tool, headers, body })
    expect(broken).toMatchObject({ status: 400, text: 'The request body is not gzip' })
    expect(JSON.parse((await asked('/pdb/meta/v1/version')).text)).toEqual({ version: '7.12.1' })
  })

  it('tells nodes nothing, and strangers neither', async () => {
    for (const path of ['/pdb/query/v4/nodes', '/pdb//query/v4/nodes', '/pdb/meta/v1/version']) {
      expect((await serving.call('GET', path, { as: 'node.test' })).status).toBe(403)
      expect((await serving.call('GET', path)).status).toBe(403)
    }
    const headers = { 'content-type': 'application/json' }
    const told = { as: 'node.test', headers, body: facts('other.test', { kernel: 'none' }) }
    expect((await serving.call('POST', command('replace_facts', 5, 'other.test'), told)).status).toBe(403)
    expect(await rows('nodes { certname = "other.test" }')).toEqual([])
  })

  it.skipIf(withoutTerminus)(`serves a real Puppet with its own terminus${withoutTerminus}`, async () => {
    const certname = 'applied.test'
    const home = await puppetHome(certname)
    const manifest = `@@notify { 'exported': message => 'from here' }
      notify { 'collected': message => String(puppetdb_query('nodes[certname] { certname = "a.test" }')) }
      Notify <<| |>>`
    const words = [
      '--confdir',
      join(home, 'etc'),
      '--vardir',
      join(home, 'var'),
      '--certname',
      certname,
      '-e',
      manifest,
    ]
    const out = await execPuppet(words)
    expect(out).toContain('a.test')
    expect(out).toContain('from here')
    expect(await rows(`resources[title] { certname = "${certname}" and exported = true }`)).toEqual([
      { title: 'exported' },
    ])
    expect(await rows(`reports[status] { certname = "${certname}" }`)).toEqual([{ status: 'changed' }])
    expect(await rows(`facts[name] { certname = "${certname}" and name = "kernel" }`)).toEqual([{ name: 'kernel' }])
  })
})

/** Folders of a real Puppet whose catalogs, facts and reports go to our store. */
async function puppetHome(certname: string): Promise<string> {
  const home = scratchFolder('terminus')
  const ssl = join(home, 'etc/ssl')
  for (const folder of ['certs', 'private_keys']) mkdirSync(join(ssl, folder), { recursive: true })
  const { key, cert } = await serving.credentials(certname)
  writeFileSync(join(ssl, `private_keys/${certname}.pem`), key)
  writeFileSync(join(ssl, `certs/${certname}.pem`), cert)
  copyFileSync(serving.settings.localcacert, join(ssl, 'certs/ca.pem'))
  const { port } = new URL(serving.server.url)
  const put = (name: string, text: string) => writeFileSync(join(home, 'etc', name), text)
  put('puppetdb.conf', `[main]\nserver_urls = https://localhost:${port}\ncommand_broadcast = false\n`)
  put(
    'puppet.conf',
    `[main]\nssldir = ${ssl}\ncertificate_revocation = false\nstoreconfigs = true\nstoreconfigs_backend = puppetdb\nreports = puppetdb\nreport = true\n`,
  )
  put(
    'routes.yaml',
    'apply:\n  catalog:\n    terminus: compiler\n    cache: puppetdb\n  facts:\n    terminus: facter\n    cache: puppetdb_apply\n',
  )
  return home
}

/** Asynchronously: the server that it asks is in this process. */
async function execPuppet(words: readonly string[]): Promise<string> {
  const { execa } = await import('execa')
  const { stdout, stderr, failed } = await execa('puppet', ['apply', '--color=false', ...noModules, ...words], {
    reject: false,
  })
  expect(failed, stdout + stderr).toBe(false)
  return stdout + stderr
}
