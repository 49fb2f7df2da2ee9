import { createPageAddress, html } from '../../../base/text/html.ts'
import { findState, nodeStates, type StateName } from '../node-state.ts'
import type { PageRenderer } from '../page.ts'
import { type Filter, renderFilters } from '../parts/filters.ts'
import { parsePageOffset, renderPager } from '../parts/pager.ts'
import {
  createContainsCondition,
  createExtractQuery,
  joinConditions,
  readEnvironmentNames,
} from '../questions/conditions.ts'
import { queryRows, type StoreQuery } from '../questions/store-query.ts'
import { type ReportRow, renderReportsTable, reportFields } from './reports-table.ts'

const size = 50

/** The list of reports, newest first. */
export const renderReportsPage: PageRenderer = async ({ query }, sources) => {
  const [name = '', environment = ''] = ['name', 'environment'].map((each) => query.get(each) ?? '')
  const state = findState(query.get('state'))?.name
  const offset = parsePageOffset(query)
  const condition = joinConditions([
    name && createContainsCondition('certname', name),
    environment && ['=', 'environment', environment],
    state && toRunCondition(state),
  ])
  const [found, environments] = await Promise.all([
    queryRows<ReportRow>(sources.store, {
      of: 'reports',
      query: createExtractQuery(reportFields, condition),
      order: [['producer_timestamp', 'desc']],
      offset,
      limit: size,
      counted: true,
    }),
    readEnvironmentNames(sources.store),
  ])
  const outcomes = nodeStates
    .filter(({ name }) => name !== 'unresponsive')
    .map(({ name, label }) => [name, label] as const)
  const fields: readonly Filter[] = [
    { kind: 'text', name: 'name', label: 'Node', placeholder: 'part of a name' },
    { kind: 'choice', name: 'state', label: 'Outcome', options: outcomes },
    { kind: 'choice', name: 'environment', label: 'Environment', options: environments.map((each) => [each, each]) },
  ]
  const body = html`<h1>Reports</h1>
${renderFilters(fields, query, createPageAddress(['reports']))}
${renderReportsTable(found.rows, sources.now(), { withNode: true })}
${renderPager(found, { offset, size, what: 'reports' }, (offset) => createPageAddress(['reports'], { name, environment, state, offset }))}`
  return { title: 'Reports', body }
}

/** Query condition on `reports` for the runs that left the node in a state. */
function toRunCondition(state: StateName): StoreQuery {
  const createFalseCondition = (field: string): StoreQuery => ['or', ['=', field, false], ['null?', field, true]]
  const createStatusCondition = (name: string): StoreQuery => ['=', 'status', name]
  switch (state) {
    case 'failed':
      return createStatusCondition('failed')
    case 'noop':
      return ['and', ['=', 'noop_pending', true], ['not', createStatusCondition('failed')]]
    case 'drifting':
      return [
        'and',
        createStatusCondition('changed'),
        ['=', 'corrective_change', true],
        createFalseCondition('noop_pending'),
      ]
    case 'changed':
      return [
        'and',
        createStatusCondition('changed'),
        createFalseCondition('corrective_change'),
        createFalseCondition('noop_pending'),
      ]
    default:
      return ['and', createStatusCondition('unchanged'), createFalseCondition('noop_pending')]
  }
}
