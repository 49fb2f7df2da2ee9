import { expect } from 'vitest'
import { jsonType, type Row, type Section, sendsJson, textType } from './row.ts'

const e = 'environment=production'
const admin = 'admin.test'
const plainly = (row: string, request: string, status: number, type: string, answer: unknown, as = 'nobody'): Row => ({
  ...{ row, request, as, headers: {}, status, type, answer },
})
const service = {
  ...{ service_version: expect.any(String), service_status_version: 1, detail_level: 'info', state: 'running' },
  ...{ status: expect.any(Object), active_alerts: [] },
}
/** Jolokia: whatever is wrong, the status of the answer is 200. */
const bean = (row: string, path: string, answer: object): Row => ({
  ...{ row, request: `GET /metrics/v2/${path}`, as: admin, status: 200, answer: expect.objectContaining(answer) },
})
const may = (row: string, request: string, as: string, status: number, headers = {}): Row => ({
  ...{ row: `${row}: ${request} as ${as}`, request, as, status, headers: { accept: '*/*', ...headers } },
})
const query = (path: string, status: number, answer: unknown, headers = {}): Row => ({
  ...{ row: `GET ${path}`, request: `GET /pdb/query/v4${path}`, headers: { accept: 'application/json', ...headers } },
  ...{ status, answer },
})
const encode = encodeURIComponent
const facts = (certname: string) => ({
  ...{ certname, environment: 'production', producer: 'server.test', values: { kernel: 'Linux' } },
  producer_timestamp: '2026-11-20T06:00:00.000Z',
})
const command = (row: string, name: string, version: number, body: unknown, status: number, answer: unknown): Row => ({
  ...{ row, headers: sendsJson, status, answer, body: typeof body === 'string' ? body : JSON.stringify(body) },
  request: `POST /pdb/cmd/v1?command=${name}&version=${version}&certname=stored.test&producer-timestamp=2026-11-20T06:00:00.000Z&secondsToWaitForCompletion=60`,
})
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const entities = [
  ...['nodes', 'environments', 'producers', 'factsets', 'facts', 'fact-names', 'fact-paths', 'fact-contents'],
  ...['inventory', 'catalogs', 'edges', 'resources', 'reports', 'events', 'packages', 'package-inventory'],
  ...['catalog-inputs', 'catalog-input-contents'],
]
const admins = (row: string, body: object, status: number, answer: unknown): Row => ({
  ...{ row, request: 'POST /pdb/admin/v1/cmd', headers: sendsJson, body: JSON.stringify(body), status, answer },
})

/** Rules of each kind that docs/protocol.md 13 has. */
export const ruled = `authorization: { version: 1, rules: [
  { name: own, sort-order: 10, allow: "$1",
    match-request: { path: "^/puppet/v3/node/([^/]+)$", type: regex, method: [get, post] } }
  { name: denied, sort-order: 20, allow: "*", deny: b.test, match-request: { path: /puppet/v3/tasks, type: path } }
  { name: late, sort-order: 21, allow: "*", match-request: { path: /puppet/v3/tasks, type: path } }
  { name: query, allow: "*", sort-order: 500, match-request: { path: /puppet/v3/plans, type: path, query-params: { environment: [production] } } }
  { name: glob, allow: "*.site.test", sort-order: 500, match-request: { path: "/puppet/v3/environments", type: path } }
  { name: regex, allow: "/^a[.]/", sort-order: 500, match-request: { path: /puppet/v3/environment_modules, type: path } }
  { name: extension, sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } },
    match-request: { path: /puppet/v3/environment_classes, type: path } }
  { name: anybody, allow-unauthenticated: true, sort-order: 500, match-request: { path: /status, type: path } }
  { name: prefix, allow: "*", sort-order: 500, match-request: { path: /puppet/v3/file_metadata, type: path } } ] }`

/** Sections 13 to 16: who may, what is told about the server, plug-ins in one answer, and the store. */
export const operations: readonly Section[] = [
  {
    section: '13',
    server: 'byDefault',
    rows: [
      may('own catalog', `GET /puppet/v3/catalog/a.test?${e}`, 'a.test', 200),
      may('not that of others', `GET /puppet/v3/catalog/a.test?${e}`, 'b.test', 403),
      may('nor without a certificate', `GET /puppet/v3/catalog/a.test?${e}`, 'nobody', 403),
      may('own node', `GET /puppet/v3/node/b.test?${e}`, 'b.test', 200),
      may('not that of others', `GET /puppet/v3/node/a.test?${e}`, 'b.test', 403),
      may('not the report of others', `PUT /puppet/v3/report/a.test?${e}`, 'b.test', 403),
      may('not the facts of others', `PUT /puppet/v3/facts/a.test?${e}`, 'b.test', 403),
      may('environments', 'GET /puppet/v3/environments', 'b.test', 200),
      may('not without a certificate', 'GET /puppet/v3/environments', 'nobody', 403),
      may('files', `GET /puppet/v3/file_content/modules/demo/a.txt?${e}`, 'b.test', 200),
      may('not without a certificate', `GET /puppet/v3/file_content/modules/demo/a.txt?${e}`, 'nobody', 403),
      may('metadata', `GET /puppet/v3/file_metadata/modules/demo/a.txt?${e}`, 'b.test', 200),
      may('of several, by the same rule', `GET /puppet/v3/file_metadatas/modules/demo?${e}`, 'b.test', 200),
      may('tasks', `GET /puppet/v3/tasks?${e}`, 'b.test', 200),
      may(
        'static files',
        `GET /puppet/v3/static_file_content/modules/demo/files/a.txt?${e}&code_id=CODE_ID`,
        'b.test',
        200,
      ),
      may('what no rule is for', `GET /puppet/v3/plans?${e}`, admin, 403),
      may('nor for administrators', 'GET /nothing', admin, 403),
    ],
  },
  {
    section: '13',
    server: 'ruled',
    rows: [
      may('$1 is what a regex matched', `GET /puppet/v3/node/a.test?${e}`, 'a.test', 200),
      may('$1 is what a regex matched', `GET /puppet/v3/node/a.test?${e}`, 'b.test', 403),
      may('a list of methods', `DELETE /puppet/v3/node/a.test?${e}`, 'a.test', 403),
      may('deny is checked before allow', `GET /puppet/v3/tasks?${e}`, 'b.test', 403),
      may('deny is checked before allow', `GET /puppet/v3/tasks?${e}`, 'a.test', 200),
      may('the first rule that matches decides', `GET /puppet/v3/tasks/demo/hi?${e}`, 'b.test', 403),
      may('query-params', `GET /puppet/v3/plans?${e}`, 'a.test', 200),
      may('query-params', 'GET /puppet/v3/plans?environment=broken', 'a.test', 403),
      may('a glob', 'GET /puppet/v3/environments', 'a.site.test', 200),
      may('a glob', 'GET /puppet/v3/environments', 'a.test', 403),
      may('a regex of names', 'GET /puppet/v3/environment_modules', 'a.test', 200),
      may('a regex of names', 'GET /puppet/v3/environment_modules', 'b.test', 403),
      may('extensions', `GET /puppet/v3/environment_classes?${e}`, admin, 200),
      may('extensions', `GET /puppet/v3/environment_classes?${e}`, 'a.test', 403),
      may('allow-unauthenticated', 'GET /status/v1/simple', 'nobody', 200),
      may('a path is a textual prefix', `GET /puppet/v3/file_metadatas/plugins?${e}`, 'a.test', 200),
      may('no rule', `GET /puppet/v3/file_content/modules/demo/a.txt?${e}`, 'a.test', 403),
    ],
  },
  {
    section: '14',
    server: 'byDefault',
    rows: [
      plainly('the status in a word', 'GET /status/v1/simple', 200, textType, 'running'),
      ...['server', 'master', 'ca'].map((name) =>
        plainly(`that of ${name}`, `GET /status/v1/simple/${name}`, 200, textType, 'running'),
      ),
      plainly('an unknown service', 'GET /status/v1/simple/nope', 404, textType, 'not found: nope'),
      {
        row: 'services',
        ...{ request: 'GET /status/v1/services', as: 'nobody', status: 200 },
        answer: expect.objectContaining({ server: service, master: service, ca: service }),
      },
      ...['critical', 'info', 'debug'].map((level) => ({
        ...{
          row: `level=${level}`,
          request: `GET /status/v1/services/server?level=${level}`,
          as: 'nobody',
          status: 200,
        },
        answer: { ...service, detail_level: level },
      })),
      {
        row: 'a level that is none',
        ...{ request: 'GET /status/v1/services?level=zz', as: 'nobody', status: 400 },
        answer: { kind: 'data-invalid', msg: 'Invalid level: :zz' },
      },
      {
        row: 'a service that is none',
        ...{ request: 'GET /status/v1/services/nope', as: 'nobody', status: 404 },
        answer: { kind: 'service-not-found', msg: 'No status information found for service nope' },
      },
      ...(
        [
          ['server', ['experimental', 'http-metrics']],
          ['server', ['experimental', 'http-client-metrics']],
          ['jruby-metrics', ['experimental', 'metrics', 'num-jrubies']],
          ['jruby-metrics', ['experimental', 'metrics', 'num-free-jrubies']],
          ['jruby-metrics', ['experimental', 'metrics', 'borrow-timers']],
          ['jruby-metrics', ['experimental', 'metrics', 'queue-limit-hit-count']],
          ['puppet-profiler', ['experimental', 'function-metrics']],
          ['puppet-profiler', ['experimental', 'resource-metrics']],
          ['puppet-profiler', ['experimental', 'catalog-metrics']],
          ['puppet-profiler', ['experimental', 'puppetdb-metrics']],
          ['puppet-profiler', ['experimental', 'inline-metrics']],
          ['status-service', ['experimental', 'jvm-metrics', 'heap-memory']],
          ['status-service', ['experimental', 'jvm-metrics', 'up-time-ms']],
        ] as const
      ).map(([name, keys]) => ({
        row: `debug of ${name} has ${keys.join('.')}`,
        ...{
          request: `GET /status/v1/services/${name}?level=debug`,
          as: admin,
          status: 200,
          answer: expect.anything(),
        },
        part: ({ status }: { status: unknown }) =>
          keys.reduce<unknown>((data, key) => (data as Record<string, unknown> | undefined)?.[key], status),
      })),
      bean('Jolokia', '', { status: 200, request: { type: 'version' } }),
      bean('version', 'version', { status: 200, value: expect.objectContaining({ protocol: '7.2' }) }),
      bean('list', 'list', { status: 200, value: expect.objectContaining({ puppetserver: expect.anything() }) }),
      bean('list of a domain', 'list/java.lang', { status: 200 }),
      bean('read', 'read/java.lang:type=Runtime/Uptime', { status: 200, value: expect.any(Number) }),
      bean('search', 'search/java.lang:*', { status: 200, value: expect.arrayContaining(['java.lang:type=Runtime']) }),
      bean('an unknown MBean: status 200, and 404 in it', 'read/no:name=x', {
        status: 404,
        error_type: 'javax.management.InstanceNotFoundException',
        error: 'javax.management.InstanceNotFoundException : no:name=x',
      }),
      may('Jolokia is not for nodes', 'GET /metrics/v2', 'a.test', 403),
      ...['DELETE environment-cache', 'DELETE jruby-pool', 'GET jruby-pool/thread-dump'].map((request) =>
        may('denied by default', request.replace(' ', ' /puppet-admin-api/v1/'), admin, 403),
      ),
    ],
  },
  {
    section: '14',
    server: 'open',
    rows: [
      may('admin', 'DELETE /puppet-admin-api/v1/environment-cache', admin, 204),
      may('of one environment', 'DELETE /puppet-admin-api/v1/environment-cache?environment=production', admin, 204),
      may('of an unknown one', 'DELETE /puppet-admin-api/v1/environment-cache?environment=nope', admin, 204),
      may('admin', 'DELETE /puppet-admin-api/v1/jruby-pool', admin, 204),
      {
        row: 'the dump of threads is JSON',
        ...{ request: 'GET /puppet-admin-api/v1/jruby-pool/thread-dump', status: 200, type: jsonType },
        answer: expect.any(Object),
      },
      ...['environment-cache', 'jruby-pool'].map((path) => ({
        row: `another method: ${path}`,
        ...{ request: `GET /puppet-admin-api/v1/${path}`, status: 405, type: textType, has: { allow: 'DELETE' } },
        answer: 'Method not allowed.',
      })),
    ],
  },
  {
    section: '15',
    server: 'byDefault',
    rows: [
      {
        row: 'all plug-ins of an environment, with the commit and an ETag',
        request: 'GET /plumb/v1/plugins/production',
        ...{ headers: { accept: '*/*' }, status: 200, type: 'application/octet-stream' },
        has: {
          'x-plumb-code-id': expect.stringMatching(/^[0-9a-f]{40}$/),
          etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
        },
        answer: expect.stringContaining('"mount":"plugins"'),
      },
      {
        row: 'with its ETag: 304, and the commit',
        request: 'GET /plumb/v1/plugins/production',
        ...{ headers: { accept: '*/*' }, revalidates: '', status: 304, answer: '' },
        has: { 'x-plumb-code-id': expect.stringMatching(/^[0-9a-f]{40}$/) },
      },
      may('not without a certificate', 'GET /plumb/v1/plugins/production', 'nobody', 403),
      {
        row: 'of an environment that is not there',
        ...{ request: 'GET /plumb/v1/plugins/nope', status: 404, type: 'none' },
        answer: "Could not find environment 'nope'",
      },
    ],
  },
  {
    section: '16.1',
    server: 'open',
    rows: [
      command('a command that is waited for', 'replace_facts', 5, facts('stored.test'), 200, {
        ...{ uuid, processed: true, timed_out: false },
      }),
      command(
        'spaces of its name as _',
        'replace facts'.replace(' ', '_'),
        5,
        facts('stored.test'),
        200,
        expect.anything(),
      ),
      {
        row: 'a command that is not waited for: its UUID',
        request:
          'POST /pdb/cmd/v1?command=replace_facts&version=5&certname=stored.test&producer-timestamp=2026-11-20T06:00:00.000Z',
        ...{ headers: sendsJson, body: JSON.stringify(facts('stored.test')), status: 200, answer: { uuid } },
      },
      command('a command that is none', 'no_command', 1, {}, 400, { error: expect.any(String) }),
      command('a version that is none is discarded', 'replace_facts', 99, facts('stored.test'), 200, {
        ...{ uuid, processed: true, timed_out: false },
        ...{ error: 'Unsupported command replace facts version 99', exception: expect.any(String) },
      }),
      command('no version', 'replace_facts', 0, facts('stored.test'), 400, { error: expect.any(String) }),
    ],
  },
  {
    section: '16.2',
    server: 'open',
    rows: [
      ...entities.map((name) => query(`/${name}`, 200, expect.any(Array))),
      query('/nodes/stored.test', 200, expect.objectContaining({ certname: 'stored.test' })),
      query('/nodes/stored.test/facts', 200, expect.arrayContaining([expect.objectContaining({ name: 'kernel' })])),
      query('/nodes/stored.test/facts/kernel', 200, [expect.objectContaining({ value: 'Linux' })]),
      query('/facts/kernel/Linux', 200, expect.arrayContaining([expect.objectContaining({ certname: 'stored.test' })])),
      query('/nodes/nobody.test', 404, { error: 'No information is known about node nobody.test' }),
      query('/environments/nothing', 404, { error: 'No information is known about environment nothing' }),
      query(`?query=${encode('nodes[certname] { certname = "stored.test" }')}`, 200, [{ certname: 'stored.test' }]),
      query(`?query=${encode('["from","nodes",["extract","certname",["=","certname","stored.test"]]]')}`, 200, [
        { certname: 'stored.test' },
      ]),
      {
        ...query('/facts?include_total=true&limit=1', 200, expect.any(Array)),
        has: { 'x-records': expect.stringMatching(/^\d+$/) },
      },
      query(`/nodes?query=${encode('["=","nothing",1]')}`, 400, expect.any(String)),
      query(`/nodes?query=${encode('["=",')}`, 400, expect.any(String)),
      query('/event-counts', 400, expect.any(String)),
      query(
        `/event-counts?summarize_by=certname&query=${encode('["=","certname","stored.test"]')}`,
        200,
        expect.any(Array),
      ),
      query(
        `/aggregate-event-counts?summarize_by=certname&query=${encode('["=","certname","stored.test"]')}`,
        200,
        expect.anything(),
      ),
      query('/nodes', 406, 'must accept application/json', { accept: 'text/plain' }),
      {
        row: 'POST',
        ...{ request: 'POST /pdb/query/v4/nodes', headers: sendsJson, status: 200 },
        ...{ body: JSON.stringify({ query: ['=', 'certname', 'stored.test'] }), answer: [expect.any(Object)] },
      },
    ],
  },
  {
    section: '16.3',
    server: 'open',
    rows: [
      admins('clean', { command: 'clean', version: 1, payload: ['expire_nodes'] }, 200, { ok: true }),
      admins('delete', { command: 'delete', version: 1, payload: { certname: 'stored.test' } }, 200, {
        deleted: 'stored.test',
      }),
      admins('a command that is none', { command: 'x', version: 1, payload: [] }, 400, { error: expect.any(String) }),
      ...(
        [
          ['/pdb/meta/v1/version', { version: expect.any(String) }],
          ['/pdb/meta/v1/version/latest', expect.objectContaining({ version: expect.any(String) })],
          ['/pdb/meta/v1/server-time', { server_time: expect.any(String) }],
          ['/pdb/admin/v1/summary-stats', expect.any(Object)],
        ] as const
      ).map(([path, answer]) => ({ ...{ row: path, request: `GET ${path}`, status: 200, answer } })),
      {
        row: 'the archive is a tar in gzip',
        ...{ request: 'GET /pdb/admin/v1/archive', headers: { accept: '*/*' }, status: 200 },
        answer: expect.stringMatching(/^\u001f/),
      },
      {
        row: 'the status of the store',
        ...{ request: 'GET /status/v1/services/puppetdb-status', status: 200 },
        answer: expect.objectContaining({ state: 'running', service_name: 'puppetdb-status' }),
      },
    ],
  },
]
