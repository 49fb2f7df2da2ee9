import { createPageAddress, type Html, html } from '../../base/text/html.ts'
import { getReportedEnvironment } from '../../store/node-rows.ts'
import {
  computeReportDeadline,
  findState,
  getNodeState,
  type LastRun,
  lastRunFields,
  nodeStates,
  toStateCondition,
} from './node-state.ts'
import type { PageRenderer, PageSources } from './page.ts'
import { type Filter, renderFilters } from './parts/filters.ts'
import { parsePageOffset, renderPager } from './parts/pager.ts'
import { renderStateBadge } from './parts/state-badge.ts'
import { renderTable, type TableColumn } from './parts/table.ts'
import { renderTime } from './parts/time-format.ts'
import { createContainsCondition, joinConditions, readEnvironmentNames } from './questions/conditions.ts'
import { createEnvironmentCondition, readOwnEnvironments } from './questions/node-environments.ts'
import { queryRows, type Rows, type StoreQuery } from './questions/store-query.ts'

const size = 50

const columns = {
  certname: 'Node',
  report_environment: 'Environment',
  latest_report_status: 'State',
  report_timestamp: 'Last report',
  catalog_timestamp: 'Last catalog',
} as const

type ColumnName = keyof typeof columns

interface NodeRow extends LastRun {
  readonly certname: string
  readonly report_environment: string | null
  readonly catalog_environment: string | null
  readonly facts_environment: string | null
  readonly report_timestamp: string | null
  readonly catalog_timestamp: string | null
  readonly latest_report_hash: string | null
  readonly environment?: string | null
  readonly codeId?: string | undefined
}

/** The filtered and sorted list of nodes, page by page. */
export const renderNodesPage: PageRenderer = async ({ query }, sources) => {
  const since = computeReportDeadline(sources)
  const state = findState(query.get('state'))
  const [sort, descending] = parseSort(query.get('sort'))
  const offset = parsePageOffset(query)
  const condition = await parseCondition(query, since, sources)
  const [found, environments] = await Promise.all([
    readNodes(sources, { query: condition, sort, descending, offset }),
    readEnvironmentNames(sources.store),
  ])
  const kept = Object.fromEntries(['state', 'environment', 'name', 'code_id'].map((name) => [name, query.get(name)]))
  const toPageAddress = (more: Readonly<Record<string, string | number | undefined>>) =>
    createPageAddress(['nodes'], { ...kept, sort: query.get('sort'), ...more })
  const fields: readonly Filter[] = [
    { kind: 'text', name: 'name', label: 'Name', placeholder: 'part of a name' },
    { kind: 'choice', name: 'state', label: 'State', options: nodeStates.map(({ name, label }) => [name, label]) },
    { kind: 'choice', name: 'environment', label: 'Environment', options: environments.map((name) => [name, name]) },
  ]
  const body = html`<h1>${state ? `${state.label} nodes` : 'Nodes'}</h1>
${kept['code_id'] && html`<p class="lead">Nodes whose last catalog is from commit <code>${kept['code_id'].slice(0, 12)}</code>. <a href="${createPageAddress(['nodes'])}">All nodes</a></p>`}
${renderFilters(fields, query, createPageAddress(['nodes']), { sort: query.get('sort'), code_id: kept['code_id'] })}
${renderNodesTable(found.rows, { since, now: sources.now(), sort, descending, at: (name) => toPageAddress({ sort: name }) })}
${renderPager(found, { offset, size, what: 'nodes' }, (offset) => toPageAddress({ offset }))}`
  return { title: state ? `${state.label} nodes` : 'Nodes', body }
}

function parseSort(text = 'certname'): readonly [ColumnName, boolean] {
  const name = text.replace(/^-/, '')
  const known = Object.hasOwn(columns, name) ? (name as ColumnName) : 'certname'
  return [known, text.startsWith('-')]
}

async function parseCondition(
  query: ReadonlyMap<string, string>,
  since: string,
  sources: PageSources,
): Promise<StoreQuery | undefined> {
  const state = findState(query.get('state'))
  const [name, environment, codeId] = ['name', 'environment', 'code_id'].map((each) => query.get(each) ?? '')
  return joinConditions([
    state && toStateCondition(state.name, since),
    name && createContainsCondition('certname', name),
    environment && createEnvironmentCondition(environment, await readOwnEnvironments(sources)),
    codeId && ['in', 'certname', ['extract', 'certname', ['select_catalogs', ['=', 'code_id', codeId]]]],
  ])
}

interface NodesQuery {
  readonly query: StoreQuery | undefined
  readonly sort: ColumnName
  readonly descending: boolean
  readonly offset: number
}

async function readNodes(
  sources: PageSources,
  { query, sort, descending, offset }: NodesQuery,
): Promise<Rows<NodeRow>> {
  const { store } = sources
  const fields = [
    'certname',
    'report_environment',
    'catalog_environment',
    'facts_environment',
    'report_timestamp',
    'catalog_timestamp',
    'latest_report_hash',
    ...lastRunFields,
  ]
  const found = await queryRows<NodeRow>(store, {
    of: 'nodes',
    query: query === undefined ? ['extract', fields] : ['extract', fields, query],
    order: [[sort, descending ? 'desc' : 'asc'], ...(sort === 'certname' ? [] : [['certname', 'asc'] as const])],
    offset,
    limit: size,
    counted: true,
  })
  if (found.rows.length === 0) return found
  const names = found.rows.map(({ certname }) => certname)
  const { rows: catalogs } = await queryRows<{ certname: string; code_id: string | null }>(store, {
    of: 'catalogs',
    query: ['extract', ['certname', 'code_id'], ['in', 'certname', ['array', names]]],
  })
  const codeOf = new Map(catalogs.map(({ certname, code_id: codeId }) => [certname, codeId ?? undefined]))
  const own = await readOwnEnvironments(sources, names)
  const rows = found.rows.map((row) => ({
    ...row,
    environment: own.get(row.certname)?.environment ?? getReportedEnvironment({ ...row }),
    codeId: own.get(row.certname)?.codeId ?? codeOf.get(row.certname),
  }))
  return { ...found, rows }
}

interface NodesTableOptions {
  readonly since: string
  readonly now: number
  readonly sort: ColumnName
  readonly descending: boolean
  at(sort: string): ReturnType<typeof createPageAddress>
}

function renderNodesTable(rows: readonly NodeRow[], { since, now, sort, descending, at }: NodesTableOptions): Html {
  const createSortableColumn = (name: ColumnName) => ({
    label: columns[name],
    sort: {
      address: at(name === sort && !descending ? `-${name}` : name),
      now: name === sort ? (descending ? ('descending' as const) : ('ascending' as const)) : undefined,
    },
  })
  const shown: readonly TableColumn<NodeRow>[] = [
    {
      ...createSortableColumn('certname'),
      heads: true,
      cell: ({ certname }) => html`<a href="${createPageAddress(['nodes', certname])}">${certname}</a>`,
    },
    { ...createSortableColumn('latest_report_status'), cell: (row) => renderStateBadge(getNodeState(row, since)) },
    { ...createSortableColumn('report_environment'), cell: ({ environment }) => environment },
    {
      ...createSortableColumn('report_timestamp'),
      cell: ({ report_timestamp: time, latest_report_hash: hash }) =>
        hash === null
          ? renderTime(time, now)
          : html`<a href="${createPageAddress(['reports', hash])}">${renderTime(time, now)}</a>`,
    },
    { ...createSortableColumn('catalog_timestamp'), cell: (row) => renderTime(row.catalog_timestamp, now) },
    { label: 'Commit', cell: ({ codeId }) => codeId !== undefined && html`<code>${codeId.slice(0, 12)}</code>` },
  ]
  return renderTable('Nodes', shown, rows, 'No node matches.')
}
