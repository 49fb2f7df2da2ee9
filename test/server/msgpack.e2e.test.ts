import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode } from '@msgpack/msgpack'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../../src/base/json/json-text.ts'
import { encodeMsgpack } from '../../src/base/json/msgpack.ts'
import { controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

const msgpack = 'application/x-msgpack'
const rich = 'application/vnd.puppet.rich+msgpack'
const name = 'a.test'
const e = 'environment=production'
let serving: Serving

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': `notify { 'n': message => "\${facts['half']} \${facts['one'] =~ Float}" }
      notify { 'many': message => [1.0, 2, 9007199254740993] }
      node 'rich.test' { file { '/tmp/x': content => Binary('AP8=') } }
      node default { }\n`,
    'modules/demo/files/a.txt': 'a\n',
    'modules/demo/files/b.txt': 'b\n',
  })
  repository.pin()
  serving = await serve({ code_repo: repository.bare, reports: 'store', catalog_signing: 'true' })
})
afterAll(() => serving?.stop())

const get = (path: string, accept: string, more = {}, as = name) =>
  serving.call('GET', `/puppet/v3/${path}`, { as, headers: { accept, ...more } })
const put = (path: string, body: Uint8Array, type = msgpack) =>
  serving.call('PUT', `/puppet/v3/${path}?${e}`, {
    as: name,
    headers: { 'content-type': type },
    body: Buffer.from(body),
  })

describe('answers in MessagePack', () => {
  it.each([
    ['a node', `node/${name}?${e}`],
    ['a file', `file_metadata/modules/demo/a.txt?${e}`],
    ['files', `file_metadatas/modules/demo?recurse=true&${e}`],
    ['a catalog', `catalog/${name}?${e}`],
  ])('%s is the same as in JSON', async (_, path) => {
    const [packed, text] = [await get(path, msgpack), await get(path, 'application/json')]
    expect([packed.status, packed.headers['content-type']], packed.text).toEqual([200, msgpack])
    const same = (data: unknown) => JSON.stringify(data).replaceAll(/"(version|catalog_uuid)":("[^"]*"|\d+)/g, '')
    expect(same(decode(packed.bytes))).toBe(same(JSON.parse(text.text)))
  })

  it('rich data: a catalog whose Floats are Floats and whose large Integers are exact', async () => {
    const more = { 'accept-encoding': 'gzip' }
    const { status, headers, bytes } = await get(
      `catalog/rich.test?${e}`,
      `${rich}, application/json`,
      more,
      'rich.test',
    )
    expect([status, headers['content-type'], headers['x-plumb-catalog-signature']]).toEqual([200, rich, undefined])
    const { resources } = decode(bytes, { useBigInt64: true }) as {
      resources: { title: string; parameters?: unknown }[]
    }
    const of = (title: string) => resources.find((each) => each.title === title)?.parameters
    expect(of('/tmp/x')).toEqual({ content: { __ptype: 'Binary', __pvalue: 'AP8=' } })
    expect(of('many')).toEqual({ message: [1, 2, 9007199254740993n] })
    expect(bytes.includes(Buffer.from('93cb3ff000000000000002', 'hex'))).toBe(true)
  })

  it('rich data is for catalogs alone', async () => {
    expect((await get(`node/${name}?${e}`, rich)).status).toBe(406)
  })

  it('is refused, or replaced by what else the client takes, where an integer has no place in it', async () => {
    const values = Buffer.from(`{"name":"${name}","values":{"n":18446744073709551616}}`)
    expect((await put(`facts/${name}`, values, 'application/json')).status).toBe(200)
    expect((await get(`node/${name}?${e}`, msgpack)).status).toBe(406)
    for (const accept of ['application/json', `${msgpack}, application/json`, `${msgpack}, text/pson`]) {
      const { headers, text } = await get(`node/${name}?${e}`, accept)
      expect(headers['content-type']).toContain(accept.split(', ').at(-1))
      expect(text).toContain('"n":18446744073709551616')
    }
  })
})

const report = {
  ...{ host: name, time: '2026-11-20T10:00:00Z', status: 'changed', configuration_version: 1, report_format: 12 },
  ...{ puppet_version: '7.23.0', environment: 'production', noop: false, metrics: {}, resource_statuses: {} },
  logs: [{ level: 'notice', message: 'packed', source: 'Puppet', tags: [], time: '2026-11-20T10:00:00Z' }],
}

describe('bodies in MessagePack', () => {
  it('facts: a Float is one', async () => {
    const facts = parseJson(`{"name":"${name}","values":{"half":0.5,"one":1.0}}`)
    expect((await put(`facts/${name}`, encodeMsgpack(facts))).text).toBe('0')
    const catalog = await get(`catalog/${name}?${e}`, 'application/json')
    expect(catalog.text).toContain('"message":"0.5 true"')
  })

  it('a large body is read on the thread', async () => {
    const values = { half: 0.25, more: Array.from({ length: 60_000 }, (_, at) => `number ${at}`) }
    expect((await put(`facts/${name}`, encode({ name, values }))).text).toBe('0')
    const node = await get(`node/${name}?${e}`, msgpack)
    expect((decode(node.bytes) as { parameters: typeof values }).parameters).toMatchObject(values)
  })

  it('a report: kept in the same form as one in JSON', async () => {
    const kept = async (body: Uint8Array, type: string) => {
      expect((await put(`report/${name}`, body, type)).text).toBe('["store"]')
      return readFileSync(join(serving.settings.reportdir, name, '20261120100000000.yaml'), 'utf8')
    }
    const packed = await kept(encode(report), msgpack)
    expect(packed).toContain('message: packed')
    expect(await kept(Buffer.from(JSON.stringify(report)), 'application/json')).toBe(packed)
  })

  it.each([
    ['nothing', '', 400, 'Could not intern from msgpack: it is truncated in the value at byte 0'],
    ['an array of four billion', 'ddffffffff', 400, 'Could not intern from msgpack: it is truncated in the value'],
    ['a time', 'd6ff00000000', 400, 'Could not intern from msgpack: an extension at byte 1 is not supported'],
    ['too deep', '91'.repeat(5000), 400, 'Could not intern from msgpack: nesting of 101 is too deep'],
    ['what are no facts', '90', 400, 'Could not intern from msgpack: facts must be an object'],
    ['too many values', `dd002625a0${'c0'.repeat(2_500_000)}`, 413, 'it exceeds 2000000 values'],
  ])('refuses %s', async (_, hex, status, message) => {
    const answer = await put(`facts/${name}`, Buffer.from(hex, 'hex'))
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)])
  })

  it('facts of a form are JSON, as for Puppet', async () => {
    const body = new URLSearchParams({ environment: 'production', facts_format: msgpack, facts: '%80' }).toString()
    const headers = { accept: msgpack, 'content-type': 'application/x-www-form-urlencoded' }
    const { text } = await serving.call('POST', `/puppet/v3/catalog/${name}`, { as: name, headers, body })
    expect(text).toContain('Unsupported facts format')
  })
})
