// What pypuppetdb and puppetboard ask: read from pypuppetdb 2.2.0 and from what it sends.
import { get, post } from './request.js'

/** @returns {import('./request.js').Question[]} */
export function clientQuestions() {
  return [...environmentsOfPuppetboard().flatMap(puppetboard), ...pypuppetdb()]
}

/** Puppetboard asks for one environment, or for all. */
const environmentsOfPuppetboard = () => ['production', '*']

function puppetboard(environment) {
  const all = environment === '*'
  const node = (field) => (all ? ['null?', 'certname', false] : ['=', field, environment])
  const within = (...rest) => (all ? ['and', ...rest] : ['and', ['=', 'environment', environment], ...rest])
  const nodes = ['and', ['=', 'catalog_environment', environment], ['=', 'facts_environment', environment]]
  const certname = ['=', 'certname', 'web01.example.com']
  const newest = [{ field: 'start_time', order: 'desc' }]
  const fact = ['and', ['=', 'name', 'osfamily'], ...(all ? [] : [['=', 'environment', environment]])]
  return [
    get('/nodes', all ? {} : { query: nodes }),
    get('/nodes', {
      query: ['extract', [['function', 'count'], 'certname'], node('catalog_environment'), ['group_by', 'certname']],
    }),
    get('/nodes', { query: ['extract', [['function', 'count']], node('catalog_environment')] }),
    get('/resources', { query: ['extract', [['function', 'count']], within(['~', 'certname', '.'])] }),
    get('/nodes', {
      query: [
        'and',
        node('catalog_environment'),
        ['or', ['null?', 'report_timestamp', true], ['<', 'report_timestamp', '2026-11-20T12:00:00Z']],
      ],
    }),
    get('/event-counts', { summarize_by: 'certname', query: within(['=', 'latest_report?', true]) }),
    get('/event-counts', { summarize_by: 'certname', query: ['and', certname, ['=', 'latest_report?', true]] }),
    get('/reports', { query: within(certname), limit: 10, order_by: newest }, 'rows'),
    get('/reports', { query: within(certname), limit: 10, offset: 1, include_total: 'true', order_by: newest }, 'rows'),
    get('/reports', { query: ['extract', [['function', 'count']], within(certname)] }),
    get('/reports', {
      query: [
        'extract',
        [['function', 'count'], ['function', 'to_string', 'producer_timestamp', 'FMHH24'], 'status'],
        within(['~', 'certname', 'w']),
        ['group_by', ['function', 'to_string', 'producer_timestamp', 'FMHH24'], 'status'],
      ],
    }),
    get('/reports', {
      query: [
        'extract',
        [['function', 'count'], 'status'],
        within(
          ['>=', 'producer_timestamp', '2026-11-20'],
          ['<', 'producer_timestamp', '2026-11-21'],
          ['=', 'type', 'agent'],
        ),
        ['group_by', 'status'],
      ],
    }),
    get(
      '/reports',
      {
        query: within(['or', ['=', 'status', 'failed'], ['=', 'noop', true]]),
        include_total: 'true',
        limit: 5,
        order_by: [{ field: 'end_time', order: 'desc' }, { field: 'certname' }],
      },
      'rows',
    ),
    get('/facts', { query: fact }),
    get('/facts/osfamily', { query: all ? undefined : ['=', 'environment', environment] }),
    get('/facts', { query: ['extract', ['value', ['function', 'count']], fact, ['group_by', 'value']] }),
    get('/fact-names'),
    get('/inventory', {
      query: ['extract', ['certname', 'facts.kernel', 'facts.os.name'], within(['null?', 'certname', false])],
    }),
    get('/catalogs/web01.example.com'),
    get('/factsets', { query: certname }),
    get('/environments'),
  ].map(({ path, ...rest }) => ({ ...rest, path: path.replace(/\?query=undefined$/, '') }))
}

function pypuppetdb() {
  const certname = '["=", "certname", "web02.example.com"]'
  return [
    get('/nodes', { query: '["and", ["=", "node_state", "active"], ["~", "certname", "web"]]' }),
    get('/nodes/web02.example.com'),
    get('/facts', { query: certname }),
    get('/facts/kernel', { query: certname }),
    get('/resources', { query: certname }),
    get('/resources/File', { query: certname }),
    get('/reports', { query: certname }),
    get('/events', { query: '["=", "report", "<report web02.example.com 2026-11-20T06:04:00.000Z>"]' }),
    get('/event-counts', { query: certname, summarize_by: 'resource' }),
    get('/aggregate-event-counts', { query: '["=", "latest_report?", true]', summarize_by: 'certname' }),
    get('/fact-contents', { query: '["and", ["=", "certname", "web02.example.com"], ["~>", "path", ["os", ".*"]]]' }),
    get('/fact-paths', { query: '["~>", "path", ["os", ".*"]]' }),
    get('/edges', { query: certname }),
    get('/catalogs', { query: certname }),
    get('/inventory', { query: certname }),
    get('', { query: 'nodes { certname = "web02.example.com" }' }),
    post('/nodes', { query: certname, include_total: 'true' }),
    post('/facts', { query: certname, order_by: '[{"field": "name", "order": "asc"}]' }),
    get('/facts', { query: certname, order_by: '[{"field": "name", "order": "asc"}]', limit: 3 }, 'rows'),
  ]
}
