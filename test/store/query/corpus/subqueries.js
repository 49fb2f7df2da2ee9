// One entity asked by another: explicitly, with `from`, and by implicit relationships.
import { ask, pql } from './request.js'

/** @returns {import('./request.js').Question[]} */
export function subqueryQuestions() {
  return [...selects(), ...implicit(), ...written(), ...languages()]
}

/** Entities with a field that tells of a node, and a condition that some rows meet. */
const conditions = {
  nodes: ['=', 'latest_report_status', 'failed'],
  facts: ['and', ['=', 'name', 'osfamily'], ['=', 'value', 'RedHat']],
  fact_contents: ['and', ['=', 'path', ['os', 'release', 'major']], ['=', 'value', '12']],
  factsets: ['=', 'environment', 'edge'],
  inventory: ['=', 'facts.os.name', 'Rocky'],
  catalogs: ['=', 'environment', 'staging'],
  edges: ['=', 'source_title', 'initdb'],
  resources: ['and', ['=', 'type', 'Class'], ['=', 'title', 'Apache']],
  reports: ['=', 'noop', true],
  events: ['=', 'status', 'skipped'],
  package_inventory: ['=', 'package_name', 'naïve'],
  catalog_inputs: ['~', 'certname', 'web'],
  catalog_input_contents: ['=', 'name', 'apache::mpm'],
}

const asked = [
  'nodes',
  'facts',
  'factsets',
  'inventory',
  'catalogs',
  'edges',
  'resources',
  'reports',
  'events',
  'package_inventory',
  'fact_contents',
]

const certnamesOf = (entity) => [
  'extract',
  'certname',
  ['in', 'certname', ['extract', 'certname', [`select_${entity}`, conditions[entity]]]],
]

function selects() {
  const entities = Object.keys(conditions)
  return [
    ...asked.flatMap((entity) => entities.map((other) => ask(entity.replace('_', '-'), certnamesOf(other)))),
    ...entities.flatMap((other) => [
      ask('nodes', [
        'extract',
        'certname',
        ['in', 'certname', ['from', other, ['extract', 'certname', conditions[other]]]],
      ]),
      ask('nodes', [
        'extract',
        'certname',
        ['not', ['in', 'certname', ['extract', 'certname', [`select_${other}`, conditions[other]]]]],
      ]),
      ask('nodes', ['extract', 'certname', ['in', 'certname', ['extract', 'certname', [`select_${other}`]]]]),
    ]),
  ]
}

function implicit() {
  const more = {
    environments: ['~', 'name', 'ing$'],
    producers: ['=', 'name', 'puppet2.example.com'],
    fact_paths: ['=', 'type', 'boolean'],
    packages: ['=', 'provider', 'yum'],
    nothing: ['=', 'a', 1],
  }
  const all = { ...conditions, ...more }
  const from = [...asked, 'environments', 'producers', 'fact_paths', 'packages']
  const keys = { environments: 'name', producers: 'name', fact_paths: 'path', packages: 'package_name' }
  return from.flatMap((entity) =>
    Object.entries(all).map(([other, condition]) =>
      ask(entity.replace('_', '-'), ['extract', keys[entity] ?? 'certname', ['subquery', other, condition]]),
    ),
  )
}

function written() {
  const web = ['extract', 'certname', ['select_resources', ['=', 'title', 'Apache']]]
  return [
    ask('facts', ['and', ['=', 'name', 'ipaddress'], ['in', 'certname', web]]),
    ask('facts', [
      'in',
      ['certname', 'name'],
      ['extract', ['certname', 'name'], ['select_facts', ['=', 'value', 'Linux']]],
    ]),
    ask('fact-contents', [
      'in',
      ['certname', 'name'],
      ['extract', ['certname', 'name'], ['select_facts', ['=', 'value', 'Linux']]],
    ]),
    ask('nodes', ['in', ['certname'], web]),
    ask('nodes', ['in', ['certname', 'deactivated'], web]),
    ask('nodes', [
      'in',
      'certname',
      ['extract', ['certname', 'title'], ['select_resources', ['=', 'title', 'Apache']]],
    ]),
    ask('nodes', ['in', 'certname', ['select_resources', ['=', 'title', 'Apache']]]),
    ask('nodes', ['in', 'certname', ['extract', 'nothing', ['select_resources', ['=', 'title', 'Apache']]]]),
    ask('nodes', ['in', 'nothing', web]),
    ask('nodes', ['in', 'certname', ['extract', 'certname', ['select_nothing', ['=', 'title', 'Apache']]]]),
    ask('nodes', ['in', 'certname', ['extract', 'certname', ['select_resources', ['=', 'nothing', 'Apache']]]]),
    ask('nodes', ['in', 'certname', ['array', []]]),
    ask('nodes', ['in', 'certname', ['array', 'web01.example.com']]),
    ask('nodes', ['in', 'certname', ['web01.example.com']]),
    ask('nodes', ['in', 'certname']),
    ask('nodes', ['in', 'certname', ['from', 'nothing']]),
    ask('nodes', ['in', 'certname', ['from', 'nodes', ['extract', 'certname'], ['limit', 2]]], {}, 'count'),
    ask(
      'nodes',
      [
        'in',
        'certname',
        [
          'from',
          'reports',
          ['extract', 'certname', ['=', 'status', 'failed']],
          ['order_by', [['end_time', 'desc']]],
          ['limit', 3],
        ],
      ],
      {},
      'count',
    ),
    ask('nodes', [
      'in',
      'certname',
      [
        'from',
        'reports',
        ['extract', ['certname'], ['=', 'status', 'failed']],
        ['order_by', ['certname']],
        ['limit', 1],
      ],
    ]),
    ask('resources', [
      'in',
      'resource',
      ['extract', 'res_param_resource', ['select_params', ['=', 'res_param_name', 'uid']]],
    ]),
    ask('nodes', ['in', 'certname', ['extract', 'certname', ['select_inactive_nodes']]]),
    ask('nodes', ['in', 'certname', ['extract', 'certname', ['select_not_active_nodes']]]),
    ask('reports', [
      'extract',
      ['certname', 'end_time'],
      ['in', 'hash', ['extract', 'latest_report_hash', ['select_latest_report']]],
    ]),
    ask('nodes', [
      'extract',
      ['certname'],
      ['in', 'latest_report_hash', ['extract', 'hash', ['select_reports', ['=', 'status', 'failed']]]],
    ]),
    ask('environments', ['in', 'name', ['extract', 'environment', ['select_catalogs', ['~', 'certname', 'win']]]]),
    ask('nodes', ['subquery', 'facts']),
    ask('nodes', ['subquery']),
    ask('nodes', [
      'and',
      ['subquery', 'facts', ['=', 'name', 'mixed']],
      ['subquery', 'resources', ['=', 'title', 'alice']],
    ]),
    ask('nodes', ['not', ['subquery', 'reports', ['=', 'type', 'agent']]]),
    ask('nodes', ['subquery', 'reports', ['subquery', 'events', ['=', 'status', 'failure']]]),
    pql(['from', 'nodes', ['in', 'certname', web]]),
    pql(['from', 'nodes']),
    pql(['from', 'nodes', ['=', 'node_state', 'any']]),
    pql(['from', 'nothing']),
    pql(['from']),
    pql(['nodes']),
    pql(['extract', 'certname', ['from', 'nodes']]),
    pql(['from', 'nodes', ['extract', 'certname'], ['group_by', 'certname']]),
    pql(['from', 'fact_names']),
    pql(['from', 'report_logs']),
    ...[
      'producers',
      'packages',
      'environments',
      'fact_paths',
      'fact-paths',
      'package-inventory',
      'catalog_inputs',
      'catalog-input-contents',
      'event_counts',
    ].map((entity) => pql(['from', entity])),
  ]
}

function languages() {
  return String.raw`
nodes { }
nodes { certname = 'web01.example.com' }
nodes[certname] { certname ~ '^web' and catalog_environment = "production" }
nodes[certname] { facts { name = 'osfamily' and value = 'RedHat' } }
nodes[certname] { resources { type = "Class" and title = "Apache" } and !facts { name = "kernel" and value = "windows" } }
nodes[certname] { reports { latest_report? = true and status = "failed" } }
nodes[certname] { latest_report_status in ["failed", "changed"] }
nodes[certname] { node_state = "inactive" }
nodes[certname] { node_state = "any" and deactivated is not null }
nodes[certname, deactivated, expired] { deactivated is not null or expired is not null }
nodes[count()] { }
nodes[catalog_environment, count()] { group by catalog_environment }
facts { name = 'kernel' }
facts[certname, value] { name = 'processorcount' and value > 3 }
facts[name, count()] { certname ~ 'web' group by name }
facts[avg(value)] { name = "uptime_seconds" }
facts[value, count(certname)] { name = "osfamily" group by value }
facts { name in ["kernel", "osfamily"] and certname in nodes[certname] { latest_report_status = "failed" } }
facts[certname, value] { [certname, name] in facts[certname, name] { name = "kernel" } }
facts { value = true and certname = "web02.example.com" }
facts { name ~ "_text$" }
inventory[certname, facts.os.name] { facts.os.family = "Debian" }
inventory[certname] { facts.os.release.major ~ "^[12]" and facts.processorcount >= 3 }
inventory[certname] { facts.mixed[5][1][0] = "five" }
inventory[certname] { facts."dotted.name"."inner.name" = 1 }
inventory[certname] { facts.match("os").name = "Rocky" }
inventory[certname] { trusted.extensions.pp_role = "db" or trusted.extensions.pp_datacenter = "dc-1" }
inventory[certname] { facts.nothing.at.all is null }
inventory[facts.os.family, count()] { group by facts.os.family }
inventory { certname = "win01.example.org" }
resources { type = "Apache::Vhost" }
resources[certname, title] { parameters.port = 443 }
resources[certname, title, parameters.headers] { type = "Apache::Vhost" and parameters.headers."X-Frame-Options" = "DENY" }
resources[certname] { tag = "monitoring" and exported = true }
resources[type, count()] { certname ~ "db" group by type }
resources { type = 'User' and title = 'alice' and parameters.groups = ["adm", "sudo"] }
resources[certname, line] { file ~ 'users/manifests' and line >= 12 }
resources[type, title] { nodes { certname = "mac.example.org" } }
resources[title] { type = "Class" and catalogs { environment = "staging" } }
reports[certname, status] { latest_report? = true }
reports[certname, start_time] { start_time > "2026-11-20T12:00:00Z" and noop = true }
reports[status, count()] { group by status }
reports[certname] { type = "plan" }
reports[certname] { events { status = "failure" } }
reports[hash] { certname = "web01.example.com" and environment = "production" }
events[certname, resource_title, status] { status != "success" }
events { certname = "db01.example.com" and corrective_change = true }
events[resource_type, count()] { latest_report? = true group by resource_type }
events[certname] { containing_class = "Users" }
catalogs[certname, version] { producer = "puppet2.example.com" }
catalogs[certname] { code_id is null and job_id is null }
edges[source_title, target_title] { certname = "mac.example.org" and relationship = "contains" }
factsets[certname, producer_timestamp] { environment = "edge" }
fact_paths[path] { depth = 1 and name ~ "^o" }
fact_paths { path ~> ["networking", "interfaces", ".*", "mtu"] }
fact_contents[certname, value] { path = ["mixed", 5, 1, 0] }
fact_contents[certname, path, value] { path ~> ["disks", ".*", "type"] and value = "hdd" }
packages { package_name ~ "^o" }
packages[provider, count()] { group by provider }
package_inventory[certname, version] { package_name = "openssl" }
package_inventory[certname] { package_name = "naïve" and nodes { facts_environment = "production" } }
environments { name ~ "e$" }
environments { resources { type = "Registry::Value" } }
nodes[certname] { !(certname ~ "web" or certname ~ "db") and !certname ~ "example.com" }
nodes[certname] { certname in resources[certname] { type = "User" and certname in reports[certname] { status = "changed" } } }
nodes { nothing = 1 }
nodes[nothing] { }
nodes[certname, count()] { }
nodes { facts { nothing = 1 } }
nodes { environments { name = "x" } }
nodes[certname] { certname > "a" }
nodes[certname] { latest_report_noop = "true" }
facts[sum(certname)] { }
facts { name = 5 }
reports { start_time > "soon" }
reports { noop ~ "t" }
inventory { facts.os > "a" }
inventory { facts.processorcount > "3" }
resources { line = "12" }
resources { tags in ["a"] }
packages { certname = "a" }
fact_paths { path = "os" }
nodes[count(nothing)] { }
nodes[certname] { order by nothing }
nodes[certname] { certname = "\q" }
nodes[certname] { limit 99999999999999999999 }
nodes[certname] { limit 0 }
nodes { certname = "a"
nodes [certname] { certname == "a" }
select certname from nodes
`
    .split('\n')
    .slice(1, -1)
    .flatMap((query) => {
      const order = query.includes('limit') ? 'count' : undefined
      return [pql(query, {}, order), pql(query, { ast_only: 'true' })]
    })
}
