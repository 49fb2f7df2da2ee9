import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { computeAnswerDigest } from '../../src/network/outside/answer-cache.ts'
import { controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const tool = 'tool.test'
let serving: Serving

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': `notify { "known: \${puppetdb_query('nodes[certname] { order by certname }').map |$n| { $n['certname'] }}": }\n`,
  })
  const auth_conf = join(scratchFolder('auth'), 'auth.conf')
  writeFileSync(
    auth_conf,
    `authorization: { version: 1, rules: [
      { name: "puppet", sort-order: 1, match-request: { path: "/puppet", type: path }, allow: "*" },
      { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["${tool}"] } ] }`,
  )
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', storeconfigs: 'true', auth_conf })
})
afterAll(() => serving?.stop())

it('records what a catalog asked of the store, and keeps the answer by its digest', async () => {
  const facts = encodeURIComponent(JSON.stringify({ name: 'a.test', values: {} }))
  const body = new URLSearchParams({ environment: 'production', facts_format: 'application/json', facts }).toString()
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const made = await serving.call('POST', '/puppet/v3/catalog/a.test', { as: 'a.test', headers, body })
  expect(made.status, made.text).toBe(200)
  const [, known = ''] = /"title":"known: (\[[^"]*\])"/.exec(made.text) ?? []
  const folder = join(serving.settings.server_datadir, 'answers')
  const [name = ''] = readdirSync(folder)
  const answer = readFileSync(join(folder, name), 'utf8')
  const rows = JSON.parse(answer) as readonly { readonly certname: string }[]
  expect([name, known]).toEqual([
    `${computeAnswerDigest(answer)}.json`,
    `[${rows.map(({ certname }) => certname).join(', ')}]`,
  ])
  const inputs = async () => (await serving.call('GET', '/pdb/query/v4/catalog-input-contents', { as: tool })).text
  await expect.poll(inputs).toContain('puppetdb_query')
  expect(JSON.parse(await inputs())[0]).toMatchObject({
    certname: 'a.test',
    type: 'puppetdb_query',
    name: `sha256:${computeAnswerDigest(answer)} {"query":"nodes[certname] { order by certname }"}`,
  })
})
