import type { Html } from '../../base/text/html.ts'
import { nodeStates, type StateName, stateOfRun } from './node-state.ts'
import type { PageSources } from './page.ts'
import { chart } from './parts/chart.ts'
import { count } from './parts/moment.ts'
import { ask, type Query } from './questions/ask.ts'

const hour = 3_600_000
const hours = 24
/** Cache lifetime in milliseconds of the counts of past hours. These rarely change, since few reports arrive late. */
const pastMs = 5 * 60_000

interface Group {
  readonly status: string | null
  readonly corrective_change: boolean | null
  readonly noop_pending: boolean | null
  readonly to_string: string
  readonly count: number
}

/** A chart of the runs of the last day by hour and outcome; with `certname`, of one node only. */
export async function runsChart({ store, now, remembered }: PageSources, certname?: string): Promise<Html> {
  const end = Math.floor(now() / hour) * hour
  const start = end - (hours - 1) * hour
  const own = (from: number, to: number): Query => [
    'and',
    ...(certname === undefined ? [] : [['=', 'certname', certname]]),
    ['>=', 'producer_timestamp', new Date(from).toISOString()],
    ['<', 'producer_timestamp', new Date(to).toISOString()],
  ]
  const [past, present] = await Promise.all([
    remembered(`runs ${start} ${end} ${certname ?? ''}`, pastMs, () => groupsWhere(store, own(start, end))),
    groupsWhere(store, own(end, end + hour)),
  ])
  const rows = [...past, ...present]
  const states = nodeStates.filter(({ name }) => name !== 'unresponsive')
  const counts = new Map<string, number>()
  for (const { to_string: time, count: number, ...run } of rows) {
    const state = stateOfRun({
      latest_report_status: run.status,
      latest_report_noop_pending: run.noop_pending,
      latest_report_corrective_change: run.corrective_change,
    })
    const key = `${time} ${state}`
    counts.set(key, (counts.get(key) ?? 0) + number)
  }
  const points = Array.from({ length: hours }, (_, at) => {
    const time = start + at * hour
    const text = new Date(time).toISOString().slice(0, 13).replace('T', ' ')
    return { time, figures: states.map(({ name }) => counts.get(`${text} ${name}`) ?? 0) }
  })
  return chart({
    caption: 'Runs of the last 24 hours',
    kind: 'stacked',
    series: states.map(({ label, name }) => ({ label, look: name })),
    points,
    summary: summaryOf(
      states.map(({ name }) => name),
      points,
    ),
  })
}

async function groupsWhere(store: PageSources['store'], condition: Query): Promise<readonly Group[]> {
  const byHour: Query = ['function', 'to_string', 'producer_timestamp', 'YYYY-MM-DD HH24']
  const fields: readonly Query[] = ['status', 'corrective_change', 'noop_pending', byHour]
  const { rows } = await ask<Group>(store, {
    of: 'reports',
    query: ['extract', [['function', 'count'], ...fields], condition, ['group_by', ...fields]],
  })
  return rows
}

function summaryOf(names: readonly StateName[], points: readonly { readonly figures: readonly number[] }[]): string {
  const sum = (of: (name: StateName) => boolean) =>
    points.reduce(
      (all, { figures }) => all + figures.reduce((some, figure, at) => some + (of(names[at]!) ? figure : 0), 0),
      0,
    )
  const all = sum(() => true)
  const said = (name: StateName, words: string) => `${count(sum((each) => each === name))} ${words}`
  return all === 0
    ? 'No runs.'
    : `${count(all)} runs: ${said('failed', 'failed')}, ${said('drifting', 'corrected drift')}, ${said('changed', 'made changes')}.`
}
