import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shortenPaths } from '../../../src/server/pages/parts/code-location.ts'
import { findFirstError } from '../../../src/server/pages/report/first-error.ts'
import { type Site, startSite } from './site.ts'

const time = new Date().toISOString()

interface Run {
  readonly status?: string
  readonly noop?: boolean
  readonly logs?: readonly object[]
  readonly metrics?: readonly object[]
}

const report = (certname: string, { status = 'failed', noop = false, logs = [], metrics = [] }: Run) => ({
  name: 'store report' as const,
  version: 8,
  payload: {
    ...{ certname, environment: 'production', producer: 'a', producer_timestamp: time },
    ...{ puppet_version: '8', report_format: 12, configuration_version: '1', start_time: time, end_time: time },
    ...{ type: 'agent', corrective_change: false, noop, noop_pending: noop, status, transaction_uuid: null },
    ...{ catalog_uuid: null, code_id: null, job_id: null, cached_catalog_status: null, resources: [], metrics, logs },
  },
})

const line = (level: string, message: string, at = time) => ({
  ...{ level, source: 'Puppet', message, tags: [level], time: at, file: null, line: null },
})

const root = '/etc/plumb/code/environments/production'
const error = (node: string) =>
  `Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Evaluation Error: No role (file: ${root}/modules/m/manifests/init.pp, line: 3, column: 2) on node ${node}`
const later = new Date(Date.parse(time) + 1000).toISOString()
const failed = (node: string) =>
  report(node, {
    logs: [line('err', 'skipping run', later), line('info', 'Retrieving plugin'), line('err', error(node))],
  })
const metric = (name: string, value: number) => ({ category: 'resources', name, value })
const gone = {
  ...{ certname: 'gone.test', environment: 'production', producer: 'a', producer_timestamp: time, version: '1' },
  ...{ transaction_uuid: null, catalog_uuid: null, code_id: 'f'.repeat(40), job_id: null, edges: [], resources: [] },
}

let site: Site
beforeAll(async () => {
  site = await startSite({ nodes: 1, resources: 1, runs: 1 }, [
    failed('a.test'),
    failed('b.test'),
    report('noop.test', { status: 'unchanged', noop: true, metrics: [metric('total', 9), metric('out_of_sync', 2)] }),
    { name: 'replace catalog', version: 9, payload: { ...gone, certname: 'branch.test', environment: 'deleted' } },
    { name: 'replace catalog', version: 9, payload: gone },
    { name: 'deactivate node', version: 3, payload: { certname: 'gone.test', producer_timestamp: later } },
  ] as never)
})
afterAll(async () => {
  await site?.stop()
})

const get = async (path: string) => (await site.serving.call('GET', path, { as: 'admin.test' })).text
const reportOf = async (node: string) => {
  const q = encodeURIComponent(`reports[hash] { certname = "${node}" }`)
  const [{ hash }] = JSON.parse(await get(`/ui/query/rows.json?q=${q}`)) as [{ hash: string }]
  return get(`/ui/reports/${hash}`)
}

describe('runs that fail without a catalog', () => {
  it('are one line of the overview, with their reason and both nodes', async () => {
    const text = await get('/ui')
    const [, failures = '', culprits = ''] = text.split(/<h2 id="(?:failures|culprits)">/)
    const reason = 'Evaluation Error: No role (file: modules/m/manifests/init.pp, line: 3, column: 2) on node'
    expect(failures).toMatch(/a\.test<\/a>, <a [^>]+>b\.test<\/a>|b\.test<\/a>, <a [^>]+>a\.test<\/a>/)
    expect(failures.split(reason)).toHaveLength(2)
    expect(culprits).toContain(reason)
    expect(culprits).toContain('>2</a>')
  })

  it('show it above the log of their report', async () => {
    const text = await reportOf('a.test')
    const at = text.indexOf('First error')
    expect(at).toBeGreaterThan(0)
    expect(at).toBeLessThan(text.indexOf('id="events"'))
    expect(text.slice(at)).toContain('(file: modules/m/manifests/init.pp, line: 3, column: 2) on node a.test')
    expect(text).toContain('No resource changed: the run failed before.')
    expect(text).not.toContain('0 resources')
  })
})

describe('a noop run', () => {
  it('shows how many resources would change', async () => {
    const text = await reportOf('noop.test')
    expect(text).toMatch(/<strong>2<\/strong> would change/)
    expect(text).toMatch(/<strong>7<\/strong> in sync/)
  })
})

describe('what is gone', () => {
  it('is not counted: nodes that are deactivated, environments that are deleted', async () => {
    const text = await get('/ui/deploys')
    expect(text).not.toContain('ffffffffffff')
    expect(text).not.toContain('deleted')
    expect(await get('/ui/nodes/gone.test')).toMatch(/<h1>gone\.test <span class="tag">deactivated<\/span><\/h1>/)
  })
})

describe('a browser at the root', () => {
  it('is sent to the console, other clients are refused', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const browser = await site.serving.call('GET', '/', { headers })
    expect([browser.status, browser.headers.location]).toEqual([303, '/ui/'])
    expect((await site.serving.call('GET', '/', { headers: { accept: '*/*' } })).status).toBe(403)
  })
})

describe('the parts of these pages', () => {
  it('find the first error by its time', () => {
    expect(findFirstError([line('err', 'b', later), line('warning', 'c'), line('crit', 'a')])?.message).toBe('a')
    expect(findFirstError([line('notice', 'c')])).toBeUndefined()
  })

  it.each([
    [`in ${root}/a.pp, ${root}/b.pp:1`, 'in 1234567:a.pp, 1234567:b.pp:1'],
    [`(file: ${root}/modules/m/x.pp, line: 1)`, '(file: 1234567:modules/m/x.pp, line: 1)'],
    ['/etc/environments/other/a.pp', '/etc/environments/other/a.pp'],
  ])('shorten %s', (text, short) => {
    expect(shortenPaths(text, { codeId: '1234567890', environment: 'production' })).toBe(short)
  })
})
