import { addressOf, html } from '../../../base/text/html.ts'
import { nodeStates, type StateName, stateNamed } from '../node-state.ts'
import type { PageOf } from '../page.ts'
import { type Filter, filters } from '../parts/filters.ts'
import { offsetOf, pager } from '../parts/pager.ts'
import { ask, type Query } from '../questions/ask.ts'
import { allOf, containing, environmentNames, extract } from '../questions/conditions.ts'
import { type ReportRow, reportFields, reportsTable } from './reports-table.ts'

const size = 50

/** The list of reports, newest first. */
export const reportsPage: PageOf = async ({ query }, sources) => {
  const [name = '', environment = ''] = ['name', 'environment'].map((each) => query.get(each) ?? '')
  const state = stateNamed(query.get('state'))?.name
  const offset = offsetOf(query)
  const condition = allOf([
    name && containing('certname', name),
    environment && ['=', 'environment', environment],
    state && endedIn(state),
  ])
  const [found, environments] = await Promise.all([
    ask<ReportRow>(sources.store, {
      of: 'reports',
      query: extract(reportFields, condition),
      order: [['producer_timestamp', 'desc']],
      offset,
      limit: size,
      counted: true,
    }),
    environmentNames(sources.store),
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
${filters(fields, query, addressOf(['reports']))}
${reportsTable(found.rows, sources.now(), { withNode: true })}
${pager(found, { offset, size, what: 'reports' }, (offset) => addressOf(['reports'], { name, environment, state, offset }))}`
  return { title: 'Reports', body }
}

/** Query condition on `reports` for the runs that left the node in a state. */
function endedIn(state: StateName): Query {
  const isNot = (field: string): Query => ['or', ['=', field, false], ['null?', field, true]]
  const status = (name: string): Query => ['=', 'status', name]
  switch (state) {
    case 'failed':
      return status('failed')
    case 'noop':
      return ['and', ['=', 'noop_pending', true], ['not', status('failed')]]
    case 'drifting':
      return ['and', status('changed'), ['=', 'corrective_change', true], isNot('noop_pending')]
    case 'changed':
      return ['and', status('changed'), isNot('corrective_change'), isNot('noop_pending')]
    default:
      return ['and', status('unchanged'), isNot('noop_pending')]
  }
}
