import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../src/server/auth/token-file.ts'
import type { TokenScope } from '../../src/server/auth/token-scopes.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving
let plain: number

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp':
      "node 'bad.test' { fail('no') }\nnode default { notify { 'a': message => inline_template('<%= 1 %>') } }\n",
  })
  plain = await freePort()
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', metrics_plain_port: String(plain) })
})
afterAll(async () => {
  await serving?.stop()
})

const scrape = async () => (await serving.call('GET', '/metrics', { as: 'admin' })).text
const token = (scope: TokenScope) =>
  addToken(
    getTokenPaths(serving.settings).tokens,
    { name: scope, description: '', scopes: [scope], expires: undefined },
    localSystem.files,
    Date.now(),
  )
function catalog(as: string) {
  const facts = encodeURIComponent(
    JSON.stringify({ name: as, values: {}, timestamp: '2026-11-23', expiration: '2027-11-23' }),
  )
  const form = { facts_format: 'application/json', facts, environment: 'production' }
  const headers = { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  return serving.call('POST', `/puppet/v3/catalog/${as}?environment=production`, { as, headers, body })
}

/** Samples by name and labels. */
function samples(text: string): ReadonlyMap<string, number> {
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(rows.map((row) => [row.slice(0, row.lastIndexOf(' ')), Number(row.slice(row.lastIndexOf(' ') + 1))]))
}

describe('GET /metrics', () => {
  it.each<[string, () => Promise<{ as?: string; headers?: Record<string, string> }>, number]>([
    ['a stranger', async () => ({}), 403],
    ['a node', async () => ({ as: 'a.test' }), 403],
    ['a token that asks the store', async () => ({ headers: { 'x-authentication': await token('query') } }), 403],
    ['a token for figures', async () => ({ headers: { authorization: `Bearer ${await token('metrics')}` } }), 200],
    ['an administrator', async () => ({ as: 'admin' }), 200],
  ])('%s is answered as the rules say', async (_, who, status) => {
    expect((await serving.call('GET', '/metrics', await who())).status).toBe(status)
  })

  it('is the text format of Prometheus: each figure with help and type, each line in its form', async () => {
    const { headers, text } = await serving.call('GET', '/metrics', { as: 'admin' })
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = text.split('\n').filter((line) => line !== '')
    const form =
      /^(?:# (?:HELP|TYPE) [a-z_]+ \S.*|[a-z_]+(?:\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? -?[0-9.e+-]+)$/
    expect(lines.filter((line) => !form.test(line))).toEqual([])
    const typed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const named = [...samples(text).keys()].map((each) => each.replace(/\{.*/, ''))
    const family = (name: string) => [name, name.replace(/_(?:bucket|sum|count)$/, '')]
    expect(named.filter((name) => !family(name).some((each) => typed.has(each)))).toEqual([])
  })

  it('counts catalogs by their outcome, and what they took', async () => {
    const before = samples(await scrape())
    expect(
      [await catalog('a.test'), await catalog('a.test'), await catalog('bad.test')].map(({ status }) => status),
    ).toEqual([200, 200, 500])
    const after = samples(await scrape())
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    for (const result of ['compiled', 'recalled', 'failed'])
      expect([result, grown(`plumb_catalogs_total{environment="production",result="${result}"}`)]).toEqual([result, 1])
    expect(grown('plumb_compile_duration_seconds_count{environment="production"}')).toBe(1)
    expect(grown('plumb_compile_wait_seconds_count')).toBe(3)
    // The time of the phases is that of the one catalog that was compiled, and so is the number of calls.
    const phases = ['begin', 'evaluate', 'finish', 'write'].map((phase) =>
      grown(`plumb_compile_phase_seconds_total{phase="${phase}"}`),
    )
    for (const seconds of phases) expect(seconds).toBeGreaterThan(0)
    const all = phases.reduce((sum, seconds) => sum + seconds, 0)
    expect(all).toBeLessThanOrEqual(grown('plumb_compile_duration_seconds_sum{environment="production"}'))
    const calls = [...after.keys()].filter((name) => name.startsWith('plumb_ruby_calls_total') && grown(name) > 0)
    expect(calls).toEqual(['plumb_ruby_calls_total{result="recorded"}'])
    expect(grown('plumb_ruby_calls_total{result="recorded"}')).toBe(1)
    expect(grown('plumb_http_requests_total{method="POST",route="/puppet/v3/catalog/*",status="200"}')).toBe(2)
    expect(grown('plumb_http_requests_total{method="POST",route="/puppet/v3/catalog/*",status="500"}')).toBe(1)
    expect(grown('plumb_http_request_duration_seconds_count{route="/puppet/v3/catalog/*"}')).toBe(3)
  })

  it('names what is served, and counts deploys and refusals', async () => {
    const commit = repository.push({ 'data/x.yaml': '' })
    await serving.server.reload()
    const served = samples(await scrape())
    expect(served.get(`plumb_environment_info{environment="production",code_id="${commit}"}`)).toBe(1)
    repository.push({ 'manifests/broken.pp': 'class {' })
    await serving.server.reload().catch(() => {})
    const refused = samples(await scrape())
    expect(refused.get(`plumb_environment_info{environment="production",code_id="${commit}"}`)).toBe(1)
    const grown = (result: string) =>
      refused.get(`plumb_deploys_total{result="${result}"}`)! - served.get(`plumb_deploys_total{result="${result}"}`)!
    expect([grown('served'), grown('refused'), refused.get('plumb_environments{state="refused"}')]).toEqual([0, 1, 1])
    repository.git('revert', '--no-edit', 'HEAD')
    repository.git('push', '--quiet', 'origin', 'production')
    await serving.server.reload()
  })

  it('forgets the figures of an environment that is gone', async () => {
    repository.push({ 'manifests/site.pp': '' }, 'short')
    await serving.server.reload()
    const asked = { as: 'a.test', headers: { accept: 'application/json' } }
    expect((await serving.call('GET', '/puppet/v3/catalog/a.test?environment=short', asked)).status).toBe(200)
    expect(await scrape()).toContain('environment="short"')
    repository.git('push', '--quiet', 'origin', '--delete', 'short')
    await serving.server.reload()
    expect(await scrape()).not.toContain('environment="short"')
  })

  it('has no label that a client chose, whatever it asks for', async () => {
    for (let number = 0; number < 30; number++)
      await serving.call(number % 2 ? 'GET' : 'PROPFIND', `/chosen-${number}`, { as: 'chosen.test' })
    await serving.call('GET', '/puppet/v3/file_content/modules/chosen-module/x?environment=chosen', {
      as: 'chosen.test',
    })
    const text = await scrape()
    expect(text).not.toContain('chosen')
    expect(samples(text).get('plumb_http_requests_total{method="other",route="none",status="403"}')).toBe(15)
  })

  it('tells when certificates and revocation lists end', async () => {
    const found = samples(await scrape())
    const days = (of: string) => [...found].find(([name]) => name.startsWith(`plumb_days_left{of="${of}"`))?.[1]
    for (const of of ['server', 'authority', 'catalog_signer', 'revocation_list']) {
      expect([of, days(of)! > 20]).toEqual([of, true])
      expect([of, days(of)! < 5 * 366]).toEqual([of, true])
    }
  })

  it('has figures of the process, the pool and the store', async () => {
    const found = samples(await scrape())
    expect(found.get('plumb_compile_workers')).toBe(2)
    expect(found.get('plumb_store_stuck')).toBe(0)
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'process_open_fds',
      'nodejs_heap_size_used_bytes',
    ])
      expect([name, found.get(name)! > 0]).toEqual([name, true])
    expect([...found.keys()].filter((name) => name.startsWith('plumb_event_loop_delay_seconds'))).toHaveLength(3)
  })
})

describe('metrics_plain_port', () => {
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number | undefined; text: string }>((done, failed) => {
      const options = { host: '127.0.0.1', port: plain, path, method, headers }
      get(options, async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        done({ status: answer.statusCode, text })
      }).on('error', failed)
    })

  it.each<[string, string, Record<string, string>, string, number]>([
    ['the figures', '/metrics', {}, 'GET', 200],
    ['anything else', '/status/v1/services', {}, 'GET', 403],
    ['the store', '/metrics/v2', {}, 'GET', 403],
    ['another method', '/metrics', {}, 'POST', 403],
    ['a browser whose DNS was rebound', '/metrics', { host: 'evil.test' }, 'GET', 403],
    ['a page of elsewhere', '/metrics', { origin: 'https://evil.test' }, 'GET', 403],
  ])('answers as it should: %s', async (_, path, headers, method, status) => {
    expect((await ask(path, headers, method)).status).toBe(status)
  })
})
