import { createExactObject, type ExactJson, getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { PageRenderer } from '../page.ts'
import { renderFilters } from '../parts/filters.ts'
import { formatCount, renderTime } from '../parts/time-format.ts'
import { renderTree } from '../parts/values.ts'
import { createExtractQuery } from '../questions/conditions.ts'
import { queryRows } from '../questions/store-query.ts'
import { readNodeRow, renderNodeHead, renderUnknownNode } from './node-head.ts'

interface Fact {
  readonly name: string
  readonly value: ExactJson
}

/** The facts of a node as a tree, optionally filtered by a text. */
export const renderFactsPage: PageRenderer = async ({ path, query }, sources) => {
  const [certname = ''] = path
  const node = await readNodeRow(sources, certname)
  if (!node) return renderUnknownNode(certname)
  const { rows, more } = await queryRows<Fact>(sources.store, {
    of: 'facts',
    query: createExtractQuery(['name', 'value'], ['=', 'certname', certname]),
    order: [['name', 'asc']],
  })
  const wanted = (query.get('filter') ?? '').toLowerCase()
  const shown = wanted === '' ? rows : rows.flatMap((fact) => filterFact(fact, wanted))
  const field = { kind: 'text', name: 'filter', label: 'Filter', placeholder: 'part of a name or a value' } as const
  const body = html`${renderNodeHead(node, 'facts', sources)}
<p class="lead">${formatCount(rows.length)} facts, received ${renderTime(node.facts_timestamp, sources.now())}.</p>
${renderFilters([field], query, createPageAddress(['nodes', certname, 'facts']))}
${renderFactTree(shown, wanted !== '')}
${more && html`<p class="notice">The page does not show all facts of this node.</p>`}`
  return { title: `Facts of ${certname}`, body, modules: ['facts.js'] }
}

function renderFactTree(facts: readonly Fact[], isOpen: boolean): Html {
  if (facts.length === 0) return html`<p class="empty">No matching facts.</p>`
  return html`<ul class="tree" data-filtered="facts">${facts.map(({ name, value }) => html`<li>${renderTree(name, value, isOpen)}</li>`)}</ul>`
}

/**
 * Filters a fact by a text. Keeps everything below a name that contains the text, and values that
 * contain it.
 */
function filterFact({ name, value }: Fact, wanted: string): readonly Fact[] {
  if (name.toLowerCase().includes(wanted)) return [{ name, value }]
  const part = filterValue(value, wanted)
  return part === undefined ? [] : [{ name, value: part }]
}

function filterValue(value: ExactJson, wanted: string): ExactJson | undefined {
  if (Array.isArray(value)) {
    const items = value.flatMap((each) => filterValue(each, wanted) ?? [])
    return items.length === 0 ? undefined : value
  }
  if (isExactObject(value)) {
    const members = [...getEntries(value)].flatMap(([key, each = null]) => {
      const part = key.toLowerCase().includes(wanted) ? each : filterValue(each, wanted)
      return part === undefined ? [] : [[key, part] as const]
    })
    return members.length === 0 ? undefined : createExactObject(members)
  }
  const text = typeof value === 'string' ? value : formatExactJson(value)
  return text.toLowerCase().includes(wanted) ? value : undefined
}
