import { throwIssue } from '../../base/issue.ts'
import type { RolloutMembers } from './rollout-document.ts'
import { type EnvironmentRollout, isActive, type Rollout, type RolloutPhase } from './rollout-state.ts'
import { endRollout, type SteppedState, takeStep } from './rollout-steps.ts'
import { rolloutStateIssues } from './state-issues.ts'

/** Actions of people on a rollout. */
export const personActions = ['approve', 'pause', 'resume', 'promote', 'abort'] as const

/** Name of an action. */
export type PersonAction = (typeof personActions)[number]

/** The request of a person. */
export interface ActionRequest {
  readonly environment: string
  readonly action: PersonAction
  /** Name of the person; empty if unknown. */
  readonly by: string
  /** Number of the rollout that the person saw; undefined for the current one. */
  readonly number?: number | undefined
  /** Reason given by the person. */
  readonly reason?: string | undefined
}

/** The time of an action, and the data with which it is decided. */
export interface ActionContext {
  /** Plan and waves; undefined if the document cannot be read, so that a rollout can be ended without it. */
  readonly members: Pick<RolloutMembers, 'plan' | 'waves'> | undefined
  readonly now: number
  readonly lastReport: number
}

/** Takes the step of a person. Throws ROLLOUT_ABSENT, ROLLOUT_ENDED and ROLLOUT_NOT_WAITING. */
export function takeAction(state: EnvironmentRollout, request: ActionRequest, context: ActionContext): SteppedState {
  const { environment, action, by, number, reason } = request
  const { rollout } = state
  if (!rollout) return throwIssue(rolloutStateIssues.ROLLOUT_ABSENT, { environment })
  if (number !== undefined && number !== rollout.number)
    return throwIssue(rolloutStateIssues.ROLLOUT_REPLACED, { environment, number, current: rollout.number })
  if (!allowedPhases[action].includes(rollout.phase))
    return throwIssue(rolloutStateIssues.ROLLOUT_ENDED, { environment, phase: rollout.phase, action })
  const step = { at: context.now, action, ...(by !== '' && { by }), ...(reason !== undefined && { reason }) }
  switch (action) {
    case 'approve':
      return approve({ ...state, rollout }, { environment, step, context })
    case 'pause':
      return takeStep(state, step, { phase: 'paused' })
    case 'resume':
      return resume({ ...state, rollout }, step, context)
    case 'promote':
      return endRollout(state, step, { phase: 'complete' })
    case 'abort':
      return endRollout(state, step, { phase: 'aborted', ...(reason !== undefined && { reason }) })
  }
}

const allowedPhases: Readonly<Record<PersonAction, readonly RolloutPhase[]>> = {
  approve: ['running', 'paused'],
  pause: ['running'],
  resume: ['paused', 'halted', 'aborted'],
  promote: ['preparing', 'running', 'paused', 'halted', 'aborted'],
  abort: ['preparing', 'running', 'paused'],
}

/** Approves the next wave, or the current one if no wave has started. */
function approve(
  state: EnvironmentRollout & { readonly rollout: Rollout },
  { environment, step, context: { members } }: ApprovalOptions,
): SteppedState {
  const { started, approved } = state.rollout
  const at = started.length
  const next = members?.plan.waves[at]
  if (!next?.approve || approved.includes(at))
    return throwIssue(rolloutStateIssues.ROLLOUT_NOT_WAITING, { environment })
  return takeStep(state, { ...step, wave: next.name }, { approved: [...approved, at] })
}

interface ApprovalOptions {
  readonly environment: string
  readonly step: Parameters<typeof takeStep>[1]
  readonly context: ActionContext
}

/**
 * Continues a paused rollout. After a halt, the observation of the started waves begins again, so that the reports that
 * halted the rollout do not halt it at once; a rollout whose nodes have the stable commit again restarts with its
 * first wave.
 */
function resume(
  state: EnvironmentRollout & { readonly rollout: Rollout },
  step: Parameters<typeof takeStep>[1],
  { now, lastReport, members }: ActionContext,
): SteppedState {
  const { reason, ended: _, failed: __, ...rollout } = state.rollout
  const isRunning = isActive(state.rollout)
  const again = reason === undefined ? rollout.started : rollout.started.map(() => ({ at: now, lastReport }))
  const started = isRunning ? again : []
  // A rollout that was ended before its waves were known is prepared again.
  const isPrepared = (members?.waves.length ?? 0) > 0
  return takeStep({ ...state, rollout: { ...rollout, started } }, step, { phase: isPrepared ? 'running' : 'preparing' })
}
