import { budgets } from '../../../base/budgets/budgets.ts'
import { type Html, html, type PageAddress } from '../../../base/text/html.ts'
import type { Rows } from '../questions/store-query.ts'
import { formatCount } from './time-format.ts'

const deepest = budgets.pages.offset.bound

/** Reads the offset of a list from the query. */
export function parsePageOffset(query: ReadonlyMap<string, string>): number {
  const text = query.get('offset') ?? ''
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), deepest) : 0
}

/** The range of the rows in the list, and links to the previous and next rows. */
export function renderPager(
  { rows, total, more }: Rows<unknown>,
  { offset, size, what }: { readonly offset: number; readonly size: number; readonly what: string },
  addressAt: (offset: number) => PageAddress,
): Html {
  const last = offset + rows.length
  if (rows.length === 0 && offset === 0) return html``
  const range = rows.length === 0 ? 'None' : `${formatCount(offset + 1)}–${formatCount(last)}`
  const of = total === undefined ? what : `of ${formatCount(total)} ${what}`
  const before = offset > 0 && html`<a rel="prev" href="${addressAt(Math.max(0, offset - size))}">← Previous</a>`
  const after = more && last <= deepest && html`<a rel="next" href="${addressAt(last)}">Next →</a>`
  return html`<nav class="pager" aria-label="Pages of the list"><p>${range} ${of}</p>${before} ${after}</nav>`
}
