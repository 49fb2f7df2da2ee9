import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { runHealthChecks } from '../../../src/deploy/rollout/health-checks.ts'
import { parseRolloutPlan } from '../../../src/deploy/rollout/rollout-file.ts'
import { type HttpsServer, httpsServer, identities } from '../../store/puppetdb/https-server.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('health-checks')
const localcacert = join(folder, 'ca.pem')
let server: Server
let secure: HttpsServer
let port: number
const requests: string[] = []

/** Responses of Prometheus 2.42 by query; other paths are statuses. */
const answers: Readonly<Record<string, unknown>> = {
  errors: {
    status: 'success',
    data: {
      resultType: 'vector',
      result: [
        { metric: { job: 'a' }, value: [1_764_000_000.123, '0.25'] },
        { metric: { job: 'b' }, value: [1_764_000_000.123, '7.5'] },
      ],
    },
  },
  'scalar(2)': { status: 'success', data: { resultType: 'scalar', result: [1_764_000_000.123, '2'] } },
  '1/0': { status: 'success', data: { resultType: 'scalar', result: [1_764_000_000.123, '+Inf'] } },
  '0/0': { status: 'success', data: { resultType: 'scalar', result: [1_764_000_000.123, 'NaN'] } },
  none: { status: 'success', data: { resultType: 'vector', result: [] } },
  'up[5m]': { status: 'success', data: { resultType: 'matrix', result: [{ metric: {}, values: [[1, '1']] }] } },
  'sum(': { status: 'error', errorType: 'bad_data', error: 'invalid parameter "query": 1:5: parse error: unclosed' },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://host')
    requests.push(request.url!)
    const query = url.searchParams.get('query')
    if (url.pathname.endsWith('/api/v1/query') && query === 'html') response.end('<html>')
    else if (url.pathname.endsWith('/api/v1/query')) {
      const answer = answers[query!]
      response.statusCode = query === 'sum(' ? 400 : 200
      response.end(JSON.stringify(answer))
    } else if (url.pathname === '/silent') return
    else if (url.pathname === '/large') response.end('x'.repeat(budgets.rollout.checkBody.bound + 1))
    else if (url.pathname === '/elsewhere') response.writeHead(302, { location: `http://other.test:${port}/` }).end()
    else response.writeHead(Number(url.pathname.slice(1))).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
  const { server: tls } = await identities()
  writeFileSync(localcacert, tls.ca)
  secure = await httpsServer(tls, (response) => response.end('fine'))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await secure.stop()
})

async function check(halt: string, hosts: readonly string[] = [`127.0.0.1:${port}`], timeMs?: number) {
  const plan = parseRolloutPlan(`waves: [ { name: all } ]\nhalt: { ${halt} }`, 'rollout.yaml')
  return runHealthChecks(plan.halt, { rollout_hosts: hosts, localcacert }, timeMs)
}

const metric = (query: string, bound: string, path = '') =>
  `metrics: [ { url: 'http://127.0.0.1:${port}${path}', query: '${query}', ${bound} } ]`
const page = (path: string, status = 200) => `http: [ { url: 'http://127.0.0.1:${port}/${path}', status: ${status} } ]`

describe('a Prometheus check', () => {
  it.each([
    ['errors', 'above: 5', { ok: false, value: 7.5 }],
    ['errors', 'above: 10', { ok: true, value: 0.25 }],
    ['errors', 'below: 0.5', { ok: false, value: 0.25 }],
    ['errors', 'below: 0.1, above: 7.4', { ok: false, value: 7.5 }],
    ['scalar(2)', 'above: 2', { ok: true, value: 2 }],
    ['scalar(2)', 'above: 1.9', { ok: false, value: 2 }],
    ['1/0', 'above: 5', { ok: false, value: Number.POSITIVE_INFINITY }],
    ['0/0', 'above: 5', { ok: undefined, problem: 'The query returned no value' }],
    ['none', 'above: 5', { ok: undefined, problem: 'The query returned no value' }],
    ['up[5m]', 'above: 5', { ok: undefined, problem: 'The query must return an instant vector or a scalar' }],
    ['html', 'above: 5', { ok: undefined, problem: 'The response with status 200 is not an answer of Prometheus' }],
    [
      'sum(',
      'above: 5',
      {
        ok: undefined,
        problem: 'Prometheus returned status 400: invalid parameter "query": 1:5: parse error: unclosed',
      },
    ],
  ])('%s %s', async (query, bound, expected) => {
    expect(await check(metric(query, bound))).toMatchObject([expected])
  })

  it('describes itself, and keeps the path of the server', async () => {
    requests.length = 0
    expect(await check(metric('errors', 'above: 5, below: 1', '/prometheus/'))).toMatchObject([
      { check: 'errors is not above 5 or below 1' },
    ])
    expect(requests).toEqual(['/prometheus/api/v1/query?query=errors'])
  })
})

describe('an HTTP check', () => {
  it.each([
    ['200', 200, { ok: true, status: 200 }],
    ['503', 200, { ok: false, status: 503 }],
    ['404', 404, { ok: true, status: 404 }],
    ['large', 200, { ok: undefined, problem: 'the response exceeds 262144 bytes' }],
  ])('of /%s for %s', async (path, status, expected) => {
    expect(await check(page(path, status))).toMatchObject([expected])
  })

  it('does not follow redirects', async () => {
    requests.length = 0
    expect(await check(page('elsewhere'))).toMatchObject([{ ok: false, status: 302 }])
    expect(requests).toEqual(['/elsewhere'])
  })

  it('has no result after its time', async () => {
    expect(await check(page('silent'), undefined, 50)).toMatchObject([
      { ok: undefined, problem: 'no response within 0.05 seconds' },
    ])
  })

  it('has no result if nobody listens', async () => {
    expect(await check("http: [ { url: 'http://127.0.0.1:1/' } ]", ['127.0.0.1:1'])).toMatchObject([
      { check: 'http://127.0.0.1:1/ returns 200', ok: undefined, problem: 'Connection refused' },
    ])
  })

  it('trusts the CA of the server', async () => {
    const { port: securePort } = new URL(secure.url)
    const ask = (host: string) => check(`http: [ { url: 'https://${host}:${securePort}/' } ]`, [`*:${securePort}`])
    expect(await ask('localhost')).toMatchObject([{ ok: true, status: 200 }])
    expect(await ask('127.0.0.1')).toMatchObject([{ ok: undefined, problem: expect.stringContaining('altnames') }])
  })
})

describe('the hosts of checks', () => {
  it.each<[string, readonly string[]]>([
    ['none', []],
    ['another port', ['127.0.0.1:1']],
    ['the default port', ['127.0.0.1']],
    ['another host', ['*.example.com']],
  ])('%s: no request is sent', async (_, hosts) => {
    requests.length = 0
    const problem = `The setting rollout_hosts does not allow 127.0.0.1:${port}`
    expect(await check(`${page('200')}, ${metric('errors', 'above: 1')}`, hosts)).toMatchObject([
      { ok: undefined, problem },
      { ok: undefined, problem },
    ])
    expect(requests).toEqual([])
  })
})
