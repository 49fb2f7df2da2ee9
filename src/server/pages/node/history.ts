import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { PageRenderer } from '../page.ts'
import { renderTable } from '../parts/table.ts'
import { formatDuration, renderTime } from '../parts/time-format.ts'
import { type PastCatalog, readCatalogHistory } from './catalog-history.ts'
import { readNodeRow, renderNodeHead, renderUnknownNode } from './node-head.ts'

/** The catalogs of a node, with links to comparisons with the previous one. */
export const renderHistoryPage: PageRenderer = async ({ path }, sources) => {
  const [certname = ''] = path
  const node = await readNodeRow(sources, certname)
  if (!node) return renderUnknownNode(certname)
  const { rows, isKept } = await readCatalogHistory(sources, certname)
  const body = html`${renderNodeHead(node, 'history', sources)}
<p class="lead">${isKept ? 'All catalogs that the node received. Repeated identical catalogs have one entry.' : 'This store has no history: only the last catalog is available.'}</p>
${renderCatalogsTable(certname, rows, sources.now())}`
  return { title: `History of ${certname}`, body }
}

function renderCatalogsTable(certname: string, rows: readonly PastCatalog[], now: number): Html {
  const before = new Map(rows.map((row, at) => [row, rows[at + 1]]))
  return renderTable<PastCatalog>(
    'Catalogs',
    [
      { label: 'Received', heads: true, cell: ({ time }) => renderTime(time, now) },
      { label: 'Commit', cell: ({ codeId }) => codeId !== undefined && html`<code>${codeId.slice(0, 12)}</code>` },
      { label: 'Version', cell: ({ version }) => version },
      { label: 'Environment', cell: ({ environment }) => environment },
      {
        label: 'In use for',
        cell: ({ time, until }) =>
          formatDuration(Math.max(0, (until === undefined ? now : Date.parse(until)) - Date.parse(time))),
      },
      { label: 'Changes', cell: (row) => renderChangesLink(certname, row, before.get(row)) },
    ],
    rows,
    'The node has no catalog.',
  )
}

function renderChangesLink(
  certname: string,
  { time, until }: PastCatalog,
  before: PastCatalog | undefined,
): Html | undefined {
  if (!before) return undefined
  const b = until === undefined ? certname : `${certname}@${time}`
  const address = createPageAddress(['diff'], { a: `${certname}@${before.time}`, b })
  return html`<a href="${address}">Compare with the previous catalog</a>`
}
