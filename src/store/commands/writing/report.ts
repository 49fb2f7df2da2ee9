import { defineIssues, fail } from '../../../base/issue.ts'
import { type ExactJson, type ExactObject, entriesOf, isExactObject, memberOf } from '../../../base/json/exact-json.ts'
import { fromRichData } from '../../../language/rich-data/rich-data.ts'
import { rubyText } from '../../../language/types/printing/ruby-text.ts'
import { later, wireTime } from './wire-moment.ts'

const issues = defineIssues({
  REPORT_ENVIRONMENT: {
    text: () =>
      'Environment is nil, unable to submit report. This may be due a bug with Puppet. ' +
      'Ensure you are running the latest revision, see PUP-2508 for more details.',
  },
})

/** Data that is sent with a report, but is not part of it. */
export interface ReportSending {
  readonly producer: string
  readonly producerTimestamp: string
  /** True to include unchanged resources. */
  readonly includeUnchanged: boolean
}

/**
 * Converts an agent's report to the payload of `store report` 8. puppet-terminus-puppetdb:
 * reports/puppetdb.rb.
 */
export function reportPayload(report: ExactObject, sending: ReportSending): ExactObject {
  const get = (key: string): ExactJson => memberOf(report, key) ?? null
  if (get('environment') === null) fail(issues.REPORT_ENVIRONMENT, {})
  const all = valuesIn(get('resource_statuses')).map(resourcePayload)
  const resources = sending.includeUnchanged ? all : all.filter(({ events, skipped }) => events.length > 0 || skipped)
  const statuses = resources.flatMap(({ events }) => events.map((event) => memberOf(event, 'status')))
  const onlyNoop = statuses.includes('noop') && statuses.every((status) => status === 'noop')
  const time = String(get('time'))
  return {
    certname: get('host'),
    job_id: get('job_id'),
    puppet_version: get('puppet_version'),
    report_format: get('report_format'),
    configuration_version: textOf(get('configuration_version')),
    producer_timestamp: sending.producerTimestamp,
    start_time: wireTime(time),
    end_time: later(time, durationOf(get('metrics'))),
    environment: get('environment'),
    transaction_uuid: get('transaction_uuid'),
    status: get('status'),
    noop: get('noop') ?? onlyNoop,
    noop_pending: get('noop_pending'),
    corrective_change: get('corrective_change'),
    logs: listOf(get('logs')).map(logPayload),
    metrics: valuesIn(get('metrics')).flatMap(metricPayloads),
    resources: resources as unknown as ExactJson,
    catalog_uuid: get('catalog_uuid'),
    code_id: get('code_id'),
    cached_catalog_status: get('cached_catalog_status'),
    producer: sending.producer,
  }
}

function resourcePayload(status: ExactObject) {
  const get = (key: string): ExactJson => memberOf(status, key) ?? null
  return {
    skipped: get('skipped'),
    timestamp: wireTime(String(get('time'))),
    resource_type: get('resource_type'),
    resource_title: textOf(get('title')),
    file: get('file'),
    line: get('line'),
    containment_path: get('containment_path'),
    corrective_change: get('corrective_change'),
    events: listOf(get('events')).map(eventPayload),
  }
}

function eventPayload(event: ExactObject): ExactObject {
  const get = (key: string): ExactJson => memberOf(event, key) ?? null
  return {
    status: get('status'),
    timestamp: wireTime(String(get('time'))),
    name: get('name'),
    property: get('property'),
    new_value: textOf(get('desired_value')),
    old_value: textOf(get('previous_value')),
    corrective_change: get('corrective_change'),
    message: get('message'),
  }
}

function logPayload(log: ExactObject): ExactObject {
  const get = (key: string): ExactJson => memberOf(log, key) ?? null
  return {
    file: get('file'),
    line: get('line'),
    level: get('level'),
    message: get('message'),
    source: get('source'),
    tags: get('tags') ?? [],
    time: wireTime(String(get('time'))),
  }
}

function metricPayloads(metric: ExactObject): ExactObject[] {
  const values = (memberOf(metric, 'values') ?? []) as readonly (readonly ExactJson[])[]
  const category = memberOf(metric, 'name') ?? null
  return values.map((value) => ({ category, name: value[0] ?? null, value: value.at(-1) ?? null }))
}

/** Duration of the run in seconds; 0 if the run failed before it measured its duration. */
function durationOf(metrics: ExactJson): number {
  const values = memberOf(memberOf(metrics, 'time'), 'values')
  const total = Array.isArray(values) ? values.find((each) => memberOf(each, '0') === 'total') : undefined
  return Array.isArray(total) ? Number(total.at(-1)) : 0
}

function listOf(value: ExactJson): readonly ExactObject[] {
  return Array.isArray(value) ? value.filter(isExactObject) : []
}

function valuesIn(value: ExactJson): readonly ExactObject[] {
  return isExactObject(value) ? listOf(Array.from(entriesOf(value), ([, each]) => each ?? null)) : []
}

/** Formats a value like Ruby's `to_s`. */
function textOf(value: ExactJson): string {
  return rubyText(fromRichData(value))
}
