import type { ExactJson } from '../../../base/json/exact-json.ts'
import { entriesOf, isExactObject } from '../../../base/json/exact-json.ts'
import { addressOf, type Html, html } from '../../../base/text/html.ts'
import type { PageOf } from '../page.ts'
import { definitions } from '../parts/definitions.ts'
import { filters } from '../parts/filters.ts'
import { count } from '../parts/moment.ts'
import { offsetOf, pager } from '../parts/pager.ts'
import { valueHtml } from '../parts/values.ts'
import { ask } from '../questions/ask.ts'
import { allOf, containing, extract } from '../questions/conditions.ts'
import { nodeHead, nodeRow, unknownNode } from './node-head.ts'

const size = 100

interface ResourceRow {
  readonly type: string
  readonly title: string
  readonly file: string | null
  readonly line: number | null
  readonly exported: boolean
  readonly tags: readonly string[]
  readonly parameters: ExactJson
}

/** The resources of a node's last catalog. */
export const resourcesPage: PageOf = async ({ path, query }, sources) => {
  const [certname = ''] = path
  const node = await nodeRow(sources, certname)
  if (!node) return unknownNode(certname)
  const own = ['=', 'certname', certname]
  const [type = '', title = ''] = ['type', 'title'].map((name) => query.get(name) ?? '')
  const offset = offsetOf(query)
  const [types, found] = await Promise.all([
    ask<{ type: string; count: number }>(sources.store, {
      of: 'resources',
      query: ['extract', [['function', 'count'], 'type'], own, ['group_by', 'type']],
    }),
    ask<ResourceRow>(sources.store, {
      of: 'resources',
      query: extract(
        ['type', 'title', 'file', 'line', 'exported', 'tags', 'parameters'],
        allOf([own, type && ['=', 'type', type], title && containing('title', title)]),
      ),
      order: [
        ['type', 'asc'],
        ['title', 'asc'],
      ],
      offset,
      limit: size,
      counted: true,
    }),
  ])
  const options = [...types.rows]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, count: number }) => [type, `${type} (${count(number)})`] as const)
  const fields = [
    { kind: 'text', name: 'title', label: 'Title', placeholder: 'part of a title' },
    { kind: 'choice', name: 'type', label: 'Type', options },
  ] as const
  const at = (offset: number) => addressOf(['nodes', certname, 'resources'], { type, title, offset })
  const body = html`${nodeHead(node, 'resources', sources)}
${filters(fields, query, addressOf(['nodes', certname, 'resources']))}
${found.rows.length === 0 ? html`<p class="empty">No matching resources.</p>` : html`<ul class="resources">${found.rows.map(resource)}</ul>`}
${pager(found, { offset, size, what: 'resources' }, at)}`
  return { title: `Resources of ${certname}`, body }
}

function resource({ type, title, file, line, exported, tags, parameters }: ResourceRow): Html {
  const place = file === null ? undefined : line === null ? file : `${file}:${line}`
  const pairs = isExactObject(parameters) ? [...entriesOf(parameters)] : []
  return html`<li><details><summary><code>${type}[${title}]</code>${exported && html` <span class="tag">exported</span>`}</summary>
${definitions(
  pairs.map(([name, value]) => [name, valueHtml(value)] as const),
  'No parameters.',
)}
<p class="fine">${place} ${tags.length > 0 && html`tags: ${tags.join(', ')}`}</p></details></li>`
}
