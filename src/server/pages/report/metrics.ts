import { type Html, html } from '../../../base/text/html.ts'
import { renderBar } from '../parts/bar.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount } from '../parts/time-format.ts'

/** A metric of a report, with its category. */
export interface MetricRow {
  readonly category: string
  readonly name: string
  readonly value: number
}

/** Disjoint states of resources. Each has the color of a node state. */
const resourceStates = [
  ['failed', 'failed'],
  ['failed_to_restart', 'failed'],
  ['corrective_change', 'drifting'],
  ['changed', 'changed'],
  ['skipped', 'unresponsive'],
] as const

/** The metrics of a run: number of resources by state, and duration of each part; empty for a run without a catalog. */
export function renderMetrics(metrics: readonly MetricRow[], isNoopPending: boolean): Html {
  if (metrics.length === 0) return html``
  const listMetrics = (category: string) => metrics.filter((metric) => metric.category === category)
  const resources = new Map(listMetrics('resources').map(({ name, value }) => [name, Number(value)]))
  if ((resources.get('total') ?? 0) === 0) return html``
  const times = listMetrics('time')
    .filter(({ name }) => name !== 'total')
    .sort((a, b) => b.value - a.value)
  return html`<div class="columns">
<section aria-labelledby="resources"><h2 id="resources">Resources</h2>${renderResourceShares(resources, isNoopPending)}</section>
<section aria-labelledby="times"><h2 id="times">Times</h2>${renderTable<MetricRow>(
    'Times',
    [
      { label: 'Part', heads: true, cell: ({ name }) => name.replaceAll('_', ' ') },
      { label: 'Seconds', numeric: true, cell: ({ value }) => Number(value).toFixed(2) },
    ],
    times.slice(0, 12),
  )}</section>
</div>`
}

function renderResourceShares(resources: ReadonlyMap<string, number>, isNoopPending: boolean): Html {
  const total = resources.get('total') ?? 0
  const corrective = resources.get('corrective_change') ?? 0
  const counts = resourceStates.map(([name, look]) => {
    const number = resources.get(name) ?? 0
    // `changed` includes corrective changes.
    return {
      label: name.replaceAll('_', ' '),
      look,
      count: name === 'changed' ? Math.max(0, number - corrective) : number,
    }
  })
  const rest = Math.max(0, total - counts.reduce((sum, each) => sum + each.count, 0))
  const changed = resources.get('changed') ?? 0
  const pending = isNoopPending ? Math.min(rest, Math.max(0, (resources.get('out_of_sync') ?? 0) - changed)) : 0
  const shares = [
    ...counts,
    { label: 'would change', look: 'noop' as const, count: pending },
    { label: 'in sync', look: 'unchanged' as const, count: rest - pending },
  ]
  return html`${renderBar(shares)}
<ul class="legend">${shares.filter((each) => each.count > 0).map(({ label, look, count: number }) => html`<li class="${look}"><strong>${formatCount(number)}</strong> ${label}</li>`)}</ul>
<p class="fine">${formatCount(total)} resources${(resources.get('out_of_sync') ?? 0) > 0 && `, ${formatCount(resources.get('out_of_sync')!)} out of sync`}</p>`
}
