import { type Html, html, type PageAddress, type TemplateValue } from '../../../base/text/html.ts'

/** A column of a table. */
export interface TableColumn<Row> {
  readonly label: string
  cell(row: Row): TemplateValue
  /** True for the column with the row headings. */
  readonly heads?: boolean
  readonly numeric?: boolean
  /** The link that sorts the table by this column. */
  readonly sort?: { readonly address: PageAddress; readonly now: 'ascending' | 'descending' | undefined }
}

/** Renders a table, or the text `empty` without rows. */
export function renderTable<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  empty = 'No rows.',
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="${columns.length > 2 ? 'stacks' : ''}">
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map(renderHeading)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${columns.map((column) => renderCell(column, row))}</tr>
`,
  )}</tbody></table></div>`
}

function renderHeading<Row>({ label, sort, numeric }: TableColumn<Row>): Html {
  const kind = numeric ? 'number' : ''
  if (!sort) return html`<th scope="col" class="${kind}">${label}</th>`
  const sign = { ascending: ' ▲', descending: ' ▼' }
  return html`<th scope="col" class="${kind}" aria-sort="${sort.now ?? 'none'}"><a href="${sort.address}">${label}${sort.now && html`<span aria-hidden="true">${sign[sort.now]}</span>`}</a></th>`
}

function renderCell<Row>({ cell: of, heads, numeric, label }: TableColumn<Row>, row: Row): Html {
  const value = of(row)
  if (heads) return html`<th scope="row">${value}</th>`
  return html`<td class="${numeric ? 'number' : ''}" data-label="${label}">${value}</td>`
}
