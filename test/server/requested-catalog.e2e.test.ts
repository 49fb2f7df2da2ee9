import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const service = 'service.test'
const name = 'a.test'
const e = 'environment=production'
let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': `notify { "\${facts['kernel']} \${trusted['authenticated']} \${trusted['certname']}": }\n`,
  })
  repository.pin()
  const auth_conf = join(scratchFolder('requested'), 'auth.conf')
  writeFileSync(
    auth_conf,
    `authorization: { version: 1, rules: [
      { name: "v3", sort-order: 1, match-request: { path: "/puppet/v3", type: path }, allow: "*" },
      { name: "v4", sort-order: 1, match-request: { path: "/puppet/v4", type: path }, allow: "${service}" },
      { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: "${service}" } ] }`,
  )
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', storeconfigs: 'true', auth_conf })
})
afterAll(() => serving?.stop())

const headers = { 'content-type': 'application/json' }
const ask = async (more = {}, as = service) => {
  const asked = { certname: name, environment: 'production', persistence: { facts: false, catalog: false }, ...more }
  return serving.call('POST', '/puppet/v4/catalog', { as, headers, body: JSON.stringify(asked) })
}
const titles = async (more = {}): Promise<string[]> => {
  const { status, text } = await ask(more)
  if (status !== 200) return [text]
  const { resources } = JSON.parse(text).catalog as { resources: { type: string; title: string }[] }
  return resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)
}
const stored = async (path: string): Promise<unknown> =>
  JSON.parse((await serving.call('GET', `/pdb/query/v4/${path}`, { as: service })).text)
const trustedOf = async () => {
  const rows = (await stored(`nodes/${name}/facts/trusted`)) as { value: { authenticated: string } }[]
  return rows[0]?.value
}

describe('the catalog of any node, with a store', () => {
  it('takes the trusted facts that the node proved when it sent its facts', async () => {
    const body = JSON.stringify({ name, values: { kernel: 'Linux' } })
    const path = `/puppet/v3/facts/${name}?${e}`
    expect((await serving.call('PUT', path, { as: name, headers, body })).status).toBe(200)
    // At once from memory, and then from the store.
    expect(await titles()).toEqual([`Linux remote ${name}`])
    await expect.poll(trustedOf).toMatchObject({ authenticated: 'remote' })
    await expect.poll(titles).toEqual([`Linux remote ${name}`])
  })

  it('takes those that are given before those that are stored', async () => {
    expect(await titles({ trusted_facts: { values: { certname: 'told.test', authenticated: 'local' } } })).toEqual([
      'Linux local told.test',
    ])
    expect(await titles({ facts: { values: { kernel: 'Other' } } })).toEqual(['Other  '])
  })

  it('keeps stored trusted facts when facts are stored again, and the catalog', async () => {
    expect(await titles({ persistence: { facts: true, catalog: true } })).toEqual([`Linux remote ${name}`])
    const resources = `catalogs/${name}/resources`
    const kept = async () => {
      const rows = await stored(resources)
      return Array.isArray(rows) ? (rows as { title: string }[]).map(({ title }) => title) : rows
    }
    await expect.poll(kept).toContain(`Linux remote ${name}`)
    expect(await trustedOf()).toMatchObject({ authenticated: 'remote', certname: name })
  })

  it('is for nobody else', async () => {
    expect((await ask({}, name)).status).toBe(403)
  })
})

it('is for nobody at all by the default rules, for the node itself and an administrator neither', async () => {
  const closed = await serve({ code_repo: repository.bare })
  try {
    const body = JSON.stringify({
      ...{ certname: name, environment: 'production', persistence: { facts: false, catalog: false } },
    })
    for (const as of [name, 'admin.test'])
      expect((await closed.call('POST', '/puppet/v4/catalog', { as, headers, body })).status).toBe(403)
  } finally {
    await closed.stop()
  }
})
