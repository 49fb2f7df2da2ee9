// Questions of reports, events and the smaller entities, by hand: what the table of operators does not reach.
import { ask, get } from './request.js'

const any = ['=', 'node_state', 'any']

/** @returns {import('./request.js').Question[]} */
export function reportQuestions() {
  return [...reports(), ...others()]
}

function reports() {
  const report = '<report web01.example.com 2026-11-20T06:03:00.000Z>'
  const latest = '<report db01.example.com 2026-11-20T12:07:00.000Z>'
  return [
    ask('reports', ['=', 'hash', report]),
    ask('reports', ['=', 'hash', latest]),
    ask('reports', ['and', ['=', 'latest_report?', true], ['=', 'status', 'failed']]),
    ask('reports', ['and', ['=', 'latest_report?', false], ['=', 'certname', 'web01.example.com']]),
    ask('reports', ['extract', ['hash', 'certname', 'end_time'], ['=', 'noop', true]]),
    ask('reports', ['extract', ['certname', 'logs'], ['=', 'status', 'failed']]),
    ask('reports', ['extract', ['certname', 'metrics'], ['=', 'hash', report]]),
    ask('reports', ['extract', ['certname', 'resource_events'], ['=', 'hash', report]]),
    ask('reports', ['extract', ['certname', 'resources'], ['=', 'hash', report]]),
    ask('reports', ['extract', ['status', ['function', 'count']], ['group_by', 'status']]),
    ask('reports', [
      'extract',
      [
        ['function', 'avg', 'report_format'],
        ['function', 'min', 'report_format'],
        ['function', 'max', 'report_format'],
        ['function', 'sum', 'report_format'],
      ],
    ]),
    ask('reports', ['=', 'type', 'any']),
    ask('reports', ['=', 'node_state', 'inactive']),
    ask('events', ['=', 'report', report]),
    ask('events', ['=', 'report', latest]),
    ask('events', ['=', 'latest_report?', true]),
    ask('events', ['and', ['=', 'latest_report?', true], ['=', 'status', 'noop']]),
    ask('events', ['=', 'containing_class', 'Profile::Base']),
    ask('events', ['~', 'containment_path', 'Users']),
    ask('events', ['=', 'new_value', ['adm', 'sudo']]),
    ask('events', ['=', 'new_value', { mode: '0644', size: 12 }]),
    ask('events', ['=', 'old_value', null]),
    ask('events', ['=', 'new_value', null]),
    ask('events', ['=', 'new_value', false]),
    ask('events', ['=', 'new_value', 1.5]),
    ask('events', ['~', 'new_value', 'sudo']),
    ask('events', ['~', 'message', 'changed "?[{]']),
    ask('events', ['extract', ['status', ['function', 'count']], ['group_by', 'status']]),
    ask('events', [
      'extract',
      ['resource_type', 'status', ['function', 'count', 'certname']],
      ['group_by', 'resource_type', 'status'],
    ]),
    ...['timestamp', 'run_start_time', 'run_end_time'].map((field) =>
      ask('events', ['and', ['>', field, '2026-11-20T06:10:00Z'], ['<', field, '2026-11-20T06:20:00Z']]),
    ),
    ask('events', ['=', 'certname', 'web01.example.com'], {
      distinct_resources: true,
      distinct_start_time: '2026-11-20',
      distinct_end_time: '2026-11-22',
    }),
    get('/events', { distinct_resources: true, distinct_start_time: '2026-11-20', distinct_end_time: '2026-11-22' }),
    get('/events', {
      distinct_resources: true,
      distinct_start_time: '2026-11-20T12:00:00Z',
      distinct_end_time: '2026-11-20T12:10:00Z',
    }),
    get('/events', { distinct_resources: false, distinct_start_time: '2026-11-20', distinct_end_time: '2026-11-22' }),
    get('/events', { distinct_resources: true }),
    get('/events', { distinct_start_time: '2026-11-20', distinct_end_time: '2026-11-22' }),
    get('/events', { distinct_resources: true, distinct_start_time: 'x', distinct_end_time: '2026-11-22' }),
    ...[
      report,
      latest,
      '<report web02.example.com 2026-11-20T06:04:00.000Z>',
      '<report old6.example.com 2026-11-20T06:17:00.000Z>',
      'abc',
    ].flatMap((hash) => [
      get(`/reports/${hash}/events`),
      get(`/reports/${hash}/metrics`, {}, 'rows'),
      get(`/reports/${hash}/logs`, {}, 'rows'),
      get(`/reports/${hash}/events`, { query: ['=', 'resource_type', 'File'] }),
    ]),
  ]
}

function others() {
  return [
    ...[
      'nodes',
      'environments',
      'producers',
      'factsets',
      'facts',
      'fact-contents',
      'inventory',
      'catalogs',
      'edges',
      'resources',
      'reports',
      'events',
      'packages',
      'package-inventory',
      'catalog-inputs',
      'catalog-input-contents',
    ].flatMap((entity) => [
      get(`/${entity}`),
      ask(entity, any),
      ask(entity, ['=', 'node_state', 'inactive']),
      ask(entity, ['and', any, ['=', 'certname', 'gone.example.com']]),
      ask(entity, ['extract', 'certname', any]),
      ask(entity, ['extract', [['function', 'count']]]),
      ask(entity, ['extract', [['function', 'count'], 'certname'], ['group_by', 'certname']]),
    ]),
    ask('packages', ['extract', ['provider', ['function', 'count']], ['group_by', 'provider']]),
    ask('package-inventory', ['and', ['=', 'package_name', 'openssl'], ['~', 'version', '^3']]),
    ask('edges', ['and', ['=', 'certname', 'db01.example.com'], ['=', 'relationship', 'contains']]),
    ask('catalogs', ['extract', ['certname', 'version'], ['=', 'producer', 'puppet2.example.com']]),
    ask('catalogs', ['extract', ['certname', 'edges'], ['=', 'certname', 'mac.example.org']]),
    ask('catalogs', ['extract', ['certname', 'resources'], ['=', 'certname', 'mac.example.org']]),
    ask('catalog-inputs', ['=', 'certname', 'web01.example.com']),
    ask('catalog-input-contents', ['and', ['=', 'type', 'hiera'], ['~', 'name', 'apache']]),
  ]
}
