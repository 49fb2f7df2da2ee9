import type { MemberIndex } from './rollout-document.ts'
import type { WavePlan } from './rollout-plan.ts'
import type { EnvironmentRollout, Rollout, RolloutStep, WaveStart } from './rollout-state.ts'
import { endRollout, type SteppedState, takeStep } from './rollout-steps.ts'
import { isInWindow } from './time-windows.ts'
import { findHaltReason, findUnreachableReason, measureWave, type NodeHealth, type WaveHealth } from './wave-health.ts'

/** Observations on which the next step depends. */
export interface Observed {
  /** Time of the store in milliseconds since 1970, and the id of its newest report. */
  readonly now: number
  readonly lastReport: number
  /** Health of nodes that have reported. */
  readonly health: ReadonlyMap<string, NodeHealth>
  /** The reason of a failed query, metric or HTTP check; undefined if all checks passed. */
  readonly failedCheck: string | undefined
  /** False until the checks and queries have a result since the start of the current wave. */
  readonly isChecked: boolean
  /** True if the environment is frozen. */
  readonly isFrozen: boolean
}

/** Seconds to wait for the reports of a wave whose plan contains no time, and for the first report of any wave. */
const reportSeconds = 3600

/** The reason why the next wave has not started. */
export type Waiting = 'reports' | 'approval' | 'window' | 'frozen'

/** The next step of a running rollout, or the reason why there is none yet. */
export function advanceRollout(
  state: EnvironmentRollout & { readonly rollout: Rollout },
  index: MemberIndex,
  observed: Observed,
): SteppedState | Waiting {
  const { rollout } = state
  const { plan, waves } = index.members
  // Without waves, the document is not the one of the prepared rollout.
  if (waves.length !== plan.waves.length) return 'reports'
  const measured = measureWaves(rollout, index, observed.health)
  const reasons = measured.map(({ wave, health }) => findHaltReason(wave.name, health, plan.halt))
  const reason = reasons.find((each) => each !== undefined) ?? observed.failedCheck
  if (reason !== undefined) return halt(state, index, { reason, at: observed.now })
  const current = measured.at(-1)
  if (current && !(observed.isChecked && isWaveOver(current, observed.now))) return 'reports'
  const missing = current && findUnreachableReason(current.wave.name, current.health, plan.halt)
  if (missing !== undefined) return halt(state, index, { reason: missing, at: observed.now })
  const next = plan.waves[rollout.started.length]
  if (!next) return endRollout(state, { at: observed.now, action: 'complete' }, { phase: 'complete' })
  return startWave(state, index, { next, observed })
}

/** A started wave and the health of its nodes. */
export interface MeasuredWave {
  readonly wave: WavePlan
  readonly start: WaveStart
  readonly health: WaveHealth
}

/** Measures the started waves. */
export function measureWaves(
  { started }: Pick<Rollout, 'started'>,
  { members: { plan, waves }, failures }: MemberIndex,
  health: ReadonlyMap<string, NodeHealth>,
): readonly MeasuredWave[] {
  return started.map((start, at) => ({
    wave: plan.waves[at]!,
    start,
    health: measureWave(waves[at] ?? [], health, failures),
  }))
}

/**
 * True if the observation of a wave has ended. A wave without a time ends when all its nodes have reported. A wave of
 * which no node has reported proves nothing, and is observed for an hour at least.
 */
function isWaveOver({ wave: { waitSeconds }, start, health }: MeasuredWave, now: number): boolean {
  if (health.nodes === 0) return true
  if (waitSeconds === undefined && health.waiting.length === 0 && health.reported > 0) return true
  const seconds = waitSeconds ?? reportSeconds
  return now - start.at >= (health.reported > 0 ? seconds : Math.max(seconds, reportSeconds)) * 1000
}

function startWave(
  state: EnvironmentRollout & { readonly rollout: Rollout },
  index: MemberIndex,
  { next, observed }: { readonly next: WavePlan; readonly observed: Observed },
): SteppedState | Waiting {
  const { plan, waves } = index.members
  const { started, approved } = state.rollout
  const at = started.length
  const { now, lastReport, isFrozen } = observed
  // Nodes whose catalog does not compile count before any node of the wave applies the commit.
  const health = measureWave(waves[at] ?? [], new Map(), index.failures)
  const reason = findHaltReason(next.name, health, plan.halt)
  if (reason !== undefined) return halt(state, index, { reason: `${reason}: no catalog`, at: now })
  if (isFrozen) return 'frozen'
  if (next.approve && !approved.includes(at)) return 'approval'
  if (!isInWindow(plan.windows, now)) return 'window'
  const step: RolloutStep = { at: now, action: 'start', wave: next.name }
  return takeStep(state, step, { phase: 'running', started: [...started, { at: now, lastReport }] })
}

function halt(
  state: EnvironmentRollout & { readonly rollout: Rollout },
  { members: { plan } }: MemberIndex,
  { reason, at }: { readonly reason: string; readonly at: number },
): SteppedState {
  const wave = plan.waves[Math.max(0, state.rollout.started.length - 1)]!.name
  const step: RolloutStep = { at, action: 'halt', wave, reason }
  if (plan.onHalt === 'pause') return takeStep(state, step, { phase: 'paused', reason })
  return endRollout(state, step, { phase: 'halted', reason })
}
