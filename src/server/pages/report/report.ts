import type { ExactJson } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { createPageAddress, type Html, html, type TemplateValue } from '../../../base/text/html.ts'
import type { PageRenderer, PageSources } from '../page.ts'
import { type CodeOrigin, formatCodeLocation, shortenPaths } from '../parts/code-location.ts'
import { renderDefinitions } from '../parts/definitions.ts'
import { renderWordBadge } from '../parts/state-badge.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount, formatDuration, formatUtc, renderTime } from '../parts/time-format.ts'
import { clipText } from '../parts/values.ts'
import { createExtractQuery } from '../questions/conditions.ts'
import { queryFirstRow, queryRows } from '../questions/store-query.ts'
import { findFirstError } from './first-error.ts'
import { type MetricRow, renderMetrics } from './metrics.ts'
import { type ReportRow, renderRunBadge, reportFields } from './reports-table.ts'

interface WholeReport extends ReportRow {
  readonly puppet_version: string
  readonly configuration_version: string
  readonly transaction_uuid: string | null
  readonly cached_catalog_status: string | null
  readonly producer: string | null
  readonly receive_time: string
}

interface EventRow {
  readonly status: string
  readonly timestamp: string
  readonly resource_type: string
  readonly resource_title: string
  readonly property: string | null
  readonly old_value: ExactJson
  readonly new_value: ExactJson
  readonly message: string | null
  readonly file: string | null
  readonly line: number | null
  readonly corrective_change: boolean | null
}

interface LogRow {
  readonly level: string
  readonly source: string
  readonly message: string
  readonly time: string
  readonly file: string | null
  readonly line: number | null
}

const mostEvents = 500
const mostLogs = 1000

/** A report: events, log and metrics. */
export const renderReportPage: PageRenderer = async ({ path }, sources) => {
  const [hash = ''] = path
  const report = await readReport(sources, hash)
  if (!report) {
    const body = html`<h1>Report not found</h1><p>The store does not contain the report <code>${hash}</code>. It may have been removed.</p>`
    return { title: 'Report not found', body, status: 404 }
  }
  const [events, logs, metrics] = await Promise.all([
    readEvents(sources, hash),
    queryRows<LogRow>(sources.store, { of: ['reports', hash, 'logs'], limit: mostLogs }),
    queryRows<MetricRow>(sources.store, { of: ['reports', hash, 'metrics'] }),
  ])
  const more = (most: number, what: string) =>
    html`<p class="notice">The page shows the first ${formatCount(most)} ${what}. <a href="${createPageAddress(['query'], { q: `${what === 'events' ? 'events' : 'reports[logs]'} { ${what === 'events' ? 'report' : 'hash'} = "${hash}" }` })}">Query all</a></p>`
  const hasFailed = report.status === 'failed'
  const body = html`<p class="crumbs"><a href="${createPageAddress(['reports'])}">Reports</a></p>
<h1>Run of ${report.certname} ${renderRunBadge(report)}</h1>
${renderReportHead(report, sources.now())}
${hasFailed && renderProblem(findFirstError(logs.rows), report)}
${renderMetrics(metrics.rows, report.noop_pending === true)}
<section aria-labelledby="events"><h2 id="events">Events</h2>${renderEventsTable(events.rows, report)}${events.more && more(mostEvents, 'events')}</section>
<section aria-labelledby="log"><h2 id="log">Log</h2>${renderLogTable(logs.rows, report)}${logs.more && more(mostLogs, 'lines of the log')}</section>`
  return { title: `Run of ${report.certname}`, body }
}

function readReport({ store }: PageSources, hash: string): Promise<WholeReport | undefined> {
  const more = [
    'puppet_version',
    'configuration_version',
    'transaction_uuid',
    'cached_catalog_status',
    'producer',
    'receive_time',
  ]
  return queryFirstRow(store, {
    of: 'reports',
    query: createExtractQuery([...reportFields, ...more], ['=', 'hash', hash]),
  })
}

function readEvents({ store }: PageSources, hash: string) {
  const fields = ['status', 'timestamp', 'resource_type', 'resource_title', 'property', 'old_value', 'new_value']
  return queryRows<EventRow>(store, {
    of: 'events',
    query: createExtractQuery([...fields, 'message', 'file', 'line', 'corrective_change'], ['=', 'report', hash]),
    order: [['timestamp', 'asc']],
    limit: mostEvents,
  })
}

function renderReportHead(report: WholeReport, now: number): Html {
  const { certname, environment, code_id: codeId, start_time: start, end_time: end, noop } = report
  const took = Math.max(0, Date.parse(end) - Date.parse(start))
  return renderDefinitions([
    ['Node', html`<a href="${createPageAddress(['nodes', certname])}">${certname}</a>`],
    ['Started', renderTime(start, now)],
    ['Duration', formatDuration(took)],
    ['Environment', environment],
    [
      'Commit',
      codeId !== null &&
        html`<a href="${createPageAddress(['nodes'], { code_id: codeId })}"><code>${codeId}</code></a>`,
    ],
    ['Version', report.configuration_version],
    ['Cached catalog', report.cached_catalog_status],
    ['Noop', noop ? 'yes' : undefined],
    ['Puppet', report.puppet_version],
    ['Server', report.producer],
  ])
}

function toCodeOrigin({ code_id: codeId, environment }: ReportRow): CodeOrigin {
  return { codeId, environment }
}

/** The first error of a failed run, shown at the top of the page. */
function renderProblem(error: LogRow | undefined, report: ReportRow): Html | undefined {
  if (!error) return undefined
  return html`<p class="problem" role="alert"><strong>First error</strong><br><span class="message">${clipText(shortenPaths(error.message, toCodeOrigin(report)))}</span></p>`
}

function renderEventsTable(events: readonly EventRow[], report: ReportRow): Html {
  const empty = report.status === 'failed' ? 'No resource changed: the run failed before.' : 'This run changed nothing.'

  return renderTable<EventRow>(
    'Events',
    [
      {
        label: 'Resource',
        heads: true,
        cell: ({ resource_type: type, resource_title: title, file, line }) => [
          html`<code>${type}[${title}]</code>`,
          file !== null && html`<br><span class="fine">${formatCodeLocation(file, line, toCodeOrigin(report))}</span>`,
        ],
      },
      {
        label: 'Outcome',
        cell: ({ status, corrective_change: corrective }) => [
          renderWordBadge(status),
          corrective && html` <span class="tag">corrective</span>`,
        ],
      },
      { label: 'Property', cell: ({ property }) => property },
      { label: 'From', cell: ({ old_value: value }) => renderSmallValue(value) },
      { label: 'To', cell: ({ new_value: value }) => renderSmallValue(value) },
      {
        label: 'Message',
        cell: ({ message }) => message !== null && html`<span class="message">${clipText(message)}</span>`,
      },
    ],
    events,
    empty,
  )
}

function renderSmallValue(value: ExactJson): TemplateValue {
  if (value === null) return undefined
  return html`<code>${clipText(typeof value === 'string' ? value : formatExactJson(value))}</code>`
}

function renderLogTable(logs: readonly LogRow[], report: ReportRow): Html {
  const origin = toCodeOrigin(report)
  const ordered = [...logs].sort((a, b) => Date.parse(a.time) - Date.parse(b.time))
  return renderTable<LogRow>(
    `Log, ${formatCount(logs.length)} lines`,
    [
      {
        label: 'Time',
        cell: ({ time }) => html`<time datetime="${time}">${formatUtc(formatExactTime(time)).slice(11)}</time>`,
      },
      { label: 'Level', cell: ({ level }) => renderWordBadge(level) },
      {
        label: 'Message',
        cell: ({ source, message, file, line }) => [
          html`<span class="message">${clipText(shortenPaths(message, origin))}</span><br><span class="fine">${source}`,
          file !== null && html` · ${formatCodeLocation(file, line, origin)}`,
          html`</span>`,
        ],
      },
    ],
    ordered,
    'The log is empty.',
  )
}

function formatExactTime(time: string): string {
  const at = new Date(time)
  return Number.isNaN(at.getTime()) ? time : at.toISOString()
}
