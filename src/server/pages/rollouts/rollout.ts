import { createPageAddress, type Html, html } from '../../../base/text/html.ts'
import type { HealthResult } from '../../../deploy/rollout/health-checks.ts'
import type { EndedRollout, RolloutStep } from '../../../deploy/rollout/rollout-state.ts'
import type { CurrentRollout, RolloutStatus } from '../../rollouts/rollout-status.ts'
import { readFailureGroups, renderFailuresTable } from '../failures.ts'
import type { PageRenderer } from '../page.ts'
import { renderWordBadge } from '../parts/state-badge.ts'
import { renderTable } from '../parts/table.ts'
import { formatCount, renderTime } from '../parts/time-format.ts'
import { renderPhaseBadge } from './phase-badge.ts'
import { readChanges, renderChanges } from './predicted-changes.ts'
import { renderWaves } from './waves.ts'

/** Seconds after which the page of an active rollout is reloaded. */
const refreshSeconds = 10

/** The rollout of an environment: waves, failures, checks, changes and steps. */
export const renderRolloutPage: PageRenderer = async ({ path: [environment = ''] }, sources) => {
  const all = (await sources.rollouts?.list()) ?? []
  const status = all.find((each) => each.environment === environment)
  if (!status?.rollout) return renderNoRollout(environment, status)
  const { rollout } = status
  const [failures, changes, commit] = await Promise.all([
    readFailureGroups(sources, listFailedReports(rollout)),
    readChanges(sources, environment, rollout),
    sources.commit(rollout.to),
  ])
  const now = sources.now()
  const body = html`<h1>Rollout ${rollout.number} of ${environment} ${renderPhaseBadge(rollout)}</h1>
<p class="lead">Commit <code>${rollout.to.slice(0, 12)}</code>${commit && html` (${commit.subject}, ${commit.author})`}, begun ${renderTime(rollout.begun, now)}. Nodes without it receive <code>${status.stable.slice(0, 12)}</code>.</p>
${rollout.reason !== undefined && html`<p class="notice" role="alert">The rollout is ${rollout.phase}: ${rollout.reason}</p>`}
${renderWaiting(rollout)}
${status.queued !== undefined && html`<p>Commit <code>${status.queued.slice(0, 12)}</code> waits for the end of this rollout.</p>`}
${renderWaves(rollout, now)}
<section aria-labelledby="failures"><h2 id="failures">Failures</h2>${renderFailuresTable(failures, now, 'No node of a started wave has failed.')}</section>
${changes && renderChanges(changes)}
${rollout.checks.length > 0 && html`<section aria-labelledby="checks"><h2 id="checks">Checks</h2>${renderChecks(rollout.checks)}</section>`}
<section aria-labelledby="steps"><h2 id="steps">Steps</h2>${renderSteps(rollout.steps, now)}</section>
${status.history.length > 0 && html`<section aria-labelledby="earlier"><h2 id="earlier">Earlier rollouts</h2>${renderHistory(status.history, now)}</section>`}`
  const title = `Rollout of ${environment}`
  return rollout.ended === undefined ? { title, body, refresh: refreshSeconds } : { title, body }
}

function renderNoRollout(environment: string, status: RolloutStatus | undefined) {
  const title = `Rollout of ${environment}`
  const body = html`<h1>${title}</h1>
<p class="empty">This environment has no rollout. <a href="${createPageAddress(['rollouts'])}">All rollouts</a></p>`
  return { title, body, status: status ? 200 : 404 } as const
}

function listFailedReports({ waves }: CurrentRollout): readonly string[] {
  return waves.flatMap(({ failed, reports }) => failed.flatMap((node) => reports[node] ?? []))
}

const waitingTexts: Readonly<Record<NonNullable<CurrentRollout['waiting']>, string>> = {
  reports: 'The current wave is observed, until its time is over or its nodes have reported.',
  approval: 'The next wave waits for an approval.',
  window: 'The next wave waits for a time window.',
  frozen: 'The next wave waits, because the environment is frozen.',
}

function renderWaiting({ waiting }: CurrentRollout): Html | undefined {
  return waiting && html`<p>${waitingTexts[waiting]}</p>`
}

function renderChecks(checks: readonly HealthResult[]): Html {
  return renderTable<HealthResult>(
    'Checks',
    [
      { label: 'Check', heads: true, cell: ({ check }) => html`<code>${check}</code>` },
      {
        label: 'Result',
        cell: ({ ok }) => renderWordBadge(ok === undefined ? 'skipped' : ok ? 'success' : 'failure'),
      },
      { label: 'Value or status', numeric: true, cell: ({ value, status }) => (value ?? status)?.toString() },
      { label: 'Problem', cell: ({ problem }) => problem },
    ],
    checks,
  )
}

function renderSteps(steps: readonly RolloutStep[], now: number): Html {
  return renderTable<RolloutStep>(
    'Steps',
    [
      { label: 'Step', heads: true, cell: ({ action }) => action },
      { label: 'Wave', cell: ({ wave }) => wave },
      { label: 'By', cell: ({ by }) => by },
      { label: 'Reason', cell: ({ reason }) => reason },
      { label: 'When', cell: ({ at }) => renderTime(at, now) },
    ],
    steps.toReversed(),
  )
}

function renderHistory(history: readonly EndedRollout[], now: number): Html {
  return renderTable<EndedRollout>(
    'Earlier rollouts',
    [
      { label: 'Rollout', heads: true, cell: ({ number }) => formatCount(number) },
      { label: 'Commit', cell: ({ to }) => html`<code>${to.slice(0, 12)}</code>` },
      { label: 'State', cell: renderPhaseBadge },
      { label: 'Reason', cell: ({ reason }) => reason },
      { label: 'Ended', cell: ({ ended }) => renderTime(ended, now) },
    ],
    history,
  )
}
