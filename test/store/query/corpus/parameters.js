// Every parameter besides the query, and expressions and functions in forms that few write.
import { ask, get, post } from './request.js'

/** @returns {import('./request.js').Question[]} */
export function parameterQuestions() {
  return [
    ...accepted(),
    ...explained(),
    ...refused(),
    ...posted(),
    ...older(),
    ...patterns(),
    ...formats(),
    ...numbers(),
  ]
}

const entities = [
  'nodes',
  'facts',
  'factsets',
  'resources',
  'reports',
  'events',
  'environments',
  'packages',
  'inventory',
]

const accepted = () =>
  entities.flatMap((entity) =>
    [
      { optimize_drop_unused_joins: 'true' },
      { optimize_drop_unused_joins: 'no' },
      { origin: 'me' },
      { include_facts_expiration: 'TRUE' },
      { include_package_inventory: 'false' },
      { pretty: 'true' },
      { pretty: 'false', order_by: '' },
    ].map((parameters) => ask(entity, ['null?', name(entity), false], parameters)),
  )

const name = (entity) => ({ environments: 'name', packages: 'package_name' })[entity] ?? 'certname'

/** The plan is the database's own: only the number of rows is compared. */
const explained = () => [
  ...[...entities, 'fact-names', 'edges'].map((entity) => get(`/${entity}`, { explain: 'analyze' }, 'count')),
  get('/nodes', { explain: 'analyze', limit: 3, include_total: 'true' }, 'count'),
  get('/aggregate-event-counts', { explain: 'analyze', summarize_by: 'certname' }),
  ...['foo', '', 'ANALYZE', 'true'].map((explain) => get('/nodes', { explain })),
]

const refused = () => [
  ...['1', '0', '-1', 'x', '0.5'].map((timeout) => get('/nodes', { timeout })),
  get('/nodes', { foo: 1, bar: 1, baz: 2 }),
  get('/nodes', { a: 1, b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8, j: 9 }),
  get('/nodes', { zebra: 1, apple: 1, timeout: 3, ast_only: 1 }),
  get('/facts', { name: 'kernel', value: 'Linux' }),
  get('/environments/production', { query: '["=","name","production"]', limit: 1 }),
  get('/reports/<report web01.example.com 2026-11-20T06:03:00.000Z>/logs', { limit: 1 }),
  get('/event-counts', { summarize: 'certname' }),
  get('/facts/%20/a/b'),
  get('/facts/'),
  get('/facts/kernel/'),
  get('/catalogs/'),
  get('/factsets/'),
  get('/environments/'),
  get('/producers/'),
  get('/resources/'),
  get('/resources/File/'),
  get('/nodes//facts'),
]

const posted = () => [
  post('/nodes', { query: ['=', 'certname', 'web01.example.com'], pretty: true }),
  post(
    '/nodes',
    { query: ['null?', 'certname', false], limit: 2, offset: 1, order_by: [{ field: 'certname' }] },
    'rows',
  ),
  post('/nodes', { query: null, order_by: [] }),
  post('/nodes', { order_by: '' }),
  post('/nodes', { order_by: {} }),
  post('/nodes', { limit: 'x' }),
  post('/nodes', { nothing: 1, more: 2 }),
  post('', { query: 'nodes[certname] { limit 4 }', limit: 2 }, 'count'),
  post('', { query: ['from', 'nodes', ['extract', 'certname'], ['order_by', ['certname']]], offset: 20 }, 'rows'),
  post('/factsets', { query: ['=', 'certname', 'web01.example.com'], include_package_inventory: true }),
]

const inside = (entity, field, select, fields = field) =>
  ask(entity, ['extract', ['certname'], ['in', field, ['extract', fields, select]]])

const older = () => [
  inside('nodes', 'certname', ['select_inactive_nodes']),
  inside('nodes', 'certname', ['select_inactive_nodes', ['~', 'certname', 'old']]),
  inside('facts', 'certname', ['select_not_active_nodes']),
  inside('nodes', 'certname', ['select_inactive_nodes', ['=', 'expired', '2026']]),
  inside('resources', 'resource', ['select_params', ['=', 'res_param_name', 'ensure']], 'res_param_resource'),
  inside('resources', 'resource', ['select_params', ['~', 'res_param_value', 'pres']], 'res_param_resource'),
  inside('resources', 'resource', ['select_params', ['=', 'res_param_value', '"present"']], 'res_param_resource'),
  inside('resources', 'resource', ['select_params', ['=', 'nothing', 'x']], 'res_param_resource'),
  inside('reports', 'hash', ['select_latest_report'], 'latest_report_hash'),
  inside('nodes', 'certname', ['select_resources', ['=', 'title', 'Apache']], ['certname', 'type', 'title']),
]

const patterns = () =>
  [
    '^(?!web|db)',
    '^(?=web)w.*2',
    '(?i)WEB',
    '(?c)WEB',
    '***=web',
    '***:web.*',
    '[[:alpha:]]+[[:digit:]]{2}\\.',
    '[^[:alnum:].]',
    '\\mexample\\M',
    '[[:<:]]web',
    'web01[.]example',
    '\\yweb',
    'web\\d\\d',
    '^[\\w.-]+$',
    '\\u0077eb',
    'w{1}e',
    '(web|db)0[1-3]',
    '\\Aweb',
    'com\\Z',
  ].map((pattern) => ask('nodes', ['extract', 'certname', ['~', 'certname', pattern]]))

const formats = () =>
  [
    'FMMonth DDth, YYYY',
    'month mon MONTH MON day dy DAY DY',
    'HH:MI:SS.MS am',
    'IYYY-"W"IW-ID',
    'Y,YYY YYY YY Y CC J',
    'SSSS SSSSS FF1 FF6 US',
    'RM FMrm Q W WW D DDD IDDD',
    'TZ tz OF TZH:TZM BC a.d.',
    '"it is" HH24 \\"o\'clock\\"',
    'FMDDTH',
    '',
    'no pattern: xyz',
  ].map((format) => ask('reports', ['extract', ['hash', ['function', 'to_string', 'end_time', format]]]))

const numbers = () => [
  ...['999', '9', 'FM99', '0009', '99990', 'FM0000'].map((format) =>
    ask('events', [
      'extract',
      ['status', ['function', 'to_string', 'line', format]],
      ['=', 'certname', 'web01.example.com'],
    ]),
  ),
  ...['avg', 'sum', 'min', 'max'].flatMap((name) => [
    ask('events', ['extract', ['certname', ['function', name, 'line']], ['group_by', 'certname']]),
    ask('reports', ['extract', [['function', name, 'report_format']]]),
    ask('facts', ['extract', ['certname', ['function', name, 'value']], ['group_by', 'certname']]),
    ...['load_averages', 'processorcount', 'memorysize_mb', 'big', 'exponent', 'large', 'kernel'].map((fact) =>
      ask('facts', ['extract', [['function', name, 'value']], ['=', 'name', fact]]),
    ),
  ]),
]
