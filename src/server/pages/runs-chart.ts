import type { Html } from '../../base/text/html.ts'
import { getRunState, nodeStates, type StateName } from './node-state.ts'
import type { PageSources } from './page.ts'
import { renderChart } from './parts/chart.ts'
import { formatCount } from './parts/time-format.ts'
import { queryRows, type StoreQuery } from './questions/store-query.ts'

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
export async function renderRunsChart({ store, now, remembered }: PageSources, certname?: string): Promise<Html> {
  const end = Math.floor(now() / hour) * hour
  const start = end - (hours - 1) * hour
  const createRunsCondition = (from: number, to: number): StoreQuery => [
    'and',
    ...(certname === undefined ? [] : [['=', 'certname', certname]]),
    ['>=', 'producer_timestamp', new Date(from).toISOString()],
    ['<', 'producer_timestamp', new Date(to).toISOString()],
  ]
  const [past, present] = await Promise.all([
    remembered(`runs ${start} ${end} ${certname ?? ''}`, pastMs, () =>
      readRunGroups(store, createRunsCondition(start, end)),
    ),
    readRunGroups(store, createRunsCondition(end, end + hour)),
  ])
  const rows = [...past, ...present]
  const states = nodeStates.filter(({ name }) => name !== 'unresponsive')
  const counts = new Map<string, number>()
  for (const { to_string: time, count: number, ...run } of rows) {
    const state = getRunState({
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
  return renderChart({
    caption: 'Runs of the last 24 hours',
    kind: 'stacked',
    series: states.map(({ label, name }) => ({ label, look: name })),
    points,
    summary: formatSummary(
      states.map(({ name }) => name),
      points,
    ),
  })
}

async function readRunGroups(store: PageSources['store'], condition: StoreQuery): Promise<readonly Group[]> {
  const byHour: StoreQuery = ['function', 'to_string', 'producer_timestamp', 'YYYY-MM-DD HH24']
  const fields: readonly StoreQuery[] = ['status', 'corrective_change', 'noop_pending', byHour]
  const { rows } = await queryRows<Group>(store, {
    of: 'reports',
    query: ['extract', [['function', 'count'], ...fields], condition, ['group_by', ...fields]],
  })
  return rows
}

function formatSummary(
  names: readonly StateName[],
  points: readonly { readonly figures: readonly number[] }[],
): string {
  const sumFigures = (of: (name: StateName) => boolean) =>
    points.reduce(
      (all, { figures }) => all + figures.reduce((some, figure, at) => some + (of(names[at]!) ? figure : 0), 0),
      0,
    )
  const all = sumFigures(() => true)
  const formatStateCount = (name: StateName, words: string) =>
    `${formatCount(sumFigures((each) => each === name))} ${words}`
  return all === 0
    ? 'No runs.'
    : `${formatCount(all)} runs: ${formatStateCount('failed', 'failed')}, ${formatStateCount('drifting', 'corrected drift')}, ${formatStateCount('changed', 'made changes')}.`
}
