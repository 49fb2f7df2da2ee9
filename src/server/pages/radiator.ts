import { createPageAddress, html } from '../../base/text/html.ts'
import { nodeStates } from './node-state.ts'
import { readStateCounts } from './overview.ts'
import type { PageRenderer } from './page.ts'
import { renderBar } from './parts/bar.ts'
import { formatCount, formatUtc } from './parts/time-format.ts'

/** Seconds between two updates of the radiator. */
const refresh = 30

/** Nodes by state, for a wall display. */
export const renderRadiatorPage: PageRenderer = async (_request, sources) => {
  const counts = await readStateCounts(sources)
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const shares = nodeStates.map(({ name, label }) => ({ look: name, label, count: counts.get(name)! }))
  const body = html`<h1 class="hidden">Radiator</h1>
<div class="radiator" data-refresh="${refresh}">
${renderBar(shares)}
<ul>${nodeStates.map(({ name, label, sign }) => {
    const number = counts.get(name)!
    const share = total === 0 ? 0 : Math.round((100 * number) / total)
    return html`<li class="card ${name} ${number === 0 && 'zero'}"><a href="${createPageAddress(['nodes'], { state: name })}"><span class="figure">${formatCount(number)}</span>
<span class="label"><span aria-hidden="true">${sign}</span> ${label}</span> <span class="share">${share} %</span></a></li>`
  })}</ul>
<p class="foot"><a href="${createPageAddress([''])}">Overview</a> <span>${formatCount(total)} nodes</span> <span>as of ${formatUtc(new Date(sources.now()).toISOString())}, updated every ${refresh} s</span></p>
</div>`
  return { title: 'Radiator', body, refresh, bare: true, modules: ['refresh.js'] }
}
