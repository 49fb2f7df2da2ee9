import type { ExactJson } from '../../../base/json/exact-json.ts'
import { getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { PageRenderer } from '../page.ts'
import { renderDefinitions } from '../parts/definitions.ts'
import { renderFilters } from '../parts/filters.ts'
import { parsePageOffset, renderPager } from '../parts/pager.ts'
import { renderValue } from '../parts/values.ts'
import { createContainsCondition, createExtractQuery, joinConditions } from '../questions/conditions.ts'
import { queryRows } from '../questions/store-query.ts'
import { listTypeChoices } from '../questions/type-choices.ts'
import { readNodeRow, renderNodeHead, renderUnknownNode } from './node-head.ts'

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
export const renderResourcesPage: PageRenderer = async ({ path, query }, sources) => {
  const [certname = ''] = path
  const node = await readNodeRow(sources, certname)
  if (!node) return renderUnknownNode(certname)
  const own = ['=', 'certname', certname]
  const [type = '', title = ''] = ['type', 'title'].map((name) => query.get(name) ?? '')
  const offset = parsePageOffset(query)
  const [options, found] = await Promise.all([
    listTypeChoices(sources.store, own),
    queryRows<ResourceRow>(sources.store, {
      of: 'resources',
      query: createExtractQuery(
        ['type', 'title', 'file', 'line', 'exported', 'tags', 'parameters'],
        joinConditions([own, type && ['=', 'type', type], title && createContainsCondition('title', title)]),
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
  const fields = [
    { kind: 'text', name: 'title', label: 'Title', placeholder: 'part of a title' },
    { kind: 'choice', name: 'type', label: 'Type', options },
  ] as const
  const toOffsetAddress = (offset: number) =>
    createPageAddress(['nodes', certname, 'resources'], { type, title, offset })
  const body = html`${renderNodeHead(node, 'resources', sources)}
${renderFilters(fields, query, createPageAddress(['nodes', certname, 'resources']))}
${found.rows.length === 0 ? html`<p class="empty">No matching resources.</p>` : html`<ul class="resources">${found.rows.map(renderResource)}</ul>`}
${renderPager(found, { offset, size, what: 'resources' }, toOffsetAddress)}`
  return { title: `Resources of ${certname}`, body }
}

function renderResource({ type, title, file, line, exported, tags, parameters }: ResourceRow): Html {
  const place = file === null ? undefined : line === null ? file : `${file}:${line}`
  const pairs = isExactObject(parameters) ? [...getEntries(parameters)] : []
  return html`<li><details><summary><code>${type}[${title}]</code>${exported && html` <span class="tag">exported</span>`}</summary>
${renderDefinitions(
  pairs.map(([name, value]) => [name, renderValue(value)] as const),
  'No parameters.',
)}
<p class="fine">${place} ${tags.length > 0 && html`tags: ${tags.join(', ')}`}</p></details></li>`
}
