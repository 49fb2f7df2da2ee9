import { addressOf, type Html, html } from '../../../base/text/html.ts'
import type { PageOf } from '../page.ts'
import { moment, span } from '../parts/moment.ts'
import { table } from '../parts/table.ts'
import { catalogHistory, type PastCatalog } from './catalog-history.ts'
import { nodeHead, nodeRow, unknownNode } from './node-head.ts'

/** The catalogs of a node, with links to comparisons with the previous one. */
export const historyPage: PageOf = async ({ path }, sources) => {
  const [certname = ''] = path
  const node = await nodeRow(sources, certname)
  if (!node) return unknownNode(certname)
  const { rows, isKept } = await catalogHistory(sources, certname)
  const body = html`${nodeHead(node, 'history', sources)}
<p class="lead">${isKept ? 'All catalogs that the node received. Repeated identical catalogs have one entry.' : 'This store has no history: only the last catalog is available.'}</p>
${catalogsTable(certname, rows, sources.now())}`
  return { title: `History of ${certname}`, body }
}

function catalogsTable(certname: string, rows: readonly PastCatalog[], now: number): Html {
  const before = new Map(rows.map((row, at) => [row, rows[at + 1]]))
  return table<PastCatalog>(
    'Catalogs',
    [
      { label: 'Received', heads: true, cell: ({ time }) => moment(time, now) },
      { label: 'Commit', cell: ({ codeId }) => codeId !== undefined && html`<code>${codeId.slice(0, 12)}</code>` },
      { label: 'Version', cell: ({ version }) => version },
      { label: 'Environment', cell: ({ environment }) => environment },
      {
        label: 'In use for',
        cell: ({ time, until }) =>
          span(Math.max(0, (until === undefined ? now : Date.parse(until)) - Date.parse(time))),
      },
      { label: 'Changes', cell: (row) => changes(certname, row, before.get(row)) },
    ],
    rows,
    'The node has no catalog.',
  )
}

function changes(certname: string, { time, until }: PastCatalog, before: PastCatalog | undefined): Html | undefined {
  if (!before) return undefined
  const b = until === undefined ? certname : `${certname}@${time}`
  const address = addressOf(['diff'], { a: `${certname}@${before.time}`, b })
  return html`<a href="${address}">Compare with the previous catalog</a>`
}
