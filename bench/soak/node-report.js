// The report of a run: a status for each resource of the catalog, of which one changed.
import { puppetVersion } from '#built/base/puppet-version.js'

/** What the agent says after it applied a catalog. */
export function nodeReport(certname, catalog) {
  const time = new Date().toISOString()
  const statuses = catalog.resources.map((resource, index) => statusOf(resource, index === 0, time))
  return {
    host: certname,
    time,
    configuration_version: catalog.version,
    transaction_uuid: '00000000-0000-4000-8000-000000000000',
    report_format: 12,
    puppet_version: puppetVersion,
    status: 'changed',
    transaction_completed: true,
    noop: false,
    noop_pending: false,
    environment: catalog.environment,
    code_id: catalog.code_id,
    cached_catalog_status: 'not_used',
    corrective_change: false,
    logs: [{ level: 'notice', message: 'Applied catalog in 1.02 seconds', source: 'Puppet', tags: ['notice'], time }],
    metrics: {
      resources: { name: 'resources', label: 'Resources', values: [['total', 'Total', statuses.length]] },
      time: { name: 'time', label: 'Time', values: [['total', 'Total', 1.02]] },
    },
    resource_statuses: Object.fromEntries(statuses.map((each) => [each.resource, each])),
  }
}

function statusOf({ type, title, file, line, tags = [] }, changed, time) {
  const message = "content changed '{sha256}old' to '{sha256}new'"
  return {
    title,
    resource: `${type}[${title}]`,
    resource_type: type,
    file,
    line,
    tags,
    time,
    containment_path: ['Stage[main]', 'Profile::Base', `${type}[${title}]`],
    evaluation_time: 0.001,
    failed: false,
    failed_to_restart: false,
    changed,
    out_of_sync: changed,
    skipped: false,
    change_count: changed ? 1 : 0,
    out_of_sync_count: changed ? 1 : 0,
    corrective_change: false,
    events: changed ? [{ name: 'content_changed', property: 'content', message, status: 'success', time }] : [],
  }
}
