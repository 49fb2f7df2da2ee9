// The catalogs of the dataset's nodes.
import { timeOf, uuidOf } from './nodes.js'

/** The catalog of a node in its newest version, 9. */
export function catalogOf(node, round = 0) {
  const resources = [...frameOf(node), ...node.roles.flatMap((role) => parts[role](node))]
  return {
    certname: node.certname,
    version: `${1763000000 + node.index + round}`,
    environment: node.environment,
    transaction_uuid: uuidOf(node, 'transaction', round),
    catalog_uuid: uuidOf(node, 'catalog', round),
    code_id: node.index % 3 === 2 ? null : `c0de${(0x1000 + node.index).toString(16)}`,
    job_id: node.index % 5 === 1 ? `${node.index}` : null,
    producer_timestamp: timeOf(node, round * 24, 1),
    producer: node.producer,
    edges: edgesAmong(resources),
    resources,
  }
}

const site = '/etc/puppetlabs/code/environments/production/manifests/site.pp'

function resource(type, title, parameters = {}, more = {}) {
  const tags = [...new Set([type.toLowerCase(), ...type.toLowerCase().split('::'), ...(more.tags ?? [])])]
  return { type, title, exported: false, file: site, line: 1 + title.length, aliases: [], parameters, ...more, tags }
}

function frameOf(node) {
  const frame = { file: null, line: null }
  return [
    resource('Stage', 'main', { name: 'main' }, frame),
    resource('Class', 'Settings', {}, frame),
    resource('Class', 'Main', { name: 'main' }, { ...frame, tags: ['class', 'main'] }),
    resource('Node', node.certname.split('.')[0], {}, { tags: ['node', node.certname] }),
  ]
}

const parts = {
  base: ({ certname, index }) => [
    resource(
      'Class',
      'Profile::Base',
      { ntp_servers: ['0.pool', '1.pool'], enabled: true },
      { tags: ['profile::base'] },
    ),
    resource(
      'File',
      '/etc/motd',
      { ensure: 'file', mode: '0644', content: `Welcome to ${certname}\n` },
      { aliases: ['motd'] },
    ),
    resource('Package', 'ntp', { ensure: index % 2 ? 'latest' : 'present' }),
    resource('Service', 'ntp', { ensure: 'running', enable: true, require: 'Package[ntp]' }),
    resource('Sshkey', certname, sshKey(certname), { exported: true }),
  ],
  web: ({ certname, index }) => [
    resource('Class', 'Apache', { default_vhost: false, mpm: 'event', timeout: 60 }, { tags: ['apache', 'web'] }),
    resource('Apache::Vhost', `${certname}`, vhost(certname, index), { tags: ['apache', 'web', 'vhost'] }),
    resource('File', '/etc/apache2/apache2.conf', {
      ensure: 'file',
      source: 'puppet:///modules/apache/apache2.conf',
      notify: 'Service[apache2]',
    }),
    resource('Service', 'apache2', { ensure: 'running', enable: true, hasrestart: true }, { aliases: ['httpd'] }),
    resource(
      'Haproxy::Balancermember',
      certname,
      { ipaddresses: `192.0.2.${10 + index}`, ports: [80, 443], options: { check: true, weight: 1.5 } },
      { exported: true, tags: ['lb', 'web'] },
    ),
  ],
  db: ({ index }) => [
    resource(
      'Class',
      'Postgresql::Server',
      { port: 5432 + index, listen: '*', settings: { shared_buffers: '1GB', fsync: true, work_mem: null } },
      { tags: ['postgresql', 'db'] },
    ),
    resource('Postgresql::Server::Db', 'app', { user: 'app', grants: ['ALL', { on: 'public', cascade: false }] }),
    resource('Exec', 'initdb', {
      command: '/usr/bin/initdb -D "/var/lib/pg"',
      creates: '/var/lib/pg/PG_VERSION',
      timeout: 0,
      tries: 3,
    }),
    resource('File', '/var/lib/pg', { ensure: 'directory', owner: 'postgres', mode: '0700' }, { line: 77 }),
    resource(
      'Nagios_service',
      `check_pg_${index}`,
      { check_command: 'check_pgsql!app', contact_groups: 'dba' },
      { exported: true, tags: ['nagios', 'monitoring'] },
    ),
  ],
  users: ({ index }) => [
    resource('User', 'alice', { ensure: 'present', uid: 1000 + index, groups: ['adm', 'sudo'], managehome: true }),
    resource('User', 'bob', { ensure: 'absent', uid: -1 }),
    resource(
      'Group',
      'staff',
      { ensure: 'present', gid: '50' },
      { file: '/etc/puppetlabs/code/modules/users/manifests/init.pp', line: 12 },
    ),
    resource('Cron', 'backup', {
      command: 'true && /bin/backup > /dev/null',
      minute: [0, 30],
      hour: '*/2',
      special: null,
    }),
  ],
  odd: ({ index }) => [
    resource(
      'File',
      '/tmp/Grüße 世界',
      { content: '🚀 "quoted" \\ back\nline\ttab', ensure: 'file', replace: index % 2 === 0 },
      { tags: ['grüße', 'a.b', 'c-d', 'e:f'] },
    ),
    resource('Notify', 'numbers', {
      message: 'n',
      i: 42,
      big: '<json 9007199254740993>',
      whole: '<json 2.0>',
      negative: -7,
      float: 0.1,
      exponent: 1.5e30,
      zero: 0,
    }),
    resource('Notify', "it's [odd]", {
      nested: { a: [{ b: { c: [1, [2, [3]]] } }], empty: {}, list: [] },
      'dotted.key': 'd',
      'with space': 's',
    }),
    resource(
      'Notify',
      'a"b\\c',
      { truth: true, lie: false, nothing: null, text: 'true', number: '42' },
      { file: null, line: null },
    ),
    resource('Whit', 'Admissible_class[odd]', {}, { exported: index % 2 === 0, tags: [] }),
  ],
  windows: ({ index }) => [
    resource('File', 'C:\\ProgramData\\app', { ensure: 'directory', owner: 'BUILTIN\\Administrators' }),
    resource('Registry::Value', 'HKLM\\Software\\App\\Port', { data: 8080 + index, type: 'dword' }),
    resource('Service', 'W32Time', { ensure: 'running', enable: 'delayed' }, { line: 3 }),
  ],
}

const sshKey = (certname) => ({
  ensure: 'present',
  type: 'ed25519',
  key: 'AAAAC3NzaC1lZDI1NTE5AAAAI',
  host_aliases: [certname.split('.')[0]],
})

const vhost = (certname, index) => ({
  port: index % 2 ? 443 : 80,
  ssl: index % 2 === 1,
  docroot: `/var/www/${certname}`,
  aliases: [
    { alias: '/static', path: '/srv/static' },
    { alias: '/img', path: '/srv/img' },
  ],
  headers: { 'X-Frame-Options': 'DENY', 'Cache-Control': ['no-store', 'private'] },
})

const kinds = ['before', 'required-by', 'notifies', 'subscription-of']

/** Containment in the main class, and each further kind between neighbours. */
function edgesAmong(resources) {
  const spec = ({ type, title }) => ({ type, title })
  const main = resources.find(({ title }) => title === 'Main')
  const contained = resources.filter((each) => each !== main && !['Stage', 'Node'].includes(each.type))
  const contains = contained.map((target) => ({ source: spec(main), target: spec(target), relationship: 'contains' }))
  const between = contained.slice(1).map((target, at) => ({
    source: spec(contained[at]),
    target: spec(target),
    relationship: kinds[(at + contained.length) % kinds.length],
  }))
  const stage = { source: { type: 'Stage', title: 'main' }, target: spec(main), relationship: 'contains' }
  return [stage, ...contains, ...between]
}

/** What a catalog was made from. */
export function inputsOf(node) {
  return {
    certname: node.certname,
    catalog_uuid: uuidOf(node, 'catalog', 0),
    producer_timestamp: timeOf(node, 0, 2),
    inputs: [
      ['hiera', 'profile::base::ntp_servers'],
      ['hiera', node.index % 2 ? 'apache::timeout' : 'apache::mpm'],
      ['hiera', `nodes.${node.certname}`],
      ['function', 'puppetdb_query'],
    ],
  }
}

/** A catalog as an older version of its wire format has it. */
export function olderCatalog(catalog, version) {
  const { producer, job_id, ...eight } = catalog
  if (version === 8) return eight
  const { catalog_uuid, ...seven } = eight
  if (version === 7) return seven
  const { code_id, ...six } = seven
  return six
}
