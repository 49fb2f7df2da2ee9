// The paths below an entity, and ways to ask.
import { get, post } from './request.js'

/** @returns {import('./request.js').Question[]} */
export function routeQuestions() {
  return [...nodeRoutes(), ...environmentRoutes(), ...otherRoutes(), ...posts(), ...wrongRoutes()]
}

const certnames = [
  'web01.example.com',
  'facts-only.example.com',
  'catalog-only.example.com',
  'report-only.example.com',
  'gone.example.com',
  'expired.example.com',
  'nobody',
]

function nodeRoutes() {
  return certnames.flatMap((name) => [
    get(`/nodes/${name}`),
    get(`/nodes/${name}/facts`),
    get(`/nodes/${name}/facts/kernel`),
    get(`/nodes/${name}/facts/kernel/Linux`),
    get(`/nodes/${name}/facts/processorcount/1`),
    get(`/nodes/${name}/facts/nothing`),
    get(`/nodes/${name}/resources`),
    get(`/nodes/${name}/resources/File`),
    get(`/nodes/${name}/resources/File/${encodeURIComponent('/etc/motd')}`),
    get(`/nodes/${name}/resources/Class`, { query: ['~', 'title', 'Apache|Base'] }),
    get(`/factsets/${name}`),
    get(`/factsets/${name}/facts`),
    get(`/catalogs/${name}`),
    get(`/catalogs/${name}/edges`),
    get(`/catalogs/${name}/resources`),
    get(`/catalogs/${name}/resources/Service`),
    get(`/catalogs/${name}/resources/Service/ntp`),
    get(`/package-inventory/${name}`),
  ])
}

function environmentRoutes() {
  return [
    ...['production', 'staging', 'legacy', 'edge', 'retired', 'nowhere'].flatMap((name) => [
      get(`/environments/${name}`),
      get(`/environments/${name}/facts`, { query: ['=', 'name', 'kernel'] }),
      get(`/environments/${name}/facts/osfamily`),
      get(`/environments/${name}/facts/osfamily/Debian`),
      get(`/environments/${name}/resources`, { query: ['=', 'type', 'Class'] }),
      get(`/environments/${name}/resources/User`),
      get(`/environments/${name}/resources/User/alice`),
      get(`/environments/${name}/reports`, { query: ['=', 'status', 'failed'] }),
      get(`/environments/${name}/events`, { query: ['=', 'status', 'failure'] }),
      get(`/environments/${name}/events`, { query: ['=', 'latest_report?', true] }),
    ]),
    ...['puppet1.example.com', 'puppet0.example.com', 'nobody'].flatMap((name) => [
      get(`/producers/${name}`),
      get(`/producers/${name}/factsets`, { query: ['extract', ['certname'], ['~', 'certname', '']] }),
      get(`/producers/${name}/catalogs`, { query: ['extract', ['certname'], ['~', 'certname', '']] }),
      get(`/producers/${name}/reports`, { query: ['extract', ['certname', 'end_time'], ['~', 'certname', '']] }),
      get(`/producers/${name}/factsets`),
      get(`/producers/${name}/reports`),
    ]),
  ]
}

function otherRoutes() {
  const title = encodeURIComponent
  return [
    get('/facts/kernel'),
    get('/facts/kernel/Linux'),
    get('/facts/processorcount'),
    get('/facts/processorcount/3'),
    get('/facts/is_virtual/true'),
    get('/facts/osfamily', { query: ['=', 'value', 'Debian'] }),
    get('/facts/osfamily', {
      query: ['in', 'certname', ['extract', 'certname', ['select_nodes', ['=', 'latest_report_status', 'failed']]]],
    }),
    get(`/facts/${title('naïve name')}`),
    get(`/facts/${title('dotted.name')}`),
    get('/resources/File'),
    get('/resources/file'),
    get('/resources/Class/Apache'),
    get('/resources/Postgresql::Server::Db/app'),
    get('/resources/Apache::Vhost'),
    get(`/resources/File/${title('/etc/motd')}`),
    get('/resources/File//etc/motd'),
    get(`/resources/File/${title('/tmp/Grüße 世界')}`),
    get(`/resources/File/${title('C:\\ProgramData\\app')}`),
    get('/resources/File', { query: ['=', 'exported', false] }),
    get('/resources/User', { query: ['and', ['=', 'title', 'alice'], ['=', ['parameter', 'ensure'], 'present']] }),
  ]
}

function posts() {
  const query = ['=', 'certname', 'web01.example.com']
  return [
    post('/nodes', { query }),
    post('/nodes', { query: JSON.stringify(query) }),
    post('/nodes', {}),
    post('/nodes', { query: null }),
    post('/nodes', { query, order_by: [{ field: 'certname' }], limit: 1, offset: 0, include_total: true }, 'rows'),
    post('/nodes', { order_by: [{ field: 'certname', order: 'desc' }], limit: 3, include_total: 'true' }, 'rows'),
    post('/nodes', { order_by: '[{"field":"certname"}]' }),
    post('/nodes', { query, pretty: true }),
    post('/nodes', { query, unknown: 1 }),
    post('/nodes', { query, limit: '2' }),
    post('/nodes', { query, limit: 'x' }),
    post('/nodes', { query, limit: 0 }),
    post('/nodes', '{"query": ["=", "certname"'),
    post('/nodes', 'query=x'),
    post('/nodes', '[]'),
    post('/nodes', ''),
    post('', { query: 'nodes[certname] { certname ~ "web" }' }),
    post('', { query: ['from', 'nodes', ['extract', 'certname', ['~', 'certname', 'web']]] }),
    post('', { query: 'nodes[certname] { order by certname limit 3 }' }, 'rows'),
    post(
      '',
      { query: 'nodes[certname] { }', order_by: [{ field: 'certname' }], limit: 2, include_total: true },
      'rows',
    ),
    post('', { query: 'nodes { ', ast_only: true }),
    post('', { query: 'nodes[certname] { certname ~ "web" or certname ~ "db" }', ast_only: true }),
    post('', { query: ['from', 'nodes'], ast_only: 'true' }),
    post('', {}),
    post('/facts', { query: ['and', ['=', 'name', 'kernel'], query] }),
    post('/resources', { query: ['and', ['=', 'type', 'Class'], query] }),
    post('/events', {
      query,
      distinct_resources: true,
      distinct_start_time: '2026-11-20',
      distinct_end_time: '2026-11-22',
    }),
    post('/event-counts', { query, summarize_by: 'resource' }),
    post('/event-counts', {
      query,
      summarize_by: 'certname',
      counts_filter: ['>', 'successes', 0],
      count_by: 'certname',
    }),
    post('/aggregate-event-counts', { query, summarize_by: 'resource' }),
    post('/nodes/web01.example.com', {}),
    post('/reports', { query: ['=', 'certname', 'web01.example.com'], limit: 1 }, 'count'),
  ]
}

function wrongRoutes() {
  return [
    ...[
      '/nothing',
      '/node',
      '/facts/a/b/c',
      '/nodes/a/b',
      '/nodes/web01.example.com/catalogs',
      '/reports/abc',
      '/reports/abc/nothing',
      '/event-counts/x',
      '/fact-names/x',
      '/environments/production/nodes',
      '/packages/openssl',
      '/',
      '/nodes/',
    ].map((path) => get(path)),
    get('/nodes', { query: '["=", "certname"' }),
    get('/nodes', { query: 'nodes { }' }),
    get('/nodes', { query: '' }),
    get('/nodes', { query: '["=", "certname", "a"] ["=", "certname", "b"]' }),
    get('/nodes', { nothing: 'x' }),
    get('/nodes', { nothing: 'x', more: 'y' }),
    get('/nodes', { ast_only: 'true' }),
    get('/nodes', { pretty: 'true', query: ['=', 'certname', 'web01.example.com'] }),
    get('/nodes', { origin: 'test', query: ['=', 'certname', 'web01.example.com'] }),
    get('/nodes', { explain: 'no' }),
    get('/nodes', { optimize_drop_unused_joins: 'true', query: ['extract', 'certname', ['~', 'certname', 'web']] }),
    get('', {}),
    get('', { query: '' }),
    get('', { query: 'x' }),
    get('/nodes/web01.example.com', { query: ['=', 'certname', 'a'] }),
    get('/nodes/web01.example.com', { limit: 1 }),
    get('/nodes/web01.example.com', { unknown: 1 }),
    get('/environments/production', { limit: 1 }),
    get('/event-counts'),
    get('/aggregate-event-counts'),
    get('/aggregate-event-counts', { summarize_by: 'resource', limit: 1 }),
    get('/fact-names', { query: ['=', 'certname', 'x'] }),
  ]
}
