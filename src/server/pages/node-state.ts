import type { StoreQuery } from './questions/store-query.ts'

/** State of a node, from its last run. A node is in exactly one state. */
export interface NodeState {
  readonly name: StateName
  readonly label: string
  /** Sign printed before the label, so that states are not distinguished by color alone. */
  readonly sign: string
  readonly meaning: string
}

/** Names of states. */
export type StateName = 'failed' | 'drifting' | 'noop' | 'changed' | 'unchanged' | 'unresponsive'

/** The states, most urgent first. */
export const nodeStates: readonly NodeState[] = [
  { name: 'failed', label: 'Failed', sign: '✕', meaning: 'the last run failed, or a resource in it' },
  { name: 'drifting', label: 'Drifting', sign: '↻', meaning: 'the last run corrected a change made outside of Puppet' },
  { name: 'unresponsive', label: 'Unresponsive', sign: '?', meaning: 'no recent report' },
  { name: 'noop', label: 'Pending', sign: '◌', meaning: 'changes pending (noop run)' },
  { name: 'changed', label: 'Changed', sign: '△', meaning: 'the last run made an intended change' },
  { name: 'unchanged', label: 'Unchanged', sign: '✓', meaning: 'the last run found nothing to change' },
]

/** The fields of a `nodes` row that determine the state. */
export interface LastRun {
  readonly report_timestamp?: string | null
  readonly latest_report_status: string | null
  readonly latest_report_noop_pending: boolean | null
  readonly latest_report_corrective_change: boolean | null
}

/** The fields of `LastRun`. */
export const lastRunFields = [
  'latest_report_status',
  'latest_report_noop_pending',
  'latest_report_corrective_change',
] as const

/** The state according to the last run, regardless of the run's age. */
export function getRunState(run: LastRun): Exclude<StateName, 'unresponsive'> {
  if (run.latest_report_status === 'failed') return 'failed'
  if (run.latest_report_noop_pending) return 'noop'
  if (run.latest_report_status !== 'changed') return 'unchanged'
  return run.latest_report_corrective_change ? 'drifting' : 'changed'
}

/** The state of a node. The node is unresponsive if its report is older than `since`. */
export function getNodeState(run: LastRun, since: string): StateName {
  const { report_timestamp: time } = run
  return time === null || time === undefined || Date.parse(time) < Date.parse(since) ? 'unresponsive' : getRunState(run)
}

/** Query condition on `nodes` for the nodes in a state. A report older than `since` makes a node unresponsive. */
export function toStateCondition(state: StateName, since: string): StoreQuery {
  const recent: StoreQuery = ['>=', 'report_timestamp', since]
  const createStatusCondition = (name: string): StoreQuery => ['=', 'latest_report_status', name]
  const createFalseCondition = (field: string): StoreQuery => ['or', ['=', field, false], ['null?', field, true]]
  const settled: StoreQuery = createFalseCondition('latest_report_noop_pending')
  switch (state) {
    case 'unresponsive':
      return ['or', ['null?', 'report_timestamp', true], ['<', 'report_timestamp', since]]
    case 'failed':
      return ['and', recent, createStatusCondition('failed')]
    case 'noop':
      return ['and', recent, ['=', 'latest_report_noop_pending', true], ['not', createStatusCondition('failed')]]
    case 'drifting':
      return ['and', recent, createStatusCondition('changed'), ['=', 'latest_report_corrective_change', true], settled]
    case 'changed':
      return [
        'and',
        recent,
        createStatusCondition('changed'),
        createFalseCondition('latest_report_corrective_change'),
        settled,
      ]
    case 'unchanged':
      return [
        'and',
        recent,
        ['not', ['or', createStatusCondition('changed'), createStatusCondition('failed')]],
        settled,
      ]
  }
}

/** Time limit of reports: a node whose last report is older is unresponsive. */
export function computeReportDeadline({
  now,
  unresponsiveAfter,
}: {
  now(): number
  readonly unresponsiveAfter: number
}): string {
  return new Date(now() - unresponsiveAfter).toISOString()
}

/** The state with a name; `undefined` for an unknown name. */
export function findState(name: string | undefined): NodeState | undefined {
  return nodeStates.find((state) => state.name === name)
}
