import { type Address, type Html, html, type Value } from '../../../base/text/html.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly label: string
  cell(row: Row): Value
  /** The first column is that of names, which head their rows. */
  readonly heads?: boolean
  readonly numeric?: boolean
  /** The same table in the order of this column. */
  readonly sort?: { readonly address: Address; readonly now: 'ascending' | 'descending' | undefined }
}

/** A table, or a sentence where it has no rows. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty = 'Nothing here.',
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="${columns.length > 2 ? 'stacks' : ''}">
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${columns.map((column) => cell(column, row))}</tr>
`,
  )}</tbody></table></div>`
}

function heading<Row>({ label, sort, numeric }: Column<Row>): Html {
  const kind = numeric ? 'number' : ''
  if (!sort) return html`<th scope="col" class="${kind}">${label}</th>`
  const sign = { ascending: ' ▲', descending: ' ▼' }
  return html`<th scope="col" class="${kind}" aria-sort="${sort.now ?? 'none'}"><a href="${sort.address}">${label}${sort.now && html`<span aria-hidden="true">${sign[sort.now]}</span>`}</a></th>`
}

function cell<Row>({ cell: of, heads, numeric, label }: Column<Row>, row: Row): Html {
  const value = of(row)
  if (heads) return html`<th scope="row">${value}</th>`
  return html`<td class="${numeric ? 'number' : ''}" data-label="${label}">${value}</td>`
}
