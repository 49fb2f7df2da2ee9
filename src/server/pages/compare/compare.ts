import { addressOf, type Html, html } from '../../../base/text/html.ts'
import { catalogHistory } from '../node/catalog-history.ts'
import type { PageOf, PageSources } from '../page.ts'
import { count, moment, utc } from '../parts/moment.ts'
import { ask } from '../questions/ask.ts'
import { type CatalogHead, type Comparison, compareCatalogs, type Side, sideOf } from './catalogs.ts'
import { sideBySide } from './side-by-side.ts'

const mostEdges = 100
/** Maximum number of suggested names in the page. */
const maxNames = 500

/** Compares two catalogs of one node, or of two nodes. */
export const comparePage: PageOf = async ({ query }, sources) => {
  const [a = '', b = ''] = ['a', 'b'].map((name) => query.get(name) ?? '')
  const [from, to] = [sideOf(a), sideOf(b)]
  const result = from && to ? await compareCatalogs(sources, [from, to]) : undefined
  const body = html`<h1>Compare catalogs</h1>
<p class="lead">Enter a node name for its latest catalog, or <code>NODE@TIME</code> or <code>NODE@COMMIT</code> for an older one.</p>
<form class="filters" action="${addressOf(['diff'])}">
<label>From ${input('a', a)}</label>
<label>To ${input('b', b)}</label>
<button>Compare</button>
${a !== '' && b !== '' && html`<a href="${addressOf(['diff'], { a: b, b: a })}">Swap</a>`}
${await nodeNames(sources)}
</form>
${result === undefined ? await suggestions(sources, from ?? to) : 'missing' in result ? missing(result.missing) : comparison(result, [a, b], sources.now())}`
  return { title: 'Compare catalogs', body }
}

function input(name: string, value: string): Html {
  return html`<input name="${name}" value="${value}" placeholder="node.example.com" size="42" list="node-names" autocomplete="off" spellcheck="false" required>`
}

/** Node names that the browser suggests. */
async function nodeNames({ store }: PageSources): Promise<Html> {
  const { rows } = await ask<{ certname: string }>(store, {
    of: 'nodes',
    query: ['extract', ['certname']],
    order: [['certname', 'asc']],
    limit: maxNames,
  })
  return html`<datalist id="node-names">${rows.map(({ certname }) => html`<option value="${certname}">`)}</datalist>`
}

/** Links to comparisons with earlier catalogs of a node. */
async function suggestions(sources: PageSources, side: Side | undefined): Promise<Html | undefined> {
  if (!side) return undefined
  const { rows } = await catalogHistory(sources, side.certname)
  if (rows.length === 0)
    return html`<p class="empty">The store has no older catalogs of ${side.certname}; enter another node.</p>`
  return html`<h2>Catalogs of ${side.certname}</h2><ul>${rows.map(({ time, codeId }) => {
    const address = addressOf(['diff'], { a: `${side.certname}@${time}`, b: side.certname })
    return html`<li><a href="${address}">${utc(time)}</a> ${codeId !== undefined && html`<code>${codeId.slice(0, 12)}</code>`}</li>`
  })}</ul>`
}

function missing({ certname, at }: Side): Html {
  return html`<p class="notice" role="alert">The store has no catalog of <code>${certname}</code>${at !== undefined && html` at <code>${at}</code>`}.</p>`
}

function comparison(result: Comparison, names: readonly [string, string], now: number): Html {
  const { heads, resources, counts, edges, more } = result
  const isSame = resources.length === 0 && edges.added.length === 0 && edges.removed.length === 0
  return html`<div class="columns heads">${heads.map((head, at) => headPart(names[at]!, head, now))}</div>
<p role="status"><strong>${isSame ? 'No differences.' : html`${count(counts.added)} added, ${count(counts.removed)} removed, ${count(counts.changed)} changed`}</strong>, ${count(counts.same)} resources unchanged.</p>
${more && html`<p class="notice">The page shows the first ${count(resources.length)} differences. <code>plumb catalog diff</code> prints all of them.</p>`}
<ul class="differences">${resources.map((each) => sideBySide(each, names))}</ul>
${edgesPart(edges)}`
}

function headPart(
  name: string,
  { code_id: codeId, version, environment, producer_timestamp: time }: CatalogHead,
  now: number,
): Html {
  return html`<section aria-label="${name}"><h2>${name}</h2><p>${codeId !== null && html`<code>${codeId.slice(0, 12)}</code> · `}${environment} · version ${version} · ${moment(time, now)}</p></section>`
}

function edgesPart({ added, removed }: Comparison['edges']): Html | undefined {
  if (added.length + removed.length === 0) return undefined
  const item = (edge: string, kind: 'added' | 'removed') =>
    html`<li><span class="kind ${kind}"><span aria-hidden="true">${kind === 'added' ? '+' : '−'}</span><span class="hidden">${kind}</span></span> <code>${edge}</code></li>`
  const items = [...removed.map((edge) => item(edge, 'removed')), ...added.map((edge) => item(edge, 'added'))]
  return html`<details class="edges"><summary>Relationships: ${count(added.length)} added, ${count(removed.length)} removed</summary>
<ul>${items.slice(0, mostEdges)}</ul>${items.length > mostEdges && html`<p>and ${count(items.length - mostEdges)} more</p>`}</details>`
}
