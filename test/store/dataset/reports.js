// The reports of the dataset's nodes.
import { timeOf, uuidOf } from './nodes.js'

/** How a run went, one after another. */
const outcomes = /** @type {const} */ (['changed', 'failed', 'unchanged', 'noop', 'corrective'])

/** The reports of a node in their newest version, 8; the last one is its newest. */
export function reportsOf(node) {
  const count = 2 + (node.index % 2)
  return Array.from({ length: count }, (_, run) =>
    reportOf(node, run, outcomes[(node.index + 2 * run) % outcomes.length]),
  )
}

function reportOf(node, run, outcome) {
  const start = timeOf(node, run * 6, 3)
  const end = timeOf(node, run * 6, 4, 250 * run)
  const noop = outcome === 'noop'
  return {
    certname: node.certname,
    environment: node.environment,
    puppet_version: node.index % 3 === 0 ? '7.23.0' : '8.10.0',
    report_format: 10 + (node.index % 3),
    configuration_version: `${1763000000 + node.index + run}`,
    start_time: start,
    end_time: end,
    producer_timestamp: timeOf(node, run * 6, 5),
    producer: node.producer,
    type: node.index % 9 === 8 && run === 0 ? 'plan' : 'agent',
    corrective_change: outcome === 'corrective',
    noop,
    noop_pending: noop || outcome === 'corrective',
    status: { changed: 'changed', failed: 'failed', corrective: 'changed' }[outcome] ?? 'unchanged',
    transaction_uuid: uuidOf(node, 'transaction', run),
    catalog_uuid: uuidOf(node, 'catalog', run),
    code_id: node.index % 3 === 2 ? null : `c0de${(0x1000 + node.index).toString(16)}`,
    job_id: node.index % 5 === 1 ? `${node.index}` : null,
    cached_catalog_status: ['not_used', 'explicitly_requested', 'on_failure'][node.index % 3],
    resources: statuses[outcome](node, run),
    metrics: metricsOf(node, run, outcome),
    logs: logsOf(node, run, outcome),
  }
}

const manifest = '/etc/puppetlabs/code/environments/production/modules/profile/manifests/base.pp'

function status(node, run, [type, title, within], events, more = {}) {
  return {
    skipped: false,
    timestamp: timeOf(node, run * 6, 3, 30_000 + title.length),
    resource_type: type,
    resource_title: title,
    file: manifest,
    line: title.length,
    containment_path: ['Stage[main]', within, `${type}[${title}]`],
    corrective_change: events.some((each) => each.corrective_change === true),
    events,
    ...more,
  }
}

function event(node, run, name, values, more = {}) {
  const { property = 'ensure', old_value = 'absent', new_value = 'file' } = values
  return {
    status: 'success',
    timestamp: timeOf(node, run * 6, 3, 31_000 + 500 * name.length),
    name,
    property,
    new_value,
    old_value,
    message: `${property} changed ${JSON.stringify(old_value)} to ${JSON.stringify(new_value)}`,
    corrective_change: false,
    ...more,
  }
}

const motd = ['File', '/etc/motd', 'Profile::Base']
const ntp = ['Service', 'ntp', 'Profile::Base']
const notify = ['Notify', 'Grüße "世界"', 'Class[Main]']
const user = ['User', 'alice', 'Users']

const statuses = {
  changed: (node, run) => [
    status(node, run, motd, [
      event(node, run, 'motd_content', { property: 'content', old_value: '{sha256}00ff', new_value: '{sha256}ff00' }),
      event(node, run, 'motd_mode', { property: 'mode', old_value: '0600', new_value: '0644' }),
    ]),
    status(
      node,
      run,
      notify,
      [event(node, run, 'message', { property: 'message', old_value: 'absent', new_value: 'ü' })],
      { file: null, line: null },
    ),
    status(node, run, user, [
      event(node, run, 'groups_changed', { property: 'groups', old_value: ['adm'], new_value: ['adm', 'sudo'] }),
    ]),
  ],
  failed: (node, run) => [
    status(node, run, ntp, [
      event(
        node,
        run,
        'ntp_failed',
        { old_value: 'stopped', new_value: 'running' },
        { status: 'failure', message: 'Could not start: exit 1' },
      ),
    ]),
    status(node, run, ['Exec', 'after ntp', 'Profile::Base'], [], { skipped: true }),
    status(node, run, ['File', '/etc/after', 'Profile::Base'], [], { skipped: true, file: null, line: null }),
    status(node, run, motd, [
      event(node, run, 'motd_created', { old_value: null, new_value: { mode: '0644', size: 12 } }, { message: null }),
    ]),
  ],
  unchanged: () => [],
  noop: (node, run) => [
    status(node, run, ntp, [
      event(
        node,
        run,
        'ntp_noop',
        { old_value: 'stopped', new_value: 'running' },
        { status: 'noop', message: 'current_value stopped, should be running (noop)' },
      ),
    ]),
    status(node, run, user, [
      event(
        node,
        run,
        'uid_noop',
        { property: 'uid', old_value: 1000, new_value: 1001 },
        { status: 'noop', name: 'uid_noop' },
      ),
    ]),
    status(
      node,
      run,
      ['Whit', 'admissible', 'Class[Main]'],
      [
        event(
          node,
          run,
          'nothing',
          { property: null, old_value: null, new_value: null },
          { status: 'noop', message: null },
        ),
      ],
      { containment_path: [] },
    ),
  ],
  corrective: (node, run) => [
    status(node, run, motd, [
      event(
        node,
        run,
        'motd_corrected',
        { property: 'content', old_value: '{sha256}bad', new_value: '{sha256}good' },
        { corrective_change: true },
      ),
      event(
        node,
        run,
        'audit',
        { property: 'mtime', old_value: true, new_value: false },
        { status: 'audit', corrective_change: null },
      ),
    ]),
    status(node, run, ntp, [
      event(node, run, 'ntp_restarted', { old_value: 0, new_value: 1.5 }, { corrective_change: true }),
    ]),
  ],
}

function metricsOf(node, run, outcome) {
  const total = outcome === 'unchanged' ? 0 : 3
  const metric = (category, name, value) => ({ category, name, value })
  return [
    metric('resources', 'total', 15 + node.index),
    metric('resources', 'changed', outcome === 'changed' ? total : 0),
    metric('resources', 'failed', outcome === 'failed' ? 1 : 0),
    metric('time', 'config_retrieval', 1.25 + 0.001 * run),
    metric('time', 'total', 4.5 + run),
    metric('changes', 'total', total),
    metric('events', 'total', total),
  ]
}

function logsOf(node, run, outcome) {
  const log = (level, source, message, more = {}) => {
    return {
      file: null,
      line: null,
      level,
      message,
      source,
      tags: [level],
      time: timeOf(node, run * 6, 3, 45_000),
      ...more,
    }
  }
  const end = log('notice', 'Puppet', `Applied catalog in ${4 + run}.50 seconds`)
  const failure = log(
    'err',
    '/Stage[main]/Profile::Base/Service[ntp]/ensure',
    'change from "stopped" to "running" failed: exit 1',
    { file: manifest, line: 3, tags: ['err', 'service', 'ntp', 'profile::base'] },
  )
  const unicode = log('warning', 'Puppet', 'Grüße 世界 🚀\nsecond line', { tags: [] })
  return { failed: [failure, end], changed: [unicode, end], unchanged: [] }[outcome] ?? [end]
}

/** A report as an older version of its wire format has it. */
export function olderReport(report, version) {
  const { producer, noop_pending, corrective_change, job_id, type, ...seven } = report
  const resources = report.resources.map(({ corrective_change: _, events, ...resource }) => ({
    ...resource,
    events: events.map(({ corrective_change: __, name, ...each }) => each),
  }))
  if (version === 7) return { ...seven, resources }
  const { catalog_uuid, cached_catalog_status, code_id, ...six } = seven
  if (version === 6) return { ...six, resources }
  const { resources: _, ...five } = six
  return { ...five, resource_events: resources.flatMap(eventsOfVersion5) }
}

/** In version 5 each event has its resource with it; a skipped resource is an event. */
function eventsOfVersion5({ skipped, events, ...resource }) {
  const skip = { ...resource, status: 'skipped', property: null, new_value: null, old_value: null, message: null }
  return skipped ? [skip] : events.map((each) => ({ ...resource, ...each }))
}
