import { createPageAddress, html } from '../../../base/text/html.ts'
import type { RolloutStatus } from '../../rollouts/rollout-status.ts'
import type { PageRenderer } from '../page.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount, renderTime } from '../parts/time-format.ts'
import { renderPhaseBadge } from './phase-badge.ts'

/** Environments with their current or last rollout. */
export const renderRolloutsPage: PageRenderer = async (_request, { rollouts, now }) => {
  const all = (await rollouts?.list()) ?? []
  const table = renderTable<RolloutStatus>(
    'Rollouts',
    [
      {
        label: 'Environment',
        heads: true,
        cell: ({ environment }) => html`<a href="${createPageAddress(['rollouts', environment])}">${environment}</a>`,
      },
      { label: 'State', cell: ({ rollout }) => rollout && renderPhaseBadge(rollout) },
      {
        label: 'Commit',
        cell: ({ rollout, stable }) => html`<code>${(rollout?.to ?? stable).slice(0, 12)}</code>`,
      },
      { label: 'Waves', numeric: true, cell: ({ rollout }) => rollout && formatStartedWaves(rollout) },
      {
        label: 'Failed nodes',
        numeric: true,
        cell: ({ rollout }) =>
          rollout && formatCount(rollout.waves.reduce((sum, { failed }) => sum + failed.length, 0)),
      },
      { label: 'Begun', cell: ({ rollout }) => rollout && renderTime(rollout.begun, now()) },
    ],
    all,
    rollouts
      ? 'No environment has a rollout. A push of an environment with a rollout.yaml starts one.'
      : 'Rollouts need a store in SQLite or PostgreSQL.',
  )
  const body = html`<h1>Rollouts</h1>
<p class="lead">A rollout gives a commit to the nodes of an environment in waves, and halts if too many nodes fail.</p>
${table}`
  return { title: 'Rollouts', body }
}

function formatStartedWaves({ waves }: NonNullable<RolloutStatus['rollout']>): string {
  return `${waves.filter(({ started }) => started !== undefined).length} of ${waves.length}`
}
