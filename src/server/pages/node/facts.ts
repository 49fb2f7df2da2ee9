import { type ExactJson, entriesOf, exactObject, isExactObject } from '../../../base/json/exact-json.ts'
import { printJson } from '../../../base/json/json-text.ts'
import { addressOf, type Html, html } from '../../../base/text/html.ts'
import type { PageOf } from '../page.ts'
import { filters } from '../parts/filters.ts'
import { count, moment } from '../parts/moment.ts'
import { tree } from '../parts/values.ts'
import { ask } from '../questions/ask.ts'
import { extract } from '../questions/conditions.ts'
import { nodeHead, nodeRow, unknownNode } from './node-head.ts'

interface Fact {
  readonly name: string
  readonly value: ExactJson
}

/** The facts of a node as a tree, optionally filtered by a text. */
export const factsPage: PageOf = async ({ path, query }, sources) => {
  const [certname = ''] = path
  const node = await nodeRow(sources, certname)
  if (!node) return unknownNode(certname)
  const { rows, more } = await ask<Fact>(sources.store, {
    of: 'facts',
    query: extract(['name', 'value'], ['=', 'certname', certname]),
    order: [['name', 'asc']],
  })
  const wanted = (query.get('filter') ?? '').toLowerCase()
  const shown = wanted === '' ? rows : rows.flatMap((fact) => holding(fact, wanted))
  const field = { kind: 'text', name: 'filter', label: 'Filter', placeholder: 'part of a name or a value' } as const
  const body = html`${nodeHead(node, 'facts', sources)}
<p class="lead">${count(rows.length)} facts, received ${moment(node.facts_timestamp, sources.now())}.</p>
${filters([field], query, addressOf(['nodes', certname, 'facts']))}
${factTree(shown, wanted !== '')}
${more && html`<p class="notice">The page does not show all facts of this node.</p>`}`
  return { title: `Facts of ${certname}`, body, modules: ['facts.js'] }
}

function factTree(facts: readonly Fact[], isOpen: boolean): Html {
  if (facts.length === 0) return html`<p class="empty">No matching facts.</p>`
  return html`<ul class="tree" data-filtered="facts">${facts.map(({ name, value }) => html`<li>${tree(name, value, isOpen)}</li>`)}</ul>`
}

/** The part of a fact whose names or values contain a text; everything below a matching name. */
function holding({ name, value }: Fact, wanted: string): readonly Fact[] {
  if (name.toLowerCase().includes(wanted)) return [{ name, value }]
  const part = partHolding(value, wanted)
  return part === undefined ? [] : [{ name, value: part }]
}

function partHolding(value: ExactJson, wanted: string): ExactJson | undefined {
  if (Array.isArray(value)) {
    const items = value.flatMap((each) => partHolding(each, wanted) ?? [])
    return items.length === 0 ? undefined : value
  }
  if (isExactObject(value)) {
    const members = [...entriesOf(value)].flatMap(([key, each = null]) => {
      const part = key.toLowerCase().includes(wanted) ? each : partHolding(each, wanted)
      return part === undefined ? [] : [[key, part] as const]
    })
    return members.length === 0 ? undefined : exactObject(members)
  }
  const text = typeof value === 'string' ? value : printJson(value)
  return text.toLowerCase().includes(wanted) ? value : undefined
}
