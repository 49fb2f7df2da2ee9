import { defineIssues, throwIssue } from '../../../base/issue.ts'
import {
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../../../base/json/exact-json.ts'
import { readRichData } from '../../../language/rich-data/rich-data.ts'
import { formatAsString } from '../../../language/types/printing/ruby-text.ts'
import { addSeconds, formatWireTime } from './report-time.ts'

const issues = defineIssues({
  REPORT_ENVIRONMENT: {
    text: () =>
      'Environment is nil, unable to submit report. This may be due a bug with Puppet. ' +
      'Ensure you are running the latest revision, see PUP-2508 for more details.',
  },
})

/** Data that is sent with a report, but is not part of it. */
export interface ReportEnvelope {
  readonly producer: string
  readonly producerTimestamp: string
  /** True to include unchanged resources. */
  readonly includeUnchanged: boolean
}

/**
 * Converts an agent's report to the payload of `store report` 8. puppet-terminus-puppetdb:
 * reports/puppetdb.rb.
 */
export function buildReportPayload(report: ExactObject, sending: ReportEnvelope): ExactObject {
  const getField = (key: string): ExactJson => getMember(report, key) ?? null
  if (getField('environment') === null) throwIssue(issues.REPORT_ENVIRONMENT, {})
  const all = listObjectValues(getField('resource_statuses')).map(buildResourcePayload)
  const resources = sending.includeUnchanged ? all : all.filter(({ events, skipped }) => events.length > 0 || skipped)
  const statuses = resources.flatMap(({ events }) => events.map((event) => getMember(event, 'status')))
  const onlyNoop = statuses.includes('noop') && statuses.every((status) => status === 'noop')
  const time = String(getField('time'))
  return {
    certname: getField('host'),
    job_id: getField('job_id'),
    puppet_version: getField('puppet_version'),
    report_format: getField('report_format'),
    configuration_version: formatRubyText(getField('configuration_version')),
    producer_timestamp: sending.producerTimestamp,
    start_time: formatWireTime(time),
    end_time: addSeconds(time, getRunDuration(getField('metrics'))),
    environment: getField('environment'),
    transaction_uuid: getField('transaction_uuid'),
    status: getField('status'),
    noop: getField('noop') ?? onlyNoop,
    noop_pending: getField('noop_pending'),
    corrective_change: getField('corrective_change'),
    logs: filterObjects(getField('logs')).map(buildLogPayload),
    metrics: listObjectValues(getField('metrics')).flatMap(buildMetricPayloads),
    resources: resources as unknown as ExactJson,
    catalog_uuid: getField('catalog_uuid'),
    code_id: getField('code_id'),
    cached_catalog_status: getField('cached_catalog_status'),
    producer: sending.producer,
  }
}

function buildResourcePayload(status: ExactObject) {
  const getField = (key: string): ExactJson => getMember(status, key) ?? null
  return {
    skipped: getField('skipped'),
    timestamp: formatWireTime(String(getField('time'))),
    resource_type: getField('resource_type'),
    resource_title: formatRubyText(getField('title')),
    file: getField('file'),
    line: getField('line'),
    containment_path: getField('containment_path'),
    corrective_change: getField('corrective_change'),
    events: filterObjects(getField('events')).map(buildEventPayload),
  }
}

function buildEventPayload(event: ExactObject): ExactObject {
  const getField = (key: string): ExactJson => getMember(event, key) ?? null
  return {
    status: getField('status'),
    timestamp: formatWireTime(String(getField('time'))),
    name: getField('name'),
    property: getField('property'),
    new_value: formatRubyText(getField('desired_value')),
    old_value: formatRubyText(getField('previous_value')),
    corrective_change: getField('corrective_change'),
    message: getField('message'),
  }
}

function buildLogPayload(log: ExactObject): ExactObject {
  const getField = (key: string): ExactJson => getMember(log, key) ?? null
  return {
    file: getField('file'),
    line: getField('line'),
    level: getField('level'),
    message: getField('message'),
    source: getField('source'),
    tags: getField('tags') ?? [],
    time: formatWireTime(String(getField('time'))),
  }
}

function buildMetricPayloads(metric: ExactObject): ExactObject[] {
  const values = (getMember(metric, 'values') ?? []) as readonly (readonly ExactJson[])[]
  const category = getMember(metric, 'name') ?? null
  return values.map((value) => ({ category, name: value[0] ?? null, value: value.at(-1) ?? null }))
}

/** Duration of the run in seconds; 0 if the run failed before it measured its duration. */
function getRunDuration(metrics: ExactJson): number {
  const values = getMember(getMember(metrics, 'time'), 'values')
  const total = Array.isArray(values) ? values.find((each) => getMember(each, '0') === 'total') : undefined
  return Array.isArray(total) ? Number(total.at(-1)) : 0
}

function filterObjects(value: ExactJson): readonly ExactObject[] {
  return Array.isArray(value) ? value.filter(isExactObject) : []
}

function listObjectValues(value: ExactJson): readonly ExactObject[] {
  return isExactObject(value) ? filterObjects(Array.from(getEntries(value), ([, each]) => each ?? null)) : []
}

/** Formats a value like Ruby's `to_s`. */
function formatRubyText(value: ExactJson): string {
  return formatAsString(readRichData(value))
}
