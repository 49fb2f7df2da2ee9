import type { ExactJson, WholeFloat } from '../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../base/json/json-checks.ts'
import { formatYaml } from '../language/ruby-semantics/yaml/yaml-text.ts'

/** A report of an agent run. protocol.md 9, format 12; the properties are named as in the wire format. */
export interface Report {
  readonly host: string
  readonly time: string
  readonly configuration_version: number | string
  readonly transaction_uuid: string
  readonly report_format: 12
  readonly puppet_version: string
  readonly status: 'failed' | 'changed' | 'unchanged'
  readonly transaction_completed: boolean
  readonly noop: boolean
  readonly noop_pending: boolean
  readonly environment: string
  readonly logs: readonly ReportLog[]
  readonly metrics: Readonly<Record<string, ReportMetric>>
  readonly resource_statuses: Readonly<Record<string, ResourceStatus>>
  readonly corrective_change: boolean
  readonly server_used?: string
  readonly catalog_uuid?: string
  readonly code_id?: string
  readonly job_id?: string
  readonly cached_catalog_status?: 'not_used' | 'explicitly_requested' | 'on_failure'
}

/** A log line of a report. */
export interface ReportLog {
  readonly level: string
  readonly message: string
  readonly source: string
  readonly tags: readonly string[]
  readonly time: string
  readonly file: string | null
  readonly line: number | null
}

/** A metric of a report: the values of one group, such as `resources` or `time`. */
export interface ReportMetric {
  readonly name: string
  readonly label: string
  readonly values: readonly (readonly [name: string, label: string, value: number | WholeFloat])[]
}

/** The status of one resource in a run. */
export interface ResourceStatus {
  readonly title: string
  readonly file: string | null
  readonly line: number | null
  readonly resource: string
  readonly resource_type: string
  readonly provider_used: string | null
  readonly containment_path: readonly string[]
  readonly evaluation_time: number | WholeFloat | null
  readonly tags: readonly string[]
  readonly time: string
  readonly failed: boolean
  readonly failed_to_restart: boolean
  readonly changed: boolean
  readonly out_of_sync: boolean
  readonly skipped: boolean
  readonly change_count: number
  readonly out_of_sync_count: number
  readonly events: readonly ReportEvent[]
  readonly corrective_change: boolean
}

/** A change in a run; the change was made, or only detected. */
export interface ReportEvent {
  readonly audited: boolean
  readonly property: string | null
  readonly previous_value: unknown
  readonly desired_value: unknown
  readonly historical_value: unknown
  readonly message: string
  readonly name: string | null
  readonly status: 'success' | 'failure' | 'noop' | 'audit'
  readonly time: string
  readonly redacted: boolean | null
  readonly corrective_change: boolean
}

/** A report received by a server: the fields that report processors use, and the complete text. */
export interface ReceivedReport extends Pick<Report, 'host' | 'time' | 'status'> {
  readonly logs: readonly Pick<ReportLog, 'level' | 'message' | 'source'>[]
  /** Number of log lines that are omitted from `logs`. */
  readonly unsaid?: number
  /** The complete report as JSON in UTF-8. */
  readonly text: Uint8Array
  /** The report as YAML in UTF-8; set if the YAML was created when the text was parsed. */
  readonly yaml?: Uint8Array
  /**
   * The payload for a store, or the reason why there is no payload; set if it was determined when the text was parsed.
   */
  readonly stored?: { readonly payload: Uint8Array } | { readonly problem: string }
}

/** Formats a report as YAML, with the class name that Puppet's tools for stored reports expect. */
export function formatReportYaml(body: ExactJson): Uint8Array {
  return Buffer.from(formatYaml(body, '!ruby/object:Puppet::Transaction::Report'))
}

/** Parses a report sent by an agent; validates the fields that are needed to store and display the report. */
export function reportFromWire(body: unknown): Omit<ReceivedReport, 'text'> {
  const report = checkJsonObject(body, 'report')
  const logs = checkJsonArray(report['logs'], 'report.logs')
  for (const [index, log] of logs.entries()) {
    const { level, message } = checkJsonObject(log, `report.logs[${index}]`)
    checkJsonString(level, `report.logs[${index}].level`)
    checkJsonString(message, `report.logs[${index}].message`)
  }
  checkJsonObject(report['metrics'], 'report.metrics')
  checkJsonObject(report['resource_statuses'], 'report.resource_statuses')
  return {
    host: checkJsonString(report['host'], 'report.host'),
    time: checkJsonString(report['time'], 'report.time'),
    status: checkJsonString(report['status'], 'report.status') as Report['status'],
    logs: logs as unknown as readonly ReportLog[],
  }
}
