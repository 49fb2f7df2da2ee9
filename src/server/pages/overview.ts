import { createPageAddress, type Html, html } from '../../base/text/html.ts'
import { readLatestFailures, renderCulpritsTable, renderFailuresTable } from './failures.ts'
import {
  computeReportDeadline,
  getRunState,
  type LastRun,
  lastRunFields,
  nodeStates,
  type StateName,
} from './node-state.ts'
import type { PageRenderer, PageSources } from './page.ts'
import { renderBar } from './parts/bar.ts'
import { formatCount, formatDuration } from './parts/time-format.ts'
import { queryFirstRow, queryRows } from './questions/store-query.ts'
import { renderRunsChart } from './runs-chart.ts'

/** Nodes by state, runs of the last day, and failures. */
export const renderOverviewPage: PageRenderer = async (_request, sources) => {
  const [counts, runs, failures] = await Promise.all([
    readStateCounts(sources),
    renderRunsChart(sources),
    readLatestFailures(sources),
  ])
  const culprits = await renderCulpritsTable(sources, failures)
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const body = html`<h1>Overview</h1>
<p class="lead"><strong>${formatCount(total)}</strong> ${total === 1 ? 'node' : 'nodes'}. A node is unresponsive after ${formatDuration(sources.unresponsiveAfter)} without a report.</p>
${renderStateCards(counts, total)}
${runs}
<div class="columns">
<section aria-labelledby="failures"><h2 id="failures">Latest failures</h2>${renderFailuresTable(failures, sources.now())}
<p><a href="${createPageAddress(['nodes'], { state: 'failed', sort: 'report_timestamp' })}">All failed nodes</a></p></section>
<section aria-labelledby="culprits"><h2 id="culprits">Most frequent failures</h2>${culprits}</section>
</div>`
  return { title: 'Overview', body, modules: ['charts.js'] }
}

/** The number of nodes in each state. */
export async function readStateCounts(sources: PageSources): Promise<ReadonlyMap<StateName, number>> {
  const fields = [...lastRunFields]
  const recent = ['>=', 'report_timestamp', computeReportDeadline(sources)]
  const [groups, all] = await Promise.all([
    queryRows<LastRun & { count: number }>(sources.store, {
      of: 'nodes',
      query: ['extract', [['function', 'count'], ...fields], recent, ['group_by', ...fields]],
    }),
    queryFirstRow<{ count: number }>(sources.store, { of: 'nodes', query: ['extract', [['function', 'count']]] }),
  ])
  const counts = new Map<StateName, number>(nodeStates.map(({ name }) => [name, 0]))
  let silent = all?.count ?? 0
  for (const group of groups.rows) {
    const state = getRunState(group)
    counts.set(state, counts.get(state)! + group.count)
    silent -= group.count
  }
  counts.set('unresponsive', Math.max(0, silent))
  return counts
}

function renderStateCards(counts: ReadonlyMap<StateName, number>, total: number): Html {
  const shares = nodeStates.map(({ name, label }) => ({ look: name, label, count: counts.get(name)! }))
  return html`<section aria-labelledby="states"><h2 id="states" class="hidden">Nodes by state</h2>
${total > 0 && renderBar(shares)}
<ul class="cards">${nodeStates.map(({ name, label, sign, meaning }) => {
    const number = counts.get(name)!
    return html`<li class="card ${name} ${number === 0 && 'zero'}"><a href="${createPageAddress(['nodes'], { state: name })}">
<span class="figure">${formatCount(number)}</span> <span class="label"><span aria-hidden="true">${sign}</span> ${label}</span>
<span class="meaning">${meaning}</span></a></li>`
  })}</ul></section>`
}
