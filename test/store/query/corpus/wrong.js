// Queries that are wrong in their form.
import { ask, get, pql } from './request.js'

const entities = [
  'nodes',
  'facts',
  'resources',
  'reports',
  'events',
  'inventory',
  'fact-contents',
  'catalogs',
  'environments',
  'packages',
]

const field = { environments: 'name', packages: 'package_name' }

/** @returns {import('./request.js').Question[]} */
export function wrongQuestions() {
  return [
    ...entities.flatMap((entity) => forms(field[entity] ?? 'certname').map((query) => ask(entity, query))),
    ...entities.map((entity) => ask(entity, ['limit', 5], {}, 'count')),
    ...texts(),
  ]
}

/** The wrong forms of a query, for an entity with a text field. */
function forms(name) {
  return [
    [],
    {},
    'text',
    5,
    true,
    null,
    [[]],
    ['='],
    ['=', name],
    ['=', name, 'a', 'b'],
    ['=', 'nothing', 'a'],
    ['=', name, {}],
    ['=', name, []],
    ['=', 5, 'a'],
    ['=', null, 'a'],
    ['==', name, 'a'],
    ['!=', name, 'a'],
    ['nothing', name, 'a'],
    ['~', name, 5],
    ['~', name],
    ['>', name, 'a'],
    ['not'],
    ['not', ['=', name, 'a'], ['=', name, 'b']],
    ['and', []],
    ['or', ['=', name, 'a'], []],
    ['and', 'a'],
    ['in', name, 'a'],
    ['in', name, ['array']],
    ['in', name, ['array', 'a']],
    ['null?', name],
    ['null?', name, 'x'],
    ['null?', 'nothing', true],
    ['extract'],
    ['extract', []],
    ['extract', 'nothing'],
    ['extract', [name, 'nothing'], ['=', name, 'a']],
    ['extract', [['function', 'nothing']]],
    ['extract', [['function']]],
    ['extract', [['function', 'sum', name]]],
    ['extract', name, ['group_by', 'nothing']],
    ['extract', name, ['=', name, 'a'], ['group_by']],
    ['group_by', name],
    ['order_by', [name]],
    ['subquery', 'nothing', ['=', name, 'a']],
    ['select_nodes', ['=', 'certname', 'a']],
    ['=', ['fact', 'a'], 'b'],
    ['=', ['parameter', 'a'], 'b'],
    ['=', ['node', 'active'], 'x'],
    ['=', ['node', 'nothing'], true],
    ['=', 'node_state', 'nothing'],
    ['~>', name, ['a']],
    ['=', `${name}.a`, 'b'],
    ['=', '', 'a'],
    ['=', 'latest_report?', 'x'],
  ]
}

function texts() {
  return [
    ...[
      '[',
      ']',
      '{',
      '["=", "certname", "a"',
      '["=" "certname"]',
      "['=', 'certname', 'a']",
      '["=", certname, "a"]',
      '[1,]',
      '["\\q"]',
      'nodes',
      '"x',
      'nul',
      '[] []',
      '[],',
      '\u0000',
    ].flatMap((text) => [get('/nodes', { query: text }), get('', { query: text })]),
    pql(['from', 'nodes', ['=', 'certname', 'a'], ['nothing', 5]]),
    pql(['from', 'nodes', ['limit', 'x']]),
    pql(['from', 'nodes', ['limit', -1]]),
    pql(['from', 'nodes', ['limit', 1, 2]]),
    pql(['from', 'nodes', ['offset', 'x']]),
    pql(['from', 'nodes', ['order_by', 'certname']]),
    pql(['from', 'nodes', ['order_by', [['certname', 'up']]]]),
    pql(['from', 'nodes', ['order_by', ['nothing']]]),
    pql(['from', 'nodes', ['order_by', []]]),
    pql(['from', 'nodes', 'x']),
    pql(['from', 5]),
    pql(['from', ['nodes']]),
    pql(['from', 'nodes', ['=', 'certname', 'a'], ['=', 'certname', 'b']]),
    pql(['from', 'nodes', ['extract', ['certname'.repeat(10)]]]),
    pql(['from', 'inventory', ['extract', [`facts.${'a'.repeat(70)}`]]]),
  ]
}
