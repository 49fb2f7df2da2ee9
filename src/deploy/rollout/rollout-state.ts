import { throwIssue } from '../../base/issue.ts'
import type { RolloutPlan } from './rollout-plan.ts'
import { rolloutStateIssues } from './state-issues.ts'

/** The rollout state of an environment, stored as one row. Times are milliseconds since 1970, by the clock of the store. */
export interface EnvironmentRollout {
  /** Commit that nodes receive outside a rollout, before their wave starts, and after a halt. */
  readonly stable: string
  /** The current or the last rollout. */
  readonly rollout?: Rollout
  /** A push that waits for the end of the rollout. */
  readonly queued?: QueuedPush
  /** The last pushed commits, the newest last: a server that lags behind does not push an earlier one again. */
  readonly seen?: readonly string[]
  /**
   * Time at which the branch was deleted. The state is kept for some time: a branch that is created again continues from
   * the stable commit, so that nobody can give a commit to all nodes by deleting the branch first.
   */
  readonly gone?: number
  /** Earlier rollouts, the newest first. */
  readonly history: readonly EndedRollout[]
}

/** A push that waits, with its plan. */
export interface QueuedPush {
  readonly commit: string
  readonly plan: RolloutPlan
}

/**
 * `preparing`: the waves are computed, and no node has the commit. `halted`, `aborted`: all nodes receive the stable
 * commit again. `superseded`: a later push replaced the rollout.
 */
export type RolloutPhase = 'preparing' | 'running' | 'paused' | 'complete' | 'halted' | 'aborted' | 'superseded'

/** A rollout of one commit. */
export interface Rollout {
  /** Number in the environment, from 1. */
  readonly number: number
  /** Revision of the document with the plan and the members of the waves. */
  readonly document: number
  readonly from: string
  readonly to: string
  readonly phase: RolloutPhase
  readonly begun: number
  readonly ended?: number
  /** The started waves, in their order. */
  readonly started: readonly WaveStart[]
  /** Indexes of approved waves. */
  readonly approved: readonly number[]
  /** Commits of superseded rollouts that some nodes keep until their wave starts. */
  readonly kept: readonly string[]
  /** Reason of a halt, or of a pause after a halt condition. */
  readonly reason?: string
  /** Hashes of the reports of failed nodes at the time of a halt, by certname. */
  readonly failed?: Readonly<Record<string, string>>
  /** The server that prepares the rollout; another one may do so after `until`. */
  readonly lease?: { readonly server: string; readonly until: number }
  readonly steps: readonly RolloutStep[]
}

/** The start of a wave. */
export interface WaveStart {
  readonly at: number
  /** Id of the newest report at that time: the wave's health depends on later reports only. */
  readonly lastReport: number
}

/** A step of a rollout, for people. */
export interface RolloutStep {
  readonly at: number
  readonly action: RolloutAction
  /** Name of the wave, if the step concerns one. */
  readonly wave?: string
  /** Person who took the step; absent for the server. */
  readonly by?: string
  readonly reason?: string
}

/** Kinds of steps. */
export type RolloutAction =
  | 'begin'
  | 'prepare'
  | 'start'
  | 'approve'
  | 'pause'
  | 'resume'
  | 'promote'
  | 'abort'
  | 'halt'
  | 'complete'
  | 'supersede'
  | 'queue'

/** The summary of an earlier rollout. */
export interface EndedRollout {
  readonly number: number
  readonly from: string
  readonly to: string
  readonly phase: RolloutPhase
  readonly begun: number
  readonly ended: number
  readonly reason?: string
}

/** Version of the format of the state. */
const format = 1

/** Formats a state for the store. */
export function formatRolloutState(state: EnvironmentRollout): string {
  return JSON.stringify({ format, ...state })
}

/** Reads a state from the store. Throws ROLLOUT_STATE_UNKNOWN if a newer version of this program wrote it. */
export function parseRolloutState(text: string): EnvironmentRollout {
  const { format: found, ...state } = JSON.parse(text) as EnvironmentRollout & { readonly format: number }
  return found === format ? state : throwIssue(rolloutStateIssues.ROLLOUT_STATE_UNKNOWN, { format: found })
}

/** True if the rollout has not ended. */
export function isActive(rollout: Rollout | undefined): rollout is Rollout {
  return rollout !== undefined && ['preparing', 'running', 'paused'].includes(rollout.phase)
}
