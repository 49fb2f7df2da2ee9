import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import { readCatalogHistory } from '../node/catalog-history.ts'
import type { PageRenderer, PageSources } from '../page.ts'
import { formatCount, formatUtc, renderTime } from '../parts/time-format.ts'
import { queryRows } from '../questions/store-query.ts'
import {
  type CatalogComparison,
  type ComparedCatalog,
  compareCatalogs,
  parseCatalogSide,
  type StoredCatalogHead,
} from './catalogs.ts'
import { renderSideBySide } from './parameter-diff.ts'

const mostEdges = 100
/** Maximum number of suggested names in the page. */
const maxNames = 500

/** Compares two catalogs of one node, or of two nodes. */
export const renderComparePage: PageRenderer = async ({ query }, sources) => {
  const [a = '', b = ''] = ['a', 'b'].map((name) => query.get(name) ?? '')
  const [from, to] = [parseCatalogSide(a), parseCatalogSide(b)]
  const result = from && to ? await compareCatalogs(sources, [from, to]) : undefined
  const body = html`<h1>Compare catalogs</h1>
<p class="lead">Enter a node name for its latest catalog, or <code>NODE@TIME</code> or <code>NODE@COMMIT</code> for an older one.</p>
<form class="filters" action="${createPageAddress(['diff'])}">
<label>From ${renderInput('a', a)}</label>
<label>To ${renderInput('b', b)}</label>
<button>Compare</button>
${a !== '' && b !== '' && html`<a href="${createPageAddress(['diff'], { a: b, b: a })}">Swap</a>`}
${await renderNodeNames(sources)}
</form>
${result === undefined ? await renderSuggestions(sources, from ?? to) : 'missing' in result ? renderMissingCatalog(result.missing) : renderComparison(result, [a, b], sources.now())}`
  return { title: 'Compare catalogs', body }
}

function renderInput(name: string, value: string): Html {
  return html`<input name="${name}" value="${value}" placeholder="node.example.com" size="42" list="node-names" autocomplete="off" spellcheck="false" required>`
}

/** List of node names that the browser offers for completion. */
async function renderNodeNames({ store }: PageSources): Promise<Html> {
  const { rows } = await queryRows<{ certname: string }>(store, {
    of: 'nodes',
    query: ['extract', ['certname']],
    order: [['certname', 'asc']],
    limit: maxNames,
  })
  return html`<datalist id="node-names">${rows.map(({ certname }) => html`<option value="${certname}">`)}</datalist>`
}

/** Links to comparisons with earlier catalogs of a node. */
async function renderSuggestions(sources: PageSources, side: ComparedCatalog | undefined): Promise<Html | undefined> {
  if (!side) return undefined
  const { rows } = await readCatalogHistory(sources, side.certname)
  if (rows.length === 0)
    return html`<p class="empty">The store has no older catalogs of ${side.certname}; enter another node.</p>`
  return html`<h2>Catalogs of ${side.certname}</h2><ul>${rows.map(({ time, codeId }) => {
    const address = createPageAddress(['diff'], { a: `${side.certname}@${time}`, b: side.certname })
    return html`<li><a href="${address}">${formatUtc(time)}</a> ${codeId !== undefined && html`<code>${codeId.slice(0, 12)}</code>`}</li>`
  })}</ul>`
}

function renderMissingCatalog({ certname, at }: ComparedCatalog): Html {
  return html`<p class="notice" role="alert">The store has no catalog of <code>${certname}</code>${at !== undefined && html` at <code>${at}</code>`}.</p>`
}

function renderComparison(result: CatalogComparison, names: readonly [string, string], now: number): Html {
  const { heads, resources, counts, edges, more } = result
  const isSame = resources.length === 0 && edges.added.length === 0 && edges.removed.length === 0
  return html`<div class="columns heads">${heads.map((head, at) => renderCatalogHead(names[at]!, head, now))}</div>
<p role="status"><strong>${isSame ? 'No differences.' : html`${formatCount(counts.added)} added, ${formatCount(counts.removed)} removed, ${formatCount(counts.changed)} changed`}</strong>, ${formatCount(counts.same)} resources unchanged.</p>
${more && html`<p class="notice">The page shows the first ${formatCount(resources.length)} differences. <code>plumb catalog diff</code> prints all of them.</p>`}
<ul class="differences">${resources.map((each) => renderSideBySide(each, names))}</ul>
${renderEdges(edges)}`
}

function renderCatalogHead(
  name: string,
  { code_id: codeId, version, environment, producer_timestamp: time }: StoredCatalogHead,
  now: number,
): Html {
  return html`<section aria-label="${name}"><h2>${name}</h2><p>${codeId !== null && html`<code>${codeId.slice(0, 12)}</code> · `}${environment} · version ${version} · ${renderTime(time, now)}</p></section>`
}

function renderEdges({ added, removed }: CatalogComparison['edges']): Html | undefined {
  if (added.length + removed.length === 0) return undefined
  const renderEdge = (edge: string, kind: 'added' | 'removed') =>
    html`<li><span class="kind ${kind}"><span aria-hidden="true">${kind === 'added' ? '+' : '−'}</span><span class="hidden">${kind}</span></span> <code>${edge}</code></li>`
  const items = [
    ...removed.map((edge) => renderEdge(edge, 'removed')),
    ...added.map((edge) => renderEdge(edge, 'added')),
  ]
  return html`<details class="edges"><summary>Relationships: ${formatCount(added.length)} added, ${formatCount(removed.length)} removed</summary>
<ul>${items.slice(0, mostEdges)}</ul>${items.length > mostEdges && html`<p>and ${formatCount(items.length - mostEdges)} more</p>`}</details>`
}
