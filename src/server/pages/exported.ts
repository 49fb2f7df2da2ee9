import type { ExactJson } from '../../base/json/exact-json.ts'
import { addressOf, type Html, html } from '../../base/text/html.ts'
import type { PageOf, PageSources } from './page.ts'
import { filters } from './parts/filters.ts'
import { count } from './parts/moment.ts'
import { offsetOf, pager } from './parts/pager.ts'
import { table } from './parts/table.ts'
import { valueHtml } from './parts/values.ts'
import { ask, type Rows } from './questions/ask.ts'
import { allOf, containing, extract } from './questions/conditions.ts'

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
export const exportedPage: PageOf = async ({ query }, sources) => {
  const [type = '', title = '', name = ''] = ['type', 'title', 'name'].map((each) => query.get(each) ?? '')
  const exported = ['=', 'exported', true]
  const offset = offsetOf(query)
  const [types, found] = await Promise.all([
    ask<{ type: string; count: number }>(sources.store, {
      of: 'resources',
      query: ['extract', [['function', 'count'], 'type'], exported, ['group_by', 'type']],
    }),
    ask<Omit<ExportedRow, 'collectors'>>(sources.store, {
      of: 'resources',
      query: extract(
        ['certname', 'type', 'title', 'tags', 'parameters'],
        allOf([
          exported,
          type && ['=', 'type', type],
          title && containing('title', title),
          name && containing('certname', name),
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
  const collectors = await collectorsOf(sources, found)
  const rows = found.rows.map((row) => ({ ...row, collectors: collectors.get(referenceOf(row)) ?? [] }))
  const options = [...types.rows]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, count: number }) => [type, `${type} (${count(number)})`] as const)
  const fields = [
    { kind: 'text', name: 'title', label: 'Title', placeholder: 'part of a title' },
    { kind: 'text', name: 'name', label: 'Exported by', placeholder: 'part of a name' },
    { kind: 'choice', name: 'type', label: 'Type', options },
  ] as const
  const body = html`<h1>Exported resources</h1>
<p class="lead">Resources that nodes export, and the nodes that collect them.</p>
${filters(fields, query, addressOf(['exported']))}
${exportedTable(rows)}
${pager(found, { offset, size, what: 'exported resources' }, (offset) => addressOf(['exported'], { type, title, name, offset }))}`
  return { title: 'Exported resources', body }
}

const referenceOf = ({ type, title }: Pick<ExportedRow, 'type' | 'title'>) => `${type}[${title}]`

async function collectorsOf(
  { store }: PageSources,
  { rows }: Rows<Omit<ExportedRow, 'collectors'>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (rows.length === 0) return new Map()
  const [types, titles] = [rows.map(({ type }) => type), rows.map(({ title }) => title)].map((each) => [
    ...new Set(each),
  ])
  const collected = await ask<Pick<ExportedRow, 'certname' | 'type' | 'title'>>(store, {
    of: 'resources',
    query: extract(
      ['certname', 'type', 'title'],
      ['and', ['=', 'exported', false], ['in', 'type', ['array', types!]], ['in', 'title', ['array', titles!]]],
    ),
  })
  const collectors = new Map<string, string[]>()
  for (const row of collected.rows) {
    const names = collectors.get(referenceOf(row)) ?? []
    names.push(row.certname)
    collectors.set(referenceOf(row), names)
  }
  return collectors
}

function exportedTable(rows: readonly ExportedRow[]): Html {
  return table<ExportedRow>(
    'Exported resources',
    [
      {
        label: 'Resource',
        heads: true,
        cell: (row) =>
          html`<details><summary><code>${referenceOf(row)}</code></summary>${valueHtml(row.parameters)}<p class="fine">tags: ${row.tags.join(', ')}</p></details>`,
      },
      {
        label: 'Exported by',
        cell: ({ certname }) => html`<a href="${addressOf(['nodes', certname])}">${certname}</a>`,
      },
      { label: 'Collected by', cell: ({ collectors }) => collectedBy(collectors) },
    ],
    rows,
    'No exported resources.',
  )
}

function collectedBy(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="none">no node</span>`
  const shown = names.slice(0, 3)
  const links = shown.map((name, at) => html`${at > 0 && ', '}<a href="${addressOf(['nodes', name])}">${name}</a>`)
  return html`${links}${names.length > shown.length && ` and ${count(names.length - shown.length)} more`}`
}
