import { addressOf, type Html, html } from '../../base/text/html.ts'
import { reportedEnvironment } from '../../store/node-rows.ts'
import { conditionOf, type LastRun, lastRunFields, nodeStates, stateNamed, stateOf, tooOld } from './node-state.ts'
import type { PageOf, PageSources } from './page.ts'
import { type Filter, filters } from './parts/filters.ts'
import { moment } from './parts/moment.ts'
import { offsetOf, pager } from './parts/pager.ts'
import { stateBadge } from './parts/state-badge.ts'
import { type Column, table } from './parts/table.ts'
import { ask, type Query, type Rows } from './questions/ask.ts'
import { allOf, containing, environmentNames } from './questions/conditions.ts'
import { belongsTo, ownEnvironmentsOf } from './questions/own-environments.ts'

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
export const nodesPage: PageOf = async ({ query }, sources) => {
  const since = tooOld(sources)
  const state = stateNamed(query.get('state'))
  const [sort, descending] = sortOf(query.get('sort'))
  const offset = offsetOf(query)
  const condition = await conditionIn(query, since, sources)
  const [found, environments] = await Promise.all([
    nodesWhere(sources, { query: condition, sort, descending, offset }),
    environmentNames(sources.store),
  ])
  const kept = Object.fromEntries(['state', 'environment', 'name', 'code_id'].map((name) => [name, query.get(name)]))
  const at = (more: Readonly<Record<string, string | number | undefined>>) =>
    addressOf(['nodes'], { ...kept, sort: query.get('sort'), ...more })
  const fields: readonly Filter[] = [
    { kind: 'text', name: 'name', label: 'Name', placeholder: 'part of a name' },
    { kind: 'choice', name: 'state', label: 'State', options: nodeStates.map(({ name, label }) => [name, label]) },
    { kind: 'choice', name: 'environment', label: 'Environment', options: environments.map((name) => [name, name]) },
  ]
  const body = html`<h1>${state ? `${state.label} nodes` : 'Nodes'}</h1>
${kept['code_id'] && html`<p class="lead">Nodes whose last catalog is from commit <code>${kept['code_id'].slice(0, 12)}</code>. <a href="${addressOf(['nodes'])}">All nodes</a></p>`}
${filters(fields, query, addressOf(['nodes']), { sort: query.get('sort'), code_id: kept['code_id'] })}
${nodesTable(found.rows, { since, now: sources.now(), sort, descending, at: (name) => at({ sort: name }) })}
${pager(found, { offset, size, what: 'nodes' }, (offset) => at({ offset }))}`
  return { title: state ? `${state.label} nodes` : 'Nodes', body }
}

function sortOf(text = 'certname'): readonly [ColumnName, boolean] {
  const name = text.replace(/^-/, '')
  const known = Object.hasOwn(columns, name) ? (name as ColumnName) : 'certname'
  return [known, text.startsWith('-')]
}

async function conditionIn(
  query: ReadonlyMap<string, string>,
  since: string,
  sources: PageSources,
): Promise<Query | undefined> {
  const state = stateNamed(query.get('state'))
  const [name, environment, codeId] = ['name', 'environment', 'code_id'].map((each) => query.get(each) ?? '')
  return allOf([
    state && conditionOf(state.name, since),
    name && containing('certname', name),
    environment && belongsTo(environment, await ownEnvironmentsOf(sources)),
    codeId && ['in', 'certname', ['extract', 'certname', ['select_catalogs', ['=', 'code_id', codeId]]]],
  ])
}

interface Wanted {
  readonly query: Query | undefined
  readonly sort: ColumnName
  readonly descending: boolean
  readonly offset: number
}

async function nodesWhere(sources: PageSources, { query, sort, descending, offset }: Wanted): Promise<Rows<NodeRow>> {
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
  const found = await ask<NodeRow>(store, {
    of: 'nodes',
    query: query === undefined ? ['extract', fields] : ['extract', fields, query],
    order: [[sort, descending ? 'desc' : 'asc'], ...(sort === 'certname' ? [] : [['certname', 'asc'] as const])],
    offset,
    limit: size,
    counted: true,
  })
  if (found.rows.length === 0) return found
  const names = found.rows.map(({ certname }) => certname)
  const { rows: catalogs } = await ask<{ certname: string; code_id: string | null }>(store, {
    of: 'catalogs',
    query: ['extract', ['certname', 'code_id'], ['in', 'certname', ['array', names]]],
  })
  const codeOf = new Map(catalogs.map(({ certname, code_id: codeId }) => [certname, codeId ?? undefined]))
  const own = await ownEnvironmentsOf(sources, names)
  const rows = found.rows.map((row) => ({
    ...row,
    environment: own.get(row.certname)?.environment ?? reportedEnvironment({ ...row }),
    codeId: own.get(row.certname)?.codeId ?? codeOf.get(row.certname),
  }))
  return { ...found, rows }
}

interface Shown {
  readonly since: string
  readonly now: number
  readonly sort: ColumnName
  readonly descending: boolean
  at(sort: string): ReturnType<typeof addressOf>
}

function nodesTable(rows: readonly NodeRow[], { since, now, sort, descending, at }: Shown): Html {
  const sortable = (name: ColumnName) => ({
    label: columns[name],
    sort: {
      address: at(name === sort && !descending ? `-${name}` : name),
      now: name === sort ? (descending ? ('descending' as const) : ('ascending' as const)) : undefined,
    },
  })
  const shown: readonly Column<NodeRow>[] = [
    {
      ...sortable('certname'),
      heads: true,
      cell: ({ certname }) => html`<a href="${addressOf(['nodes', certname])}">${certname}</a>`,
    },
    { ...sortable('latest_report_status'), cell: (row) => stateBadge(stateOf(row, since)) },
    { ...sortable('report_environment'), cell: ({ environment }) => environment },
    {
      ...sortable('report_timestamp'),
      cell: ({ report_timestamp: time, latest_report_hash: hash }) =>
        hash === null ? moment(time, now) : html`<a href="${addressOf(['reports', hash])}">${moment(time, now)}</a>`,
    },
    { ...sortable('catalog_timestamp'), cell: (row) => moment(row.catalog_timestamp, now) },
    { label: 'Commit', cell: ({ codeId }) => codeId !== undefined && html`<code>${codeId.slice(0, 12)}</code>` },
  ]
  return table('Nodes', shown, rows, 'No node matches.')
}
