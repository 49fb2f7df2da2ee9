import type { ExactJson } from '../../base/json/exact-json.ts'
import { createPageAddress, type Html, html } from '../../base/text/html.ts'
import type { PageRenderer, PageSources } from './page.ts'
import { renderFilters } from './parts/filters.ts'
import { parsePageOffset, renderPager } from './parts/pager.ts'
import { renderTable } from './parts/table.ts'
import { formatCount } from './parts/time-format.ts'
import { renderValue } from './parts/values.ts'
import { createContainsCondition, createExtractQuery, joinConditions } from './questions/conditions.ts'
import { queryRows, type Rows } from './questions/store-query.ts'
import { listTypeChoices } from './questions/type-choices.ts'

const size = 50

interface ExportedRow {
  readonly certname: string
  readonly type: string
  readonly title: string
  readonly tags: readonly string[]
  readonly parameters: ExactJson
  readonly collectors: readonly string[]
}

/** Exported resources, and the nodes that collect them. */
export const renderExportedPage: PageRenderer = async ({ query }, sources) => {
  const [type = '', title = '', name = ''] = ['type', 'title', 'name'].map((each) => query.get(each) ?? '')
  const exported = ['=', 'exported', true]
  const offset = parsePageOffset(query)
  const [options, found] = await Promise.all([
    listTypeChoices(sources.store, exported),
    queryRows<Omit<ExportedRow, 'collectors'>>(sources.store, {
      of: 'resources',
      query: createExtractQuery(
        ['certname', 'type', 'title', 'tags', 'parameters'],
        joinConditions([
          exported,
          type && ['=', 'type', type],
          title && createContainsCondition('title', title),
          name && createContainsCondition('certname', name),
        ]),
      ),
      order: [
        ['type', 'asc'],
        ['title', 'asc'],
        ['certname', 'asc'],
      ],
      offset,
      limit: size,
      counted: true,
    }),
  ])
  const collectors = await readCollectors(sources, found)
  const rows = found.rows.map((row) => ({ ...row, collectors: collectors.get(formatReference(row)) ?? [] }))
  const fields = [
    { kind: 'text', name: 'title', label: 'Title', placeholder: 'part of a title' },
    { kind: 'text', name: 'name', label: 'Exported by', placeholder: 'part of a name' },
    { kind: 'choice', name: 'type', label: 'Type', options },
  ] as const
  const body = html`<h1>Exported resources</h1>
<p class="lead">Resources that nodes export, and the nodes that collect them.</p>
${renderFilters(fields, query, createPageAddress(['exported']))}
${renderExportedTable(rows)}
${renderPager(found, { offset, size, what: 'exported resources' }, (offset) => createPageAddress(['exported'], { type, title, name, offset }))}`
  return { title: 'Exported resources', body }
}

const formatReference = ({ type, title }: Pick<ExportedRow, 'type' | 'title'>) => `${type}[${title}]`

async function readCollectors(
  { store }: PageSources,
  { rows }: Rows<Omit<ExportedRow, 'collectors'>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (rows.length === 0) return new Map()
  const [types, titles] = [rows.map(({ type }) => type), rows.map(({ title }) => title)].map((each) => [
    ...new Set(each),
  ])
  const collected = await queryRows<Pick<ExportedRow, 'certname' | 'type' | 'title'>>(store, {
    of: 'resources',
    query: createExtractQuery(
      ['certname', 'type', 'title'],
      ['and', ['=', 'exported', false], ['in', 'type', ['array', types!]], ['in', 'title', ['array', titles!]]],
    ),
  })
  const collectors = new Map<string, string[]>()
  for (const row of collected.rows) {
    const names = collectors.get(formatReference(row)) ?? []
    names.push(row.certname)
    collectors.set(formatReference(row), names)
  }
  return collectors
}

function renderExportedTable(rows: readonly ExportedRow[]): Html {
  return renderTable<ExportedRow>(
    'Exported resources',
    [
      {
        label: 'Resource',
        heads: true,
        cell: (row) =>
          html`<details><summary><code>${formatReference(row)}</code></summary>${renderValue(row.parameters)}<p class="fine">tags: ${row.tags.join(', ')}</p></details>`,
      },
      {
        label: 'Exported by',
        cell: ({ certname }) => html`<a href="${createPageAddress(['nodes', certname])}">${certname}</a>`,
      },
      { label: 'Collected by', cell: ({ collectors }) => renderCollectors(collectors) },
    ],
    rows,
    'No exported resources.',
  )
}

function renderCollectors(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="none">no node</span>`
  const shown = names.slice(0, 3)
  const links = shown.map(
    (name, at) => html`${at > 0 && ', '}<a href="${createPageAddress(['nodes', name])}">${name}</a>`,
  )
  return html`${links}${names.length > shown.length && ` and ${formatCount(names.length - shown.length)} more`}`
}
