// A made-up site: nodes of ten roles, whose catalogs have most resources of their role in common and a tenth of their own.
import { createHash, randomUUID } from 'node:crypto'

const roles = 10
const day = '2026-11-20'

/** Names of nodes. The first is the one that puppetboard's questions name. */
export function certnames(count) {
  return Array.from({ length: count }, (_, at) => (at === 0 ? 'web01.example.com' : `node${at}.example.com`))
}

/** What is sent of a site: commands as `{ command, version, certname, payload }`, the payload as text. */
export function siteOf({ nodes, resources, facts = 120 }) {
  const names = certnames(nodes)
  const places = new Map(names.map((name, at) => [name, at]))
  const own = Math.round(resources / 10)
  const shared = Array.from({ length: roles }, (_, role) => partOf(`role${role}`, resources - own))
  return {
    names,
    catalog(certname, round) {
      const common = shared[(places.get(certname) ?? 0) % roles]
      const mine = partOf(certname, own)
      const about = aboutCatalog(certname, round)
      const lists = [joined(common.resources, mine.resources), joined(common.edges, mine.edges)]
      const payload = `${about.slice(0, -1)},"resources":[${lists[0]}],"edges":[${lists[1]}]}`
      return { command: 'replace catalog', version: 9, certname, payload }
    },
    facts(certname) {
      const payload = JSON.stringify(factsOf(certname, places.get(certname), facts))
      return { command: 'replace facts', version: 5, certname, payload }
    },
    report(certname) {
      const payload = JSON.stringify(reportOf(certname, places.get(certname)))
      return { command: 'store report', version: 8, certname, payload }
    },
  }
}

function joined(...texts) {
  return texts.filter((text) => text !== '').join(',')
}

/** Resources with their edges, as JSON without brackets. */
function partOf(name, count) {
  const resources = Array.from({ length: count }, (_, at) => resourceOf(name, at))
  const root = { type: 'Class', title: `${name}-0` }
  const edges = resources
    .slice(1)
    .flatMap(({ type, title }, at) => [
      { source: root, target: { type, title }, relationship: 'contains' },
      ...(at > 0 ? [{ source: titleOf(resources[at]), target: { type, title }, relationship: 'before' }] : []),
    ])
  const text = (list) => JSON.stringify(list).slice(1, -1)
  return { resources: text(resources), edges: text(edges) }
}

const titleOf = ({ type, title }) => ({ type, title })

function resourceOf(name, at) {
  const kinds = ['File', 'Package', 'Service', 'Exec', 'User', 'Ini_setting']
  const type = at === 0 ? 'Class' : kinds[at % kinds.length]
  const title = type === 'File' ? `/etc/${name}/file-${at}.conf` : `${name}-${at}`
  const digest = createHash('sha256').update(title).digest('hex')
  const parameters = {
    ...(type === 'File' && {
      ensure: 'file',
      owner: 'root',
      group: 'root',
      mode: '0644',
      content: `# ${digest}\n`.repeat(3),
    }),
    ...(type !== 'File' && { ensure: 'present', value: digest.slice(0, 24), options: { a: at, b: [name, true] } }),
    require: `Package[${name}-1]`,
  }
  const tags = [type.toLowerCase(), name, 'profile', 'class', `profile::${at % 20}`]
  return {
    type,
    title,
    aliases: [],
    exported: false,
    file: `/code/modules/m${at % 20}/init.pp`,
    line: at + 1,
    tags,
    parameters,
  }
}

function aboutCatalog(certname, round) {
  return JSON.stringify({
    certname,
    version: String(1_700_000_000 + round),
    environment: 'production',
    transaction_uuid: randomUUID(),
    catalog_uuid: randomUUID(),
    code_id: null,
    job_id: null,
    producer: 'puppet.example.com',
    producer_timestamp: timeAt(round * 3600),
  })
}

function timeAt(seconds) {
  return new Date(Date.parse(`${day}T06:00:00.000Z`) + seconds * 1000).toISOString()
}

function factsOf(certname, at, count) {
  const many = Array.from({ length: count }, (_, index) => [
    `fact_${index}`,
    `value ${index % 3 === 0 ? at : index % 7}`,
  ])
  const values = {
    ...Object.fromEntries(many),
    clientcert: certname,
    kernel: 'Linux',
    osfamily: ['Debian', 'RedHat', 'Suse'][at % 3],
    os: { name: 'Debian', family: 'Debian', release: { full: '12.11', major: '12' } },
    networking: { ip: `10.0.${at >> 8}.${at & 255}`, interfaces: { eth0: { mtu: 1500 } } },
    trusted: { certname, domain: 'example.com', authenticated: 'remote', extensions: {} },
  }
  return { certname, environment: 'production', producer: 'puppet.example.com', producer_timestamp: timeAt(0), values }
}

const statuses = ['changed', 'unchanged', 'unchanged', 'unchanged', 'failed']

function reportOf(certname, at) {
  const status = statuses[at % statuses.length]
  const resources =
    status === 'unchanged' ? [] : Array.from({ length: 5 }, (_, index) => changed(certname, index, status))
  const metrics = ['total', 'failed', 'changed', 'skipped'].flatMap((name) =>
    ['resources', 'events', 'time'].map((category) => ({ category, name, value: 1 })),
  )
  return {
    ...{ certname, puppet_version: '7.23.0', report_format: 12, configuration_version: '1', environment: 'production' },
    ...{
      start_time: timeAt(at),
      end_time: timeAt(at + 20),
      producer_timestamp: timeAt(at + 21),
      producer: 'puppet.example.com',
    },
    ...{ transaction_uuid: randomUUID(), catalog_uuid: randomUUID(), code_id: null, job_id: null },
    ...{
      cached_catalog_status: 'not_used',
      status,
      noop: false,
      noop_pending: false,
      corrective_change: false,
      type: 'agent',
    },
    ...{
      metrics,
      resources,
      logs: [
        {
          file: null,
          line: null,
          level: 'notice',
          message: 'Applied',
          source: 'Puppet',
          tags: ['notice'],
          time: timeAt(at),
        },
      ],
    },
  }
}

function changed(certname, index, status) {
  const failed = status === 'failed' && index === 0
  const event = {
    ...{
      status: failed ? 'failure' : 'success',
      timestamp: timeAt(index),
      name: 'content_changed',
      property: 'content',
    },
    ...{ new_value: `new ${index}`, old_value: 'old', corrective_change: false, message: 'content changed' },
  }
  return {
    ...{
      skipped: false,
      timestamp: timeAt(index),
      resource_type: 'File',
      resource_title: `/etc/${certname}/file-${index}`,
    },
    ...{ file: '/code/modules/m/init.pp', line: index + 1, corrective_change: false, events: [event] },
    containment_path: ['Stage[main]', `Profile::${index}`, 'File[x]'],
  }
}
