// A fleet of any size as commands for a store: for pages to be looked at and measured. The same every time, but for `now`.

/**
 * A command for a store, and its place in time.
 * @typedef {object} FleetCommand
 * @property {'replace catalog' | 'replace facts' | 'store report'} name
 * @property {number} version
 * @property {{ readonly certname: string } & Readonly<Record<string, unknown>>} payload
 */

const minute = 60_000
const roles = ['web', 'web', 'web', 'app', 'app', 'db', 'cache', 'mail', 'build', 'monitor']
const sites = ['fra', 'ams', 'nyc', 'sin']
const systems = [
  ['Debian', 'Debian', '12', '12.11', '6.1.0-37-amd64'],
  ['Ubuntu', 'Debian', '24.04', '24.04', '6.8.0-60-generic'],
  ['Rocky', 'RedHat', '9', '9.6', '5.14.0-570.el9'],
]
const producer = 'puppet.example.com'

/** A number below `most` that belongs to some texts and numbers. */
function chance(most, ...parts) {
  let hash = 2166136261
  for (const char of parts.join('/')) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  return ((hash ^ (hash >>> 13)) >>> 0) % most
}

const hex = (length, ...parts) => Array.from({ length }, (_, at) => chance(16, at, ...parts).toString(16)).join('')
const uuid = (...parts) =>
  `${hex(8, ...parts)}-${hex(4, 'b', ...parts)}-4${hex(3, 'c', ...parts)}-a${hex(3, 'd', ...parts)}-${hex(12, 'e', ...parts)}`
const iso = (time) => new Date(time).toISOString()

/**
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.resources of each catalog
 * @param {number} options.runs of each node, half an hour apart
 * @param {number} options.now milliseconds since 1970
 * @param {readonly string[]} options.commits of production, the oldest first; the last one was pushed 22 minutes ago
 * @returns {Generator<FleetCommand>}
 */
export function* fleetCommands({ nodes, resources, runs, now, commits }) {
  for (let index = 0; index < nodes; index++) {
    const node = nodeOf(index, { now, commits })
    yield { name: 'replace facts', version: 5, payload: factsOf(node) }
    const [before, last] = [codeAt(node, node.last - 90 * minute), codeAt(node, node.last)]
    if (before !== last) yield catalogOf(node, { resources, time: node.last - 90 * minute, codeId: before })
    yield catalogOf(node, { resources, time: node.last, codeId: last })
    for (let run = runs - 1; run >= 0; run--) yield { name: 'store report', version: 8, payload: reportOf(node, run) }
  }
}

function nodeOf(index, { now, commits }) {
  const role = roles[index % roles.length]
  const site = sites[chance(sites.length, 'site', index)]
  const silent = chance(70, 'silent', index) === 0
  const certname = `${role}${String(1 + index).padStart(3, '0')}.${site}.example.com`
  const environment = chance(12, 'environment', index) === 0 ? 'staging' : 'production'
  const last =
    now - chance(30 * minute, 'minute', index) - (silent ? 5 * 60 * minute + chance(50 * 60 * minute, index) : 0)
  const [name, family, major, full, kernel] = systems[chance(systems.length, 'system', index)]
  return {
    index,
    role,
    site,
    certname,
    environment,
    last,
    now,
    commits,
    noop: chance(60, 'noop', index) === 0,
    name,
    family,
    major,
    full,
    kernel,
  }
}

/** The commit that a node's environment had at a time. */
function codeAt({ environment, commits, now }, time) {
  if (environment === 'staging') return commits[commits.length - 2]
  return commits[commits.length - (time > now - 22 * minute ? 1 : time > now - 20 * 60 * minute ? 2 : 3)]
}

function factsOf({ certname, environment, last, index, role, site, name, family, major, full, kernel }) {
  const [hostname] = certname.split('.')
  const ip = `10.${chance(4, site)}.${index >> 8}.${index & 255}`
  const values = {
    kernel: 'Linux',
    kernelrelease: kernel,
    hostname,
    fqdn: certname,
    clientcert: certname,
    clientversion: '8.10.0',
    domain: `${site}.example.com`,
    ipaddress: ip,
    is_virtual: true,
    virtual: 'kvm',
    timezone: 'UTC',
    role,
    site,
    os: {
      name,
      family,
      architecture: 'amd64',
      hardware: 'x86_64',
      release: { full, major },
      selinux: { enabled: family === 'RedHat' },
    },
    networking: {
      hostname,
      fqdn: certname,
      domain: `${site}.example.com`,
      ip,
      mac: `02:00:00:00:${hex(2, index)}:${hex(2, index, 'm')}`,
      mtu: 1500,
      primary: 'eth0',
      interfaces: {
        eth0: {
          ip,
          mtu: 1500,
          bindings: [{ address: ip, netmask: '255.255.0.0', network: `10.${chance(4, site)}.0.0` }],
        },
        lo: { ip: '127.0.0.1', mtu: 65536 },
      },
    },
    processors: { count: 4 << chance(3, 'cpu', index), isa: 'x86_64', models: ['AMD EPYC 7763 64-Core Processor'] },
    memory: {
      system: {
        total: '31.26 GiB',
        total_bytes: 33569992704,
        used_bytes: 9_000_000_000 + chance(9e9, index),
        capacity: `${20 + chance(60, index)}.31%`,
      },
    },
    mountpoints: {
      '/': {
        device: '/dev/vda1',
        filesystem: 'ext4',
        size: '98.30 GiB',
        options: ['rw', 'relatime'],
        capacity: `${10 + chance(80, 'disk', index)}.07%`,
      },
    },
    system_uptime: { days: chance(400, 'up', index), uptime: `${chance(400, 'up', index)} days` },
    load_averages: { '1m': chance(300, 'load', index) / 100, '5m': 0.42, '15m': 0.4 },
    ssh: { ed25519: { type: 'ssh-ed25519', fingerprints: { sha256: `SSHFP 4 2 ${hex(64, 'ssh', index)}` } } },
    trusted: {
      authenticated: 'remote',
      certname,
      hostname,
      domain: `${site}.example.com`,
      extensions: { pp_role: role },
      external: {},
    },
  }
  return { certname, environment, producer, producer_timestamp: iso(last - 5000), values }
}

const manifest = (file) => `/etc/plumb/code/${file}`

function catalogOf(node, { resources, time, codeId }) {
  const list = resourcesOf(node, resources, codeId)
  const contains = list.slice(1).map(({ type, title }) => ({
    source: { type: 'Class', title: 'Main' },
    target: { type, title },
    relationship: 'contains',
  }))
  const payload = {
    certname: node.certname,
    version: String(Math.floor(time / 1000)),
    environment: node.environment,
    producer,
    transaction_uuid: uuid('t', node.index, time),
    catalog_uuid: uuid('c', node.index, codeId),
    code_id: codeId,
    job_id: null,
    producer_timestamp: iso(time),
    edges: contains,
    resources: list,
  }
  return { name: /** @type {const} */ ('replace catalog'), version: 9, payload }
}

function resource(type, title, parameters, more = {}) {
  const tags = [...new Set([type.toLowerCase(), ...type.toLowerCase().split('::')])]
  return {
    type,
    title,
    exported: false,
    file: manifest('site/profile/manifests/base.pp'),
    line: 3 + title.length,
    aliases: [],
    parameters,
    ...more,
    tags,
  }
}

function resourcesOf({ certname, role, index, site, commits }, count, codeId) {
  const newest = codeId === commits[commits.length - 1]
  const known = [
    resource('Class', 'Main', { name: 'main' }, { file: null, line: null }),
    resource('Class', 'Profile::Base', { ntp_servers: ['0.pool.ntp.org', '1.pool.ntp.org'], motd: true }),
    resource('Class', `Role::${role[0].toUpperCase()}${role.slice(1)}`, {}),
    resource('File', '/etc/motd', {
      ensure: 'file',
      mode: '0644',
      owner: 'root',
      content: `${certname}\n${newest ? 'Managed by Plumbline.\n' : ''}Site: ${site}\n`,
    }),
    resource('Package', 'openssh-server', { ensure: newest ? '1:9.2p1-2+deb12u7' : '1:9.2p1-2+deb12u6' }),
    resource('Service', 'ssh', { ensure: 'running', enable: true, require: 'Package[openssh-server]' }),
    resource('Package', 'chrony', { ensure: 'installed' }),
    resource('Service', 'chrony', { ensure: 'running', enable: true }),
    resource(
      'Sshkey',
      certname,
      { ensure: 'present', type: 'ssh-ed25519', key: `AAAAC3NzaC1lZDI1NTE5AAAAI${hex(43, 'key', index)}` },
      { exported: true },
    ),
    ...(role === 'web'
      ? [
          resource(
            'Haproxy::Balancermember',
            certname,
            { listening_service: 'web', ports: ['443'], ipaddresses: certname, options: ['check', 'inter 2s'] },
            { exported: true },
          ),
        ]
      : []),
    ...(role === 'monitor'
      ? [resource('Sshkey', `web001.fra.example.com`, { ensure: 'present', type: 'ssh-ed25519' })]
      : []),
    ...(newest
      ? [
          resource('File', '/etc/ssh/sshd_config.d/10-hardening.conf', {
            ensure: 'file',
            mode: '0600',
            content: 'PermitRootLogin no\nPasswordAuthentication no\n',
          }),
        ]
      : []),
  ]
  const rest = Array.from({ length: Math.max(0, count - known.length) }, (_, at) =>
    at % 3 === 0
      ? resource('File', `/etc/${role}/conf.d/${String(at).padStart(3, '0')}.conf`, {
          ensure: 'file',
          mode: '0644',
          owner: 'root',
          group: 'root',
          source: `puppet:///modules/${role}/conf.d/${at}.conf`,
        })
      : at % 3 === 1
        ? resource('Package', `lib${role}-${at}`, { ensure: 'installed' })
        : resource('Cron', `${role}-job-${at}`, {
            command: `/usr/local/bin/${role}-job ${at} >/dev/null`,
            minute: at % 60,
            user: 'root',
          }),
  )
  return [...known, ...rest]
}

/** @type {readonly (readonly [below: number, outcome: string])[]} Shares of a hundred. */
const outcomes = [
  [3, 'failed'],
  [6, 'corrective'],
  [13, 'changed'],
  [100, 'unchanged'],
]

function reportOf(node, run) {
  const start = node.last - run * 30 * minute
  const draw = chance(100, 'outcome', node.index, run)
  const outcome = node.noop
    ? draw < 40
      ? 'noop'
      : 'unchanged'
    : (outcomes.find(([below]) => draw < below) ?? outcomes[3])[1]
  const end = start + 9000 + chance(30_000, 'duration', node.index, run)
  const { certname, environment } = node
  return {
    certname,
    environment,
    producer,
    puppet_version: '8.10.0',
    report_format: 12,
    configuration_version: codeAt(node, start).slice(0, 12),
    start_time: iso(start),
    end_time: iso(end),
    producer_timestamp: iso(end + 200),
    type: 'agent',
    corrective_change: outcome === 'corrective',
    noop: node.noop,
    noop_pending: outcome === 'noop',
    status: { failed: 'failed', corrective: 'changed', changed: 'changed' }[outcome] ?? 'unchanged',
    transaction_uuid: uuid('r', node.index, run, start),
    catalog_uuid: uuid('c', node.index, codeAt(node, start)),
    code_id: codeAt(node, start),
    job_id: null,
    cached_catalog_status: 'not_used',
    resources: statusesOf(outcome, node, end),
    metrics: metricsOf(outcome, (end - start) / 1000),
    logs: logsOf(outcome, node, end),
  }
}

const troubles = [
  [
    'Package',
    'nginx',
    'ensure',
    'absent',
    'latest',
    "Could not update: Execution of '/usr/bin/apt-get -q -y install nginx' returned 100: E: Unable to locate package nginx",
  ],
  [
    'Service',
    'chrony',
    'ensure',
    'stopped',
    'running',
    'Systemd start for chrony failed!\njournalctl log for chrony:\nCould not open /etc/chrony/chrony.keys: Permission denied',
  ],
  [
    'Exec',
    'reload-certificates',
    'returns',
    'notrun',
    ['0'],
    "'/usr/local/bin/reload-certificates' returned 1 instead of one of [0]",
  ],
]

/** @param {readonly any[]} trouble */
function statusOf([type, title, property, old_value, new_value, message], status, end, corrective = false) {
  const place = { file: manifest('site/profile/manifests/base.pp'), line: 3 + title.length }
  return {
    skipped: false,
    timestamp: iso(end - 2000),
    resource_type: type,
    resource_title: title,
    ...place,
    containment_path: ['Stage[main]', 'Profile::Base', `${type}[${title}]`],
    corrective_change: corrective,
    events: [
      {
        status,
        timestamp: iso(end - 1500),
        name: `${property}_changed`,
        property,
        old_value,
        new_value,
        message,
        corrective_change: corrective,
      },
    ],
  }
}

const motd = [
  'File',
  '/etc/motd',
  'content',
  '{sha256}2f1d…',
  '{sha256}9a4c…',
  "content changed '{sha256}2f1d' to '{sha256}9a4c'",
]
const ssh = ['Service', 'ssh', 'ensure', 'stopped', 'running', "ensure changed 'stopped' to 'running'"]

function statusesOf(outcome, { index }, end) {
  switch (outcome) {
    case 'failed':
      return [statusOf(troubles[chance(troubles.length, 'trouble', index)], 'failure', end)]
    case 'corrective':
      return [statusOf(ssh, 'success', end, true)]
    case 'changed':
      return [statusOf(motd, 'success', end)]
    case 'noop':
      return [statusOf([...motd.slice(0, 5), "content changed '{sha256}2f1d' to '{sha256}9a4c' (noop)"], 'noop', end)]
    default:
      return []
  }
}

function metricsOf(outcome, seconds) {
  const one = outcome === 'unchanged' ? 0 : 1
  const rows = [
    ['resources', 'total', 412],
    ['resources', 'changed', outcome === 'changed' || outcome === 'corrective' ? 1 : 0],
    ['resources', 'failed', outcome === 'failed' ? 1 : 0],
    ['resources', 'out_of_sync', one],
    ['resources', 'skipped', outcome === 'failed' ? 2 : 0],
    ['resources', 'restarted', 0],
    ['resources', 'corrective_change', outcome === 'corrective' ? 1 : 0],
    ['time', 'config_retrieval', 0.41],
    ['time', 'fact_generation', 1.92],
    ['time', 'file', 0.72],
    ['time', 'package', 2.31],
    ['time', 'service', 0.9],
    ['time', 'total', seconds],
    ['events', 'total', one],
    ['events', 'success', outcome === 'failed' ? 0 : one],
    ['events', 'failure', outcome === 'failed' ? 1 : 0],
    ['changes', 'total', one],
  ]
  return rows.map(([category, name, value]) => ({ category, name, value }))
}

function logsOf(outcome, { certname, index }, end) {
  const log = (level, source, message, at) => ({
    level,
    source,
    message,
    tags: [level],
    time: iso(end - at),
    file: source.startsWith('/') ? manifest('site/profile/manifests/base.pp') : null,
    line: source.startsWith('/') ? 17 : null,
  })
  const trouble = troubles[chance(troubles.length, 'trouble', index)]
  const body = {
    failed: [
      log(
        'err',
        `/Stage[main]/Profile::Base/${trouble[0]}[${trouble[1]}]/${trouble[2]}`,
        `change from ${JSON.stringify(trouble[3])} to ${JSON.stringify(trouble[4])} failed: ${trouble[5]}`,
        1500,
      ),
      log('warning', '/Stage[main]/Profile::Base/Exec[after]', 'Skipping because of failed dependencies', 1200),
    ],
    corrective: [
      log(
        'notice',
        '/Stage[main]/Profile::Base/Service[ssh]/ensure',
        "ensure changed 'stopped' to 'running' (corrective)",
        1500,
      ),
    ],
    changed: [
      log(
        'notice',
        '/Stage[main]/Profile::Base/File[/etc/motd]/content',
        "content changed '{sha256}2f1d' to '{sha256}9a4c'",
        1500,
      ),
    ],
    noop: [
      log(
        'notice',
        '/Stage[main]/Profile::Base/File[/etc/motd]/content',
        "content changed '{sha256}2f1d' to '{sha256}9a4c' (noop)",
        1500,
      ),
    ],
  }[outcome]
  return [
    log('info', 'Puppet', `Applying configuration version for ${certname}`, 6000),
    ...(body ?? []),
    log('notice', 'Puppet', 'Applied catalog in 8.31 seconds', 10),
  ]
}
