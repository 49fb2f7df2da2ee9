import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { CurrentRollout, WaveStatus } from '../../rollouts/rollout-status.ts'
import { renderBar } from '../parts/bar.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount, formatDuration, renderTime } from '../parts/time-format.ts'

/** Largest number of nodes listed for one state of a wave. */
const maxNodes = 100

/** The waves of a rollout, with their nodes by state. */
export function renderWaves({ waves, unaffected, to }: CurrentRollout, now: number): Html {
  return html`<section aria-labelledby="waves"><h2 id="waves">Waves</h2>
${renderWavesTable(waves, now)}
${unaffected > 0 && html`<p>${formatCount(unaffected)} ${unaffected === 1 ? 'node has' : 'nodes have'} the same catalog with this commit, and received it at once.</p>`}
${waves.map((wave) => renderWaveNodes(wave))}
<p><a href="${createPageAddress(['nodes'], { code_id: to })}">Nodes with this commit</a></p></section>`
}

function renderWavesTable(waves: readonly WaveStatus[], now: number): Html {
  return renderTable<WaveStatus>(
    'Waves',
    [
      { label: 'Wave', heads: true, cell: ({ name }) => name },
      { label: 'State', cell: renderWaveState },
      { label: 'Nodes', numeric: true, cell: ({ nodes }) => formatCount(nodes) },
      { label: 'Reported', numeric: true, cell: ({ reported }) => formatCount(reported) },
      { label: 'Failed', numeric: true, cell: ({ failed }) => formatCount(failed.length) },
      { label: 'Corrected', numeric: true, cell: ({ corrective }) => formatCount(corrective.length) },
      { label: 'Progress', cell: renderProgress },
      { label: 'Started', cell: ({ started }) => started !== undefined && renderTime(started, now) },
    ],
    waves,
    'The nodes of the waves are being determined.',
  )
}

function renderWaveState({ state, approve, approved, waitSeconds }: WaveStatus): Html {
  const observed =
    state === 'started' && waitSeconds !== undefined && `, observed for ${formatDuration(waitSeconds * 1000)}`
  const approval =
    state === 'waiting' && approve && html` <span class="tag">${approved ? 'approved' : 'needs approval'}</span>`
  return html`${state}${observed}${approval}`
}

function renderProgress({ nodes, reported, failed, failedBefore, corrective, started }: WaveStatus): Html | false {
  const failures = failed.length + failedBefore.length
  return (
    started !== undefined &&
    renderBar([
      { look: 'failed', label: 'failed', count: failures },
      { look: 'drifting', label: 'corrected', count: corrective.length },
      { look: 'unchanged', label: 'ok', count: Math.max(0, reported - failures - corrective.length) },
      { look: 'unresponsive', label: 'no report', count: Math.max(0, nodes - reported) },
    ])
  )
}

function renderWaveNodes({
  name,
  started,
  failed,
  failedBefore,
  corrective,
  missing,
  reports,
}: WaveStatus): Html | false {
  const groups = [
    ['Failed', failed],
    ['Failed as before the rollout', failedBefore],
    ['Corrected manual changes', corrective],
    ['No report', missing],
  ] as const
  const shown = groups.filter(([, nodes]) => nodes.length > 0)
  if (started === undefined || shown.length === 0) return false
  return html`<details><summary>Nodes of ${name}</summary><dl>${shown.map(
    ([label, nodes]) =>
      html`<dt>${label} (${formatCount(nodes.length)})</dt><dd>${renderNodeLinks(nodes, reports)}</dd>`,
  )}</dl></details>`
}

function renderNodeLinks(nodes: readonly string[], reports: WaveStatus['reports']): Html {
  const links = nodes.slice(0, maxNodes).map((node, at) => {
    const report = reports[node]
    return html`${at > 0 && ', '}<a href="${createPageAddress(['nodes', node])}">${node}</a>${report !== undefined && html` (<a href="${createPageAddress(['reports', report])}">report</a>)`}`
  })
  return html`${links}${nodes.length > maxNodes && ` and ${formatCount(nodes.length - maxNodes)} more`}`
}
