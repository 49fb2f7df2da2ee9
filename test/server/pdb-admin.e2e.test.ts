import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const tool = 'tool.test'
const headers = { 'content-type': 'application/json', accept: 'application/json' }
let serving: Serving

beforeAll(async () => {
  const auth_conf = join(scratchFolder('auth'), 'auth.conf')
  writeFileSync(
    auth_conf,
    `authorization: { version: 1, rules: [
      { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["${tool}"] }
      { name: "status", sort-order: 2, match-request: { path: "/status", type: path }, allow-unauthenticated: true } ] }`,
  )
  serving = await serve({ code_repo: controlRepository({ 'manifests/site.pp': '' }).bare, store: 'sqlite', auth_conf })
})
afterAll(async () => {
  await serving?.stop()
})

const admin = (body: string) => serving.call('POST', '/pdb/admin/v1/cmd', { as: tool, headers, body })

async function told(certname: string): Promise<void> {
  const time = new Date().toISOString()
  const path = `/pdb/cmd/v1?command=replace_facts&version=5&certname=${certname}&producer-timestamp=${time}&secondsToWaitForCompletion=60`
  const facts = { certname, environment: 'production', producer: null, producer_timestamp: time, values: { a: 1.0 } }
  expect((await serving.call('POST', path, { as: tool, headers, body: JSON.stringify(facts) })).status).toBe(200)
}

async function nodes(): Promise<string[]> {
  const { text } = await serving.call('GET', '/pdb/query/v4/nodes', { as: tool })
  return (JSON.parse(text) as { certname: string }[]).map(({ certname }) => certname).sort()
}

const types = "Valid commands types are: 'clean' and 'delete'"
/** What a real PuppetDB 7.12 answered. */
const commands: readonly (readonly [body: string, status: number, answer: object | string])[] = [
  ['{"command":"clean","version":1,"payload":["expire_nodes"]}', 200, { ok: true }],
  ['{"command":"clean","version":1,"payload":[]}', 200, { ok: true }],
  ['{"command":"clean","version":1,"payload":["purge_reports","gc_packages","other"]}', 200, { ok: true }],
  ['{"command":"clean","version":1,"payload":["purge_nodes"]}', 200, { ok: true }],
  ['{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":2}]]}', 200, { ok: true }],
  ['{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":"x"}]]}', 400, 'nil'],
  ['{"command":"clean","version":1,"payload":["nothing"]}', 400, 'nil'],
  ['{"command":"clean","version":1,"payload":["nothing","expire_nodes",7,["purge_nodes"],["x",{}]]}', 400, 'nil'],
  ['{"command":"clean","version":2,"payload":["expire_nodes"]}', 400, 'nil'],
  ['{"command":"clean","payload":["expire_nodes"]}', 400, 'nil'],
  ['{"command":"cleanx","version":1,"payload":["expire_nodes"]}', 400, types],
  ['{"version":1,"payload":["expire_nodes"]}', 400, types],
  ['{"command":"clean","version":1}', 400, 'nil'],
  ['{"command":"clean","version":1,"payload":"expire_nodes"}', 400, 'nil'],
  ['{"command":"clean","version":1,"payload":[],"more":1}', 400, 'nil'],
  ['[]', 400, types],
  ['7', 400, types],
  ['', 400, types],
  ['{"command":"delete","version":1,"payload":{"certname":"nobody"}}', 200, { deleted: 'nobody' }],
  ['{"command":"delete","version":1,"payload":{}}', 400, 'nil'],
  ['{"command":"delete","version":1,"payload":{"certname":7}}', 400, 'nil'],
  ['{"command":"delete","version":2,"payload":{"certname":"nobody"}}', 400, 'nil'],
]

describe('/pdb/admin', () => {
  it.each(commands)('answers %s with %i, as PuppetDB', async (body, status, answer) => {
    const given = await admin(body)
    const expected =
      typeof answer === 'string' ? { error: `Invalid command ${JSON.stringify(body)}: ${answer}` } : answer
    expect([given.status, JSON.parse(given.text)]).toEqual([status, expected])
  })

  it('refuses what is no JSON', async () => {
    expect(await admin('not json')).toMatchObject({ status: 400 })
  })

  it('forgets a node, and gives and takes archives', async () => {
    for (const name of ['a.test', 'b.test']) await told(name)
    const archive = await serving.call('GET', '/pdb/admin/v1/archive', { as: tool })
    expect(archive.headers).toMatchObject({ 'content-type': expect.stringContaining('application/octet-stream') })
    expect(archive.headers['content-disposition']).toMatch(/^attachment; filename=puppetdb-export-.*Z\.tgz$/)
    for (const certname of await nodes())
      await admin(JSON.stringify({ command: 'delete', version: 1, payload: { certname } }))
    expect(await nodes()).toEqual([])
    const form = new FormData()
    form.append('other', 'x')
    form.append('archive', new Blob([new Uint8Array(archive.bytes)]), 'archive.tgz')
    const sent = new Request('http://x/', { method: 'POST', body: form })
    const body = Buffer.from(await sent.arrayBuffer())
    const answer = await serving.call('POST', '/pdb/admin/v1/archive', {
      ...{ as: tool, body },
      headers: { 'content-type': sent.headers.get('content-type')! },
    })
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}'])
    await expect.poll(nodes).toEqual(['a.test', 'b.test'])
  })

  it.each([
    ['application/json', '{}', /not multipart/],
    ['multipart/form-data; boundary=x', '', /truncated/],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="archive"\r\n\r\nabc',
      /truncated/,
    ],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="b"\r\n\r\nc\r\n--x--\r\n',
      /no file named 'archive'/,
    ],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="archive"\r\n\r\nc\r\n--x--\r\n',
      /Could not read/,
    ],
  ])('refuses as an archive %s %j', async (type, body, words) => {
    const answer = await serving.call('POST', '/pdb/admin/v1/archive', {
      as: tool,
      headers: { 'content-type': type },
      body,
    })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error: expect.stringMatching(words) }])
  })

  it('has summary-stats', async () => {
    const { text } = await serving.call('GET', '/pdb/admin/v1/summary-stats', { as: tool })
    expect(Object.keys(JSON.parse(text)).sort()).toEqual([
      ...['database_usage', 'fact_path_counts_by_depth', 'file_resources_per_catalog'],
      ...['file_resources_per_catalog_with_source', 'index_usage', 'node_activity', 'num_distinct_edges_source_target'],
      ...['num_resources_per_file', 'num_resources_per_node', 'report_log_size_dist', 'report_metric_size_dist'],
      ...['table_usage', 'version'],
    ])
  })

  it('has the status of PuppetDB', async () => {
    const { text } = await serving.call('GET', '/status/v1/services/puppetdb-status', { as: tool })
    expect(JSON.parse(text)).toEqual({
      ...{ service_version: '7.12.1', service_status_version: 1, detail_level: 'info', state: 'running' },
      status: {
        ...{ 'maintenance_mode?': false, queue_depth: 0, 'read_db_up?': true, 'write_db_up?': true },
        ...{ 'write_dbs_up?': true, write_db: { default: { 'up?': true } } },
      },
      ...{ active_alerts: [], service_name: 'puppetdb-status' },
    })
    const stranger = await serving.call('GET', '/status/v1/services/puppetdb-status')
    expect(JSON.parse(stranger.text)).toMatchObject({ state: 'running', status: {} })
  })

  it('denies nodes', async () => {
    for (const path of ['/pdb/admin/v1/archive', '/pdb/admin/v1/summary-stats'])
      expect((await serving.call('GET', path, { as: 'node.test' })).status).toBe(403)
  })
})
