import { budgets } from '../../base/budgets/budgets.ts'
import type { EndedRollout, EnvironmentRollout, Rollout, RolloutPhase, RolloutStep } from './rollout-state.ts'

/** A state, and the step that led to it. */
export interface SteppedState {
  readonly state: EnvironmentRollout
  readonly step: RolloutStep
}

/** Adds a step to the current rollout and changes some of its fields. */
export function takeStep(
  state: EnvironmentRollout,
  step: RolloutStep,
  changes: Partial<Omit<Rollout, 'steps'>>,
): SteppedState {
  const { rollout } = state
  const steps = [...rollout!.steps, step].slice(-budgets.rollout.steps.bound)
  return { state: { ...state, rollout: { ...rollout!, ...changes, steps } }, step }
}

/** Ends the current rollout. If it is complete, its commit becomes the stable commit. */
export function endRollout(
  state: EnvironmentRollout,
  step: RolloutStep,
  { phase, reason }: { readonly phase: RolloutPhase; readonly reason?: string },
): SteppedState {
  const ended = takeStep(state, step, { phase, ended: step.at, ...(reason !== undefined && { reason }) })
  if (phase !== 'complete') return ended
  return { ...ended, state: { ...ended.state, stable: state.rollout!.to } }
}

/** Moves the current rollout to the history. */
export function archiveRollout({ rollout, history, ...state }: EnvironmentRollout): EnvironmentRollout {
  if (!rollout) return { ...state, history }
  const { number, from, to, phase, begun, ended = begun, reason } = rollout
  const summary: EndedRollout = { number, from, to, phase, begun, ended, ...(reason !== undefined && { reason }) }
  return { ...state, history: [summary, ...history].slice(0, budgets.rollout.history.bound) }
}
