import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { without } from '../support/needs.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const minute = 60_000
const missing = without('PostgreSQL')
const tool = 'tool.test'
const running: { postgres?: Awaited<ReturnType<typeof startPostgres>>; serving?: Serving } = {}

afterAll(async () => {
  await running.serving?.stop()
  await running.postgres?.stop()
})

/** The answer to a node that sends its facts and asks for its catalog. */
async function catalog(node: string) {
  const facts = encodeURIComponent(JSON.stringify({ name: node, values: { kernel: 'Linux', own: node } }))
  const body = new URLSearchParams({ environment: 'production', facts_format: 'application/json', facts }).toString()
  const headers = { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' }
  return running.serving!.call('POST', `/puppet/v3/catalog/${node}`, { as: node, headers, body })
}

async function statusOf(service: string): Promise<Record<string, unknown>> {
  const { text } = await running.serving!.call('GET', `/status/v1/services/${service}`)
  return JSON.parse(text)
}

async function rows(query: string): Promise<unknown> {
  const path = `/pdb/query/v4?query=${encodeURIComponent(query)}`
  const { status, text } = await running.serving!.call('GET', path, { as: tool })
  return status === 200 ? JSON.parse(text) : status
}

test.skipIf(missing)(
  `a server whose PostgreSQL is away starts, serves, and stores all once it is there${missing}`,
  { timeout: 3 * minute },
  async () => {
    const postgres = await startPostgres(scratchFolder('away-postgresql'))
    running.postgres = postgres
    postgres.psql('postgres', 'create database store')
    await postgres.stop()

    const folder = scratchFolder('away')
    const [server_datadir, auth_conf] = [join(folder, 'data'), join(folder, 'auth.conf')]
    mkdirSync(join(server_datadir, 'facts'), { recursive: true })
    writeFileSync(join(server_datadir, 'facts/old.test.json'), '{"name":"old.test","values":{"own":"old.test"}}')
    writeFileSync(
      auth_conf,
      `authorization: { version: 1, rules: [
        { name: "puppet", sort-order: 1, match-request: { path: "/puppet", type: path }, allow: "*" },
        { name: "status", sort-order: 1, match-request: { path: "/status", type: path }, allow-unauthenticated: true },
        { name: "store", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["${tool}"] } ] }`,
    )
    const site = `
      node /^collects/ { Notify <<| |>> }
      node default { @@notify { "from \${trusted['certname']}": } }`
    const serving = await serve({
      code_repo: controlRepository({ 'manifests/site.pp': site }).bare,
      ...{ store: postgres.url('store'), storeconfigs: 'true', auth_conf, server_datadir },
    })
    running.serving = serving
    expect(serving.log.join('\n')).toMatch(/is unavailable; retrying: connect ECONNREFUSED/)

    expect(await catalog('web1.test')).toMatchObject({ status: 200 })
    const collects = await catalog('collects.test')
    expect(Number(collects.headers['retry-after'])).toBeGreaterThan(0)
    expect([collects.status, collects.text]).toEqual([
      503,
      expect.stringMatching(/Could not retrieve exported resources from the store: connect ECONNREFUSED/),
    ])
    expect(await rows('nodes{}')).toBe(500)
    // Facts of a file, of two nodes, and a catalog; one that is just being added may be counted twice for a moment.
    await expect
      .poll(() => statusOf('puppetdb-status'))
      .toMatchObject({ state: 'error', status: { queue_depth: 4, 'write_db_up?': false } })
    const server = await statusOf('server')
    expect(server).toMatchObject({ state: 'running', active_alerts: [{ severity: 'warning' }] })
    expect(JSON.stringify(server)).not.toContain('ECONNREFUSED')

    await postgres.restart()
    const known = () => rows('facts[certname, value]{ name = "own" order by certname }')
    const expected = ['collects.test', 'old.test', 'web1.test'].map((name) => ({ certname: name, value: name }))
    await expect.poll(known, { interval: 500 }).toEqual(expected)
    await expect.poll(async () => (await catalog('collects.test')).text).toContain('from web1.test')
    await expect
      .poll(() => statusOf('puppetdb-status'))
      .toMatchObject({ state: 'running', status: { queue_depth: 0, 'write_db_up?': true } })
    expect(await statusOf('server')).toMatchObject({ active_alerts: [] })
    expect(serving.log.join('\n')).toContain(
      'The database of the store is available again; storing the waiting commands',
    )

    // The files go with the next start.
    expect(readdirSync(join(server_datadir, 'facts'))).toEqual(['old.test.json'])
    await serving.stop()
    running.serving = await serve({
      code_repo: controlRepository({ 'manifests/site.pp': site }).bare,
      ...{ store: postgres.url('store'), storeconfigs: 'true', auth_conf, server_datadir },
    })
    expect(existsSync(join(server_datadir, 'facts/old.test.json'))).toBe(false)
  },
)

test.skipIf(missing)(`a server that its PostgreSQL refuses does not start${missing}`, { timeout: minute }, async () => {
  const url = running.postgres!.url('no_such_database')
  await expect(serve({ code_repo: controlRepository({}).bare, store: url })).rejects.toMatchObject({
    diagnostic: { code: 'STORE_UNAVAILABLE', message: expect.stringMatching(/no_such_database/) },
  })
})
