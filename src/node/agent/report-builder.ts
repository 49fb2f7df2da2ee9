import { getOwnValue } from '../../base/own-property.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { encodeLosslessUtf8, toLoggableText, toUnicodeText } from '../../base/text/byte-text.ts'
import type { Report, ReportEvent, ReportLog, ReportMetric, ResourceStatus } from '../../model/report.ts'
import { type CatalogEntry, getContainmentPath } from './applied-catalog.ts'
import { formatReportTime } from './log.ts'

/** An event under construction; `message` can still change. */
export interface MutableEvent extends ReportEvent {
  status: ReportEvent['status']
  message: string
  audited: boolean
  corrective_change: boolean
}

/** The status of a resource, built during its evaluation. */
export class StatusBuilder {
  readonly entry: CatalogEntry
  readonly events: ReportEvent[] = []
  readonly time: number
  /** Duration in seconds; undefined if the resource was not evaluated. */
  evaluationTime: number | undefined
  failed = false
  failedToRestart = false
  restarted = false
  skipped = false
  /** Failed resources that this resource depends on. */
  failedDependencies: readonly CatalogEntry[] = []
  #changes = 0
  #outOfSync = 0
  #corrective = false

  constructor(entry: CatalogEntry, time: number) {
    this.entry = entry
    this.time = time
  }

  get changed(): boolean {
    return this.#changes > 0
  }

  get outOfSync(): boolean {
    return this.#outOfSync > 0
  }

  get corrective(): boolean {
    return this.#corrective
  }

  get changeCount(): number {
    return this.#changes
  }

  add(event: ReportEvent): void {
    const message = this.entry.resource?.withoutSecrets(event.message) ?? event.message
    this.events.push(message === event.message ? event : { ...event, message })
    if (event.status === 'failure') this.failed = true
    if (event.status === 'success') this.#changes += 1
    if (event.status !== 'audit') this.#outOfSync += 1
    if (event.corrective_change) this.#corrective = true
  }

  build(): ResourceStatus {
    const { entry } = this
    return {
      title: entry.title,
      file: entry.file ?? null,
      line: entry.line ?? null,
      resource: entry.reference,
      resource_type: entry.typeName,
      provider_used: getProviderName(entry),
      containment_path: getContainmentPath(entry),
      evaluation_time: this.evaluationTime ?? null,
      tags: [...entry.tags],
      time: formatReportTime(this.time),
      failed: this.failed,
      failed_to_restart: this.failedToRestart,
      changed: this.changed,
      out_of_sync: this.outOfSync,
      skipped: this.skipped,
      change_count: this.#changes,
      out_of_sync_count: this.#outOfSync,
      events: this.events.map(toReportEvent),
      corrective_change: this.#corrective,
    }
  }
}

/** The event with all strings in UTF-8, as JSON requires. Puppet: transaction/event.rb, `to_data_hash`. */
function toReportEvent(event: ReportEvent): ReportEvent {
  return {
    ...event,
    previous_value: toReportValue(event.previous_value),
    desired_value: toReportValue(event.desired_value),
    historical_value: toReportValue(event.historical_value),
    message: toLoggableText(event.message),
  }
}

/** A value for the report, with bytes as base64, as for Puppet's type Binary. */
function toReportValue(value: unknown): unknown {
  if (typeof value === 'string') return toUnicodeText(value) ?? encodeLosslessUtf8(value).toString('base64')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(toReportValue)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [toLoggableText(key), toReportValue(each)]))
}

/** Returns the provider that was used, or the requested provider if it is unsuitable on this machine. */
function getProviderName({ resource, failure }: CatalogEntry): string | null {
  if (!resource || resource.type.passive || resource.type.providesItself) return null
  if (failure !== undefined && !resource.provider) return null
  const asked = resource.given.get('provider')
  return resource.provider?.name ?? (asked === undefined ? null : String(asked))
}

/** Properties of a run, in addition to its resources. */
export interface RunFacts {
  readonly host: string
  readonly time: number
  readonly configurationVersion: number | string | undefined
  readonly transactionUuid: string
  readonly environment: string
  readonly noop: boolean
  readonly completed: boolean
  /** True if resources could not be generated. */
  readonly generationFailed: boolean
  readonly statuses: readonly StatusBuilder[]
  readonly logs: readonly ReportLog[]
  /** Durations in seconds by step name. */
  readonly times: Readonly<Record<string, number>>
  readonly serverUsed?: string | undefined
  readonly catalogUuid?: string | undefined
  readonly codeId?: string | undefined
  readonly jobId?: string | undefined
  readonly cachedCatalogStatus?: Report['cached_catalog_status']
  /** True to omit resources that were in sync from the report. */
  readonly excludesUnchanged?: boolean
}

/** The report of a run. */
export function buildReport(run: RunFacts): Report {
  const metrics = computeMetrics(run)
  const named = run.excludesUnchanged ? run.statuses.filter(isAlwaysReported) : run.statuses
  const changes = run.statuses.reduce((sum, { changeCount }) => sum + changeCount, 0)
  const failed = run.statuses.some((status) => status.failed || status.failedToRestart)
  const noopPending = run.statuses.some(({ events }) => events.some(({ status }) => status === 'noop'))
  return {
    host: run.host,
    time: formatReportTime(run.time),
    configuration_version: run.configurationVersion ?? '',
    transaction_uuid: run.transactionUuid,
    report_format: 12,
    puppet_version: puppetVersion,
    status: run.generationFailed || !run.completed || failed ? 'failed' : changes > 0 ? 'changed' : 'unchanged',
    transaction_completed: run.completed,
    noop: run.noop,
    noop_pending: noopPending,
    environment: run.environment,
    logs: run.logs,
    metrics,
    resource_statuses: Object.fromEntries(named.map((status) => [status.entry.reference, status.build()])),
    corrective_change: run.statuses.some(({ corrective }) => corrective),
    ...(run.serverUsed === undefined ? {} : { server_used: run.serverUsed }),
    ...(run.catalogUuid === undefined ? {} : { catalog_uuid: run.catalogUuid }),
    ...(run.codeId === undefined ? {} : { code_id: run.codeId }),
    ...(run.jobId === undefined ? {} : { job_id: run.jobId }),
    ...(run.cachedCatalogStatus === undefined ? {} : { cached_catalog_status: run.cachedCatalogStatus }),
  }
}

/**
 * True for a resource that a report always contains. Puppet: transaction/report.rb,
 * `STATES_FOR_EXCLUSION_FROM_REPORT`.
 */
function isAlwaysReported({ failed, failedToRestart, outOfSync, skipped }: StatusBuilder): boolean {
  return failed || failedToRestart || outOfSync || skipped
}

const states: Readonly<Record<string, (status: StatusBuilder) => boolean>> = {
  skipped: ({ skipped }) => skipped,
  failed: ({ failed }) => failed,
  failed_to_restart: ({ failedToRestart }) => failedToRestart,
  restarted: ({ restarted }) => restarted,
  changed: ({ changed }) => changed,
  out_of_sync: ({ outOfSync }) => outOfSync,
  // Always 0: Puppet clears the scheduled resources when it has evaluated them: transaction.rb,
  // `apply`.
  scheduled: () => false,
  corrective_change: ({ corrective }) => corrective,
}

function computeMetrics({ statuses, times }: RunFacts): Record<string, ReportMetric> {
  const counted = Object.entries(states).map(([name, is]) => [name, statuses.filter(is).length] as const)
  const events: Record<string, number> = { total: 0, failure: 0, success: 0 }
  for (const { status } of statuses.flatMap((each) => each.events)) {
    events['total']! += 1
    events[status] = (events[status] ?? 0) + 1
  }
  const spent: Record<string, number> = {}
  for (const { entry, evaluationTime } of statuses) {
    if (evaluationTime === undefined) continue
    const type = entry.typeName.toLowerCase()
    spent[type] = (getOwnValue(spent, type) ?? 0) + evaluationTime
  }
  const changes = statuses.reduce((sum, { changeCount }) => sum + changeCount, 0)
  return {
    resources: createMetric('resources', [['total', statuses.length], ...counted]),
    time: createMetric('time', Object.entries({ ...spent, ...times })),
    changes: createMetric('changes', [['total', changes]]),
    events: createMetric('events', Object.entries(events)),
  }
}

function createMetric(name: string, values: readonly (readonly [string, number])[]): ReportMetric {
  return {
    name,
    label: formatMetricLabel(name),
    values: values.map(([key, value]) => [key, formatMetricLabel(key), value] as const),
  }
}

/** The label of a metric: `failed_to_restart` as `Failed to restart`. */
export function formatMetricLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The exit status for `--detailed-exitcodes`: the sum of 2 for changes and 4 for failures. */
export function computeDetailedExitStatus(report: Report): number {
  const getMetricValue = (name: string, key: string) =>
    Number(report.metrics[name]?.values.find(([each]) => each === key)?.[2] ?? 0)
  const failures = getMetricValue('resources', 'failed') + getMetricValue('resources', 'failed_to_restart')
  return (getMetricValue('changes', 'total') > 0 ? 2 : 0) | (failures > 0 ? 4 : 0)
}
