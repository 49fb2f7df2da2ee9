// Order, limit, offset and totals; functions and groups.
import { ask, get, pql } from './request.js'

/** @returns {import('./request.js').Question[]} */
export function pagingQuestions() {
  return [...pages(), ...orders(), ...functions(), ...totals(), ...wrongPages()]
}

/** An order of all rows, by entity. */
const totalOrders = {
  nodes: ['certname'],
  environments: ['name'],
  producers: ['name'],
  factsets: ['certname'],
  facts: ['certname', 'name'],
  'fact-paths': ['path', 'type'],
  'fact-contents': ['certname', 'path'],
  inventory: ['certname'],
  catalogs: ['certname'],
  edges: ['certname', 'relationship', 'source_type', 'source_title', 'target_type', 'target_title'],
  resources: ['certname', 'type', 'title'],
  reports: ['certname', 'start_time'],
  packages: ['package_name', 'version', 'provider'],
  'package-inventory': ['certname', 'package_name', 'version', 'provider'],
  'catalog-inputs': ['certname'],
  'catalog-input-contents': ['certname', 'type', 'name'],
}

const by = (fields, order) => fields.map((field) => ({ field, ...(order && { order }) }))

function pages() {
  return Object.entries(totalOrders).flatMap(([entity, fields]) => [
    get(`/${entity}`, { order_by: by(fields), limit: 5 }, 'rows'),
    get(`/${entity}`, { order_by: by(fields), limit: 5, offset: 3 }, 'rows'),
    get(`/${entity}`, { order_by: by(fields, 'desc'), limit: 4, include_total: 'true' }, 'rows'),
    get(`/${entity}`, { order_by: by(fields, 'ASC'), offset: 20, limit: 10, include_total: 'true' }, 'rows'),
    get(`/${entity}`, { order_by: by(fields), limit: 3, offset: 100000, include_total: 'true' }, 'rows'),
    get(`/${entity}`, { limit: 2, include_total: 'true' }, 'count'),
    get(`/${entity}`, { offset: 2 }, 'count'),
    get(`/${entity}`, { include_total: 'false', limit: 1 }, 'count'),
  ])
}

function orders() {
  const values = ['and', ['=', 'name', 'processorcount'], ['~', 'certname', 'web|db']]
  return [
    ask(
      'nodes',
      ['~', 'certname', 'e'],
      { order_by: [{ field: 'latest_report_status' }, { field: 'certname', order: 'desc' }] },
      'rows',
    ),
    ask(
      'nodes',
      ['~', 'certname', 'e'],
      { order_by: [{ field: 'report_timestamp', order: 'desc' }, { field: 'certname' }] },
      'rows',
    ),
    ask('nodes', ['~', 'certname', 'e'], { order_by: [{ field: 'deactivated' }, { field: 'certname' }] }, 'rows'),
    ask(
      'nodes',
      ['~', 'certname', 'e'],
      { order_by: [{ field: 'latest_report_job_id', order: 'desc' }, { field: 'certname' }] },
      'rows',
    ),
    ask('nodes', ['extract', 'certname', ['~', 'certname', 'e']], { order_by: [{ field: 'certname' }] }, 'rows'),
    ask(
      'nodes',
      ['extract', ['certname'], ['~', 'certname', 'e']],
      { order_by: [{ field: 'report_timestamp' }] },
      'count',
    ),
    ask('facts', values, { order_by: [{ field: 'value' }, { field: 'certname' }] }, 'rows'),
    ask(
      'facts',
      ['in', 'name', ['array', ['kernel', 'is_virtual', 'processorcount', 'mixed', 'os']]],
      { order_by: [{ field: 'value' }, { field: 'certname' }, { field: 'name' }], limit: 200 },
      'rows',
    ),
    ask(
      'resources',
      ['=', 'type', 'Class'],
      { order_by: [{ field: 'line' }, { field: 'certname' }, { field: 'title' }] },
      'rows',
    ),
    ask(
      'resources',
      ['=', 'type', 'Notify'],
      { order_by: [{ field: 'file', order: 'desc' }, { field: 'certname' }, { field: 'title' }] },
      'rows',
    ),
    ask('reports', ['~', 'certname', 'web'], { order_by: [{ field: 'producer_timestamp', order: 'desc' }] }, 'rows'),
    ask('reports', ['~', 'certname', 'web'], { order_by: [{ field: 'noop' }, { field: 'end_time' }] }, 'rows'),
    ask(
      'events',
      ['=', 'certname', 'web01.example.com'],
      { order_by: [{ field: 'timestamp' }, { field: 'resource_title' }, { field: 'property' }, { field: 'name' }] },
      'rows',
    ),
    ask(
      'inventory',
      ['extract', ['certname', 'facts.processorcount'], ['~', 'certname', 'e']],
      { order_by: [{ field: 'facts.processorcount' }, { field: 'certname' }] },
      'rows',
    ),
    pql('nodes[certname] { order by certname desc limit 4 offset 2 }', {}, 'rows'),
    pql('nodes[certname, report_timestamp] { certname ~ "web" order by report_timestamp desc, certname }', {}, 'rows'),
    pql('facts[certname, value] { name = "kernel" order by value, certname desc limit 10 }', {}, 'rows'),
    pql('inventory[certname, facts.os.family] { order by facts.os.family, certname }', {}, 'rows'),
    pql('nodes[certname] { }', { order_by: [{ field: 'certname' }], limit: 3 }, 'rows'),
    pql('nodes[certname] { order by certname desc }', { order_by: [{ field: 'certname' }], limit: 3 }, 'count'),
    pql('nodes[certname] { limit 10 }', { limit: 3, include_total: true }, 'count'),
    pql(['from', 'nodes', ['extract', 'certname'], ['order_by', ['certname']], ['limit', 2]], {}, 'rows'),
    pql(['from', 'nodes', ['~', 'certname', 'web'], ['order_by', [['certname', 'desc']]], ['offset', 1]], {}, 'rows'),
    pql(
      [
        'from',
        'nodes',
        ['extract', ['certname'], ['~', 'certname', 'web']],
        ['limit', 1],
        ['order_by', [['certname', 'asc']]],
      ],
      {},
      'rows',
    ),
    pql(
      [
        'from',
        'facts',
        ['extract', ['value', ['function', 'count']], ['=', 'name', 'kernel'], ['group_by', 'value']],
        ['order_by', ['value']],
      ],
      {},
      'rows',
    ),
    pql(
      [
        'from',
        'reports',
        ['extract', ['certname', 'start_time']],
        ['order_by', [['start_time', 'desc']]],
        ['limit', 7],
        ['offset', 2],
      ],
      {},
      'rows',
    ),
  ]
}

function functions() {
  const call = (...words) => ['function', ...words]
  const timeFormats = ['YYYY', 'YYYY-MM-DD HH24:MI:SS', 'Day', 'DDD', 'HH12 AM', 'Mon', 'Q']
  return [
    ...['uptime_seconds', 'processorcount', 'memorysize_mb', 'kernel', 'is_virtual', 'mixed'].flatMap((fact) =>
      ['avg', 'sum', 'min', 'max', 'count'].map((name) =>
        ask('facts', ['extract', [call(name, 'value')], ['=', 'name', fact]]),
      ),
    ),
    ...['avg', 'sum', 'min', 'max'].flatMap((name) => [
      ask('resources', ['extract', [call(name, 'line')], ['=', 'type', 'Class']]),
      ask('resources', ['extract', ['type', call(name, 'line')], ['group_by', 'type']]),
      ask('events', ['extract', ['status', call(name, 'line')], ['group_by', 'status']]),
      ask('reports', [
        'extract',
        ['certname', call(name, 'report_format')],
        ['~', 'certname', 'web'],
        ['group_by', 'certname'],
      ]),
      ask('fact-paths', ['extract', [call(name, 'depth')]]),
      ask('nodes', ['extract', [call(name, 'certname')]]),
      ask('reports', ['extract', [call(name, 'end_time')]]),
    ]),
    ...timeFormats.flatMap((format) => [
      ask('reports', [
        'extract',
        [call('to_string', 'start_time', format), call('count')],
        ['group_by', call('to_string', 'start_time', format)],
      ]),
      ask('events', ['extract', ['certname', call('to_string', 'timestamp', format)], ['=', 'status', 'failure']]),
      pql(
        `reports[to_string(start_time, "${format}"), count()] { certname ~ "web" group by to_string(start_time, "${format}") }`,
      ),
    ]),
    ...['to_string', 'jsonb_typeof', 'upper', 'count', 'sum'].flatMap((name) => [
      ask('facts', ['extract', ['certname', call(name, 'value')], ['=', 'name', 'mixed']]),
      ask('facts', ['extract', [call(name)]]),
      ask('facts', ['extract', [call(name, 'nothing')]]),
      ask('facts', ['extract', [call(name, 'value', 'x', 'y')]]),
      ask('facts', ['=', call(name, 'value'), 'string'], { limit: 1 }, 'count'),
    ]),
    ask('facts', ['extract', ['name', call('jsonb_typeof', 'value')], ['=', 'certname', 'web03.example.com']]),
    ask('facts', [
      'extract',
      [call('jsonb_typeof', 'value'), call('count')],
      ['group_by', call('jsonb_typeof', 'value')],
    ]),
    ask('facts', ['extract', ['name', 'certname'], ['=', call('jsonb_typeof', 'value'), 'boolean']]),
    ask('facts', ['extract', ['name', call('count')], ['~', 'certname', 'web'], ['group_by', 'name']]),
    ask('facts', ['extract', ['name'], ['group_by', 'name']]),
    ask('facts', ['extract', ['name', 'value'], ['group_by', 'name']]),
    ask('facts', ['extract', [call('count')], ['=', 'name', 'kernel'], ['group_by', 'value']]),
    ask('facts', [
      'extract',
      ['environment', 'value', call('count', 'certname')],
      ['=', 'name', 'osfamily'],
      ['group_by', 'environment', 'value'],
    ]),
    ask('nodes', ['extract', ['catalog_environment', call('count')], ['group_by', 'catalog_environment']]),
    ask('nodes', [
      'extract',
      ['latest_report_status', 'latest_report_noop', call('count')],
      ['group_by', 'latest_report_status', 'latest_report_noop'],
    ]),
    ask('resources', ['extract', ['exported', call('count', 'title')], ['group_by', 'exported']]),
    ask('resources', ['extract', ['certname', call('count')], ['=', 'type', 'Class'], ['group_by', 'certname']]),
  ]
}

/** Counts of events, with and without filters. */
function totals() {
  const filters = [
    undefined,
    ['>', 'failures', 0],
    ['>=', 'successes', 2],
    ['=', 'noops', 1],
    ['<', 'skips', 1],
    ['<=', 'failures', 0],
    ['=', 'nothing', 1],
    ['~', 'failures', '1'],
  ]
  return ['resource', 'containing_class', 'certname', 'nothing'].flatMap((summarize_by) => [
    ...filters.flatMap((counts_filter) => [
      get('/event-counts', { summarize_by, ...(counts_filter && { counts_filter }) }),
      get('/aggregate-event-counts', { summarize_by, ...(counts_filter && { counts_filter }) }),
    ]),
    ...['resource', 'certname', 'nothing'].flatMap((count_by) => [
      get('/event-counts', { summarize_by, count_by }),
      get('/aggregate-event-counts', { summarize_by, count_by }),
    ]),
    ...[
      ['=', 'certname', 'web01.example.com'],
      ['=', 'latest_report?', true],
      ['=', 'status', 'failure'],
      ['=', 'nothing', 1],
    ].flatMap((query) => [
      get('/event-counts', { summarize_by, query }),
      get('/aggregate-event-counts', { summarize_by, query }),
    ]),
    get('/event-counts', {
      summarize_by,
      distinct_resources: true,
      distinct_start_time: '2026-11-20',
      distinct_end_time: '2026-11-22',
    }),
    get('/aggregate-event-counts', {
      summarize_by,
      distinct_resources: true,
      distinct_start_time: '2026-11-20',
      distinct_end_time: '2026-11-22',
    }),
    get('/event-counts', { summarize_by, limit: 1, include_total: true }, 'count'),
    get('/event-counts', { summarize_by, order_by: [{ field: 'failures', order: 'desc' }] }),
    get('/aggregate-event-counts', { summarize_by: `${summarize_by},certname` }),
  ])
}

function wrongPages() {
  return [
    ...['0', '-1', 'x', '1.5', '', '99999999999999999999', '007'].flatMap((number) => [
      get('/nodes', { limit: number }, 'count'),
      get('/nodes', { offset: number }, 'count'),
    ]),
    ...[
      'x',
      '{}',
      '[]',
      '"certname"',
      '["certname"]',
      '[{}]',
      '[{"field":"nothing"}]',
      '[{"field":"certname","order":"up"}]',
      '[{"field":"certname","order":null}]',
      '[{"field":"certname","x":1}]',
      '[{"order":"asc"}]',
      '[{"field":"certname"},{"field":"certname"}]',
      '[{"field":5}]',
      '[{"field":"CERTNAME"}]',
      '[[ ]]',
      'null',
      '[{"field":"certname"}',
      '',
    ].map((order_by) => get('/nodes', { order_by })),
    ...[
      'facts',
      'inventory',
      'resources',
      'events',
      'reports',
      'fact-contents',
      'packages',
      'edges',
      'factsets',
      'catalogs',
      'environments',
      'fact-paths',
    ].map((entity) => get(`/${entity}`, { order_by: [{ field: 'nothing' }] })),
    get('/resources', { order_by: [{ field: 'tags' }], limit: 1 }, 'count'),
    get('/resources', { order_by: [{ field: 'parameters' }], limit: 1 }, 'count'),
    get('/inventory', { order_by: [{ field: 'facts' }], limit: 1 }, 'count'),
    get('/reports', { order_by: [{ field: 'logs' }], limit: 1 }, 'count'),
    get('/nodes', { include_total: 'x' }),
  ]
}
