import { type Html, html } from '../../../base/text/html.ts'
import type { RolloutPhase } from '../../../deploy/rollout/rollout-state.ts'
import type { StateName } from '../node-state.ts'

/** Colors and signs of phases. A color is named by the node state that has the same color. */
const looks: Readonly<Record<RolloutPhase, readonly [look: StateName, sign: string]>> = {
  preparing: ['noop', '◌'],
  running: ['changed', '△'],
  paused: ['drifting', '‖'],
  complete: ['unchanged', '✓'],
  halted: ['failed', '✕'],
  aborted: ['failed', '✕'],
  superseded: ['unresponsive', '–'],
}

/** Renders the phase of a rollout with a sign. */
export function renderPhaseBadge({ phase }: { readonly phase: RolloutPhase }): Html {
  const [look, sign] = looks[phase]
  return html`<span class="badge ${look}"><span aria-hidden="true">${sign}</span> ${phase}</span>`
}
