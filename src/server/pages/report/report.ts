import type { ExactJson } from '../../../base/json/exact-json.ts'
import { printJson } from '../../../base/json/json-text.ts'
import { addressOf, type Html, html, type Value } from '../../../base/text/html.ts'
import type { PageOf, PageSources } from '../page.ts'
import { type CodeOrigin, codePlace, shortenPaths } from '../parts/code-place.ts'
import { definitions } from '../parts/definitions.ts'
import { count, moment, span, utc } from '../parts/moment.ts'
import { wordBadge } from '../parts/state-badge.ts'
import { table } from '../parts/table.ts'
import { clipped } from '../parts/values.ts'
import { ask, first } from '../questions/ask.ts'
import { extract } from '../questions/conditions.ts'
import { firstError } from './first-error.ts'
import { type MetricRow, metricsPart } from './metrics.ts'
import { type ReportRow, reportFields, runBadge } from './reports-table.ts'

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
export const reportPage: PageOf = async ({ path }, sources) => {
  const [hash = ''] = path
  const report = await reportOf(sources, hash)
  if (!report) {
    const body = html`<h1>Report not found</h1><p>The store does not contain the report <code>${hash}</code>. It may have been removed.</p>`
    return { title: 'Report not found', body, status: 404 }
  }
  const [events, logs, metrics] = await Promise.all([
    eventsOf(sources, hash),
    ask<LogRow>(sources.store, { of: ['reports', hash, 'logs'], limit: mostLogs }),
    ask<MetricRow>(sources.store, { of: ['reports', hash, 'metrics'] }),
  ])
  const more = (most: number, what: string) =>
    html`<p class="notice">The page shows the first ${count(most)} ${what}. <a href="${addressOf(['query'], { q: `${what === 'events' ? 'events' : 'reports[logs]'} { ${what === 'events' ? 'report' : 'hash'} = "${hash}" }` })}">Query all</a></p>`
  const hasFailed = report.status === 'failed'
  const body = html`<p class="crumbs"><a href="${addressOf(['reports'])}">Reports</a></p>
<h1>Run of ${report.certname} ${runBadge(report)}</h1>
${about(report, sources.now())}
${hasFailed && problem(firstError(logs.rows), report)}
${metricsPart(metrics.rows, report.noop_pending === true)}
<section aria-labelledby="events"><h2 id="events">Events</h2>${eventsTable(events.rows, report)}${events.more && more(mostEvents, 'events')}</section>
<section aria-labelledby="log"><h2 id="log">Log</h2>${logTable(logs.rows, report)}${logs.more && more(mostLogs, 'lines of the log')}</section>`
  return { title: `Run of ${report.certname}`, body }
}

function reportOf({ store }: PageSources, hash: string): Promise<WholeReport | undefined> {
  const more = [
    'puppet_version',
    'configuration_version',
    'transaction_uuid',
    'cached_catalog_status',
    'producer',
    'receive_time',
  ]
  return first(store, { of: 'reports', query: extract([...reportFields, ...more], ['=', 'hash', hash]) })
}

function eventsOf({ store }: PageSources, hash: string) {
  const fields = ['status', 'timestamp', 'resource_type', 'resource_title', 'property', 'old_value', 'new_value']
  return ask<EventRow>(store, {
    of: 'events',
    query: extract([...fields, 'message', 'file', 'line', 'corrective_change'], ['=', 'report', hash]),
    order: [['timestamp', 'asc']],
    limit: mostEvents,
  })
}

function about(report: WholeReport, now: number): Html {
  const { certname, environment, code_id: codeId, start_time: start, end_time: end, noop } = report
  const took = Math.max(0, Date.parse(end) - Date.parse(start))
  return definitions([
    ['Node', html`<a href="${addressOf(['nodes', certname])}">${certname}</a>`],
    ['Started', moment(start, now)],
    ['Duration', span(took)],
    ['Environment', environment],
    [
      'Commit',
      codeId !== null && html`<a href="${addressOf(['nodes'], { code_id: codeId })}"><code>${codeId}</code></a>`,
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

/** The first error of a failed run, above everything else. */
function problem(error: LogRow | undefined, report: ReportRow): Html | undefined {
  if (!error) return undefined
  return html`<p class="problem" role="alert"><strong>First error</strong><br><span class="message">${clipped(shortenPaths(error.message, toCodeOrigin(report)))}</span></p>`
}

function eventsTable(events: readonly EventRow[], report: ReportRow): Html {
  const empty = report.status === 'failed' ? 'No resource changed: the run failed before.' : 'This run changed nothing.'

  return table<EventRow>(
    'Events',
    [
      {
        label: 'Resource',
        heads: true,
        cell: ({ resource_type: type, resource_title: title, file, line }) => [
          html`<code>${type}[${title}]</code>`,
          file !== null && html`<br><span class="fine">${codePlace(file, line, toCodeOrigin(report))}</span>`,
        ],
      },
      {
        label: 'Outcome',
        cell: ({ status, corrective_change: corrective }) => [
          wordBadge(status),
          corrective && html` <span class="tag">corrective</span>`,
        ],
      },
      { label: 'Property', cell: ({ property }) => property },
      { label: 'From', cell: ({ old_value: value }) => small(value) },
      { label: 'To', cell: ({ new_value: value }) => small(value) },
      {
        label: 'Message',
        cell: ({ message }) => message !== null && html`<span class="message">${clipped(message)}</span>`,
      },
    ],
    events,
    empty,
  )
}

function small(value: ExactJson): Value {
  if (value === null) return undefined
  return html`<code>${clipped(typeof value === 'string' ? value : printJson(value))}</code>`
}

function logTable(logs: readonly LogRow[], report: ReportRow): Html {
  const origin = toCodeOrigin(report)
  const ordered = [...logs].sort((a, b) => Date.parse(a.time) - Date.parse(b.time))
  return table<LogRow>(
    `Log, ${count(logs.length)} lines`,
    [
      { label: 'Time', cell: ({ time }) => html`<time datetime="${time}">${utc(exact(time)).slice(11)}</time>` },
      { label: 'Level', cell: ({ level }) => wordBadge(level) },
      {
        label: 'Message',
        cell: ({ source, message, file, line }) => [
          html`<span class="message">${clipped(shortenPaths(message, origin))}</span><br><span class="fine">${source}`,
          file !== null && html` · ${codePlace(file, line, origin)}`,
          html`</span>`,
        ],
      },
    ],
    ordered,
    'The log is empty.',
  )
}

function exact(time: string): string {
  const at = new Date(time)
  return Number.isNaN(at.getTime()) ? time : at.toISOString()
}
