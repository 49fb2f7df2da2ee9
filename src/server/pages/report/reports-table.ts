import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import { getRunState } from '../node-state.ts'
import { renderStateBadge } from '../parts/state-badge.ts'
import { renderTable, type TableColumn } from '../parts/table.ts'
import { formatDuration, renderTime } from '../parts/time-format.ts'

/** A `reports` row, with the fields of lists. */
export interface ReportRow {
  readonly hash: string
  readonly certname: string
  readonly status: string | null
  readonly noop: boolean | null
  readonly noop_pending: boolean | null
  readonly corrective_change: boolean | null
  readonly environment: string | null
  readonly code_id: string | null
  readonly start_time: string
  readonly end_time: string
}

/** The fields of `ReportRow`. */
export const reportFields = [
  'hash',
  'certname',
  'status',
  'noop',
  'noop_pending',
  'corrective_change',
  'environment',
  'code_id',
  'start_time',
  'end_time',
] as const

/** The state of the node after a run. */
export function renderRunBadge(report: Pick<ReportRow, 'status' | 'noop_pending' | 'corrective_change'>): Html {
  return renderStateBadge(
    getRunState({
      latest_report_status: report.status,
      latest_report_noop_pending: report.noop_pending,
      latest_report_corrective_change: report.corrective_change,
    }),
  )
}

/** Renders reports as a table. */
export function renderReportsTable(
  rows: readonly ReportRow[],
  now: number,
  { withNode }: { readonly withNode: boolean },
): Html {
  const node: TableColumn<ReportRow> = {
    label: 'Node',
    cell: ({ certname }) => html`<a href="${createPageAddress(['nodes', certname])}">${certname}</a>`,
  }
  const columns: readonly TableColumn<ReportRow>[] = [
    {
      label: 'Run',
      heads: true,
      cell: ({ hash, end_time: end }) =>
        html`<a href="${createPageAddress(['reports', hash])}">${renderTime(end, now)}</a>`,
    },
    ...(withNode ? [node] : []),
    { label: 'Outcome', cell: (row) => [renderRunBadge(row), row.noop && html` <span class="tag">noop</span>`] },
    { label: 'Environment', cell: ({ environment }) => environment },
    { label: 'Commit', cell: ({ code_id: codeId }) => codeId !== null && html`<code>${codeId.slice(0, 12)}</code>` },
    {
      label: 'Duration',
      numeric: true,
      cell: ({ start_time: start, end_time: end }) => formatDuration(Math.max(0, Date.parse(end) - Date.parse(start))),
    },
  ]
  return renderTable('Reports', columns, rows, 'No reports.')
}
