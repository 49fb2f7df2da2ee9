import type { Html } from '../../base/text/html.ts'
import type { DeployedEnvironment } from './deploys.ts'
import type { PageSources } from './page.ts'
import { renderChart } from './parts/chart.ts'
import { formatCount, formatDuration } from './parts/time-format.ts'
import { createExtractQuery } from './questions/conditions.ts'
import { findRows, queryRows, type StoreQuery } from './questions/store-query.ts'

const minute = 60_000
/**
 * Time in milliseconds after a push for which the chart counts the nodes that receive the commit.
 * Every active node runs within this time.
 */
const watchedMs = 24 * 60 * minute
/**
 * Length in milliseconds of the oldest part of the reports that are read. A report in this part may
 * not be of the node's first run with the commit, because older reports are not read. No chart is
 * shown for a push in this part.
 */
const blurredMs = 60 * minute
/** Cache lifetime in milliseconds of the times at which nodes received a commit. */
const rememberedMs = 20_000
const steps = 30

/** A chart of the nodes that received the served commit since its push; `undefined` for an old commit. */
export async function renderConvergenceChart(
  sources: PageSources,
  deployed: DeployedEnvironment,
): Promise<Html | undefined> {
  const { name, status, nodes } = deployed
  const now = sources.now()
  if (status?.commit === undefined || nodes === 0) return undefined
  const { commit, since: served = now } = status
  const times = await sources.remembered(`arrivals ${name} ${commit}`, rememberedMs, () =>
    readArrivalTimes(sources, name, commit),
  )
  // A server that started after the push does not know the time of the push.
  const since = Math.min(served, times[0] ?? served)
  if (times.length === 0 || now - since > watchedMs - blurredMs) return undefined
  const end = computeChartEnd(times, { since, now, isOver: times.length >= nodes })
  const length = (end - since) / steps
  const points = Array.from({ length: steps + 1 }, (_, at) => {
    const time = Math.round(since + at * length)
    const reached = times.filter((each) => each <= time).length
    return { time, figures: [reached, Math.max(0, nodes - reached)] }
  })
  const half = times[Math.ceil(nodes / 2) - 1]
  const halfway = half === undefined ? '' : ` Half of the nodes received it within ${formatDuration(half - since)}.`
  return renderChart({
    caption: `Convergence of ${name}`,
    kind: 'stacked',
    series: [
      { label: 'On the served commit', look: 'unchanged' },
      { label: 'On other commits', look: 'drifting' },
    ],
    points,
    summary: `${formatCount(Math.min(times.length, nodes))} of ${formatCount(nodes)} nodes received it within ${formatDuration(end - since)}.${halfway}`,
  })
}

/** The end of the chart: now, or shortly after the last node received the commit. */
function computeChartEnd(
  times: readonly number[],
  { since, now, isOver }: { since: number; now: number; isOver: boolean },
): number {
  const last = times.at(-1)!
  return Math.max(since + minute, isOver ? Math.min(now, last + (last - since) / 10) : now)
}

/** The times at which nodes first received a commit, from the history of catalogs, or without history from reports. */
async function readArrivalTimes(sources: PageSources, environment: string, commit: string): Promise<readonly number[]> {
  const { store, now } = sources
  const its: readonly StoreQuery[] = [
    ['=', 'code_id', commit],
    ['=', 'environment', environment],
  ]
  const history = await findRows<{ certname: string; since: string }>(store, {
    of: 'catalog-history',
    query: createExtractQuery(['certname', 'since'], ['and', ...its]),
  })
  if (history) return listFirstTimes(history.rows.map(({ certname, since }) => [certname, since]))
  const recent: StoreQuery = ['>=', 'producer_timestamp', new Date(now() - watchedMs).toISOString()]
  const { rows } = await queryRows<{ certname: string; min: string }>(store, {
    of: 'reports',
    query: [
      'extract',
      ['certname', ['function', 'min', 'start_time']],
      ['and', ...its, recent],
      ['group_by', 'certname'],
    ],
  })
  return listFirstTimes(rows.map(({ certname, min }) => [certname, min]))
}

function listFirstTimes(given: readonly (readonly [certname: string, time: string])[]): readonly number[] {
  const first = new Map<string, number>()
  for (const [certname, time] of given) {
    const known = first.get(certname) ?? Number.POSITIVE_INFINITY
    first.set(certname, Math.min(known, Date.parse(time)))
  }
  return [...first.values()].sort((a, b) => a - b)
}
