import { throwIssue } from '../../base/issue.ts'
import type { ActionRequest } from '../../deploy/rollout/rollout-actions.ts'
import type { MemberIndex } from '../../deploy/rollout/rollout-document.ts'
import { rolloutStateIssues } from '../../deploy/rollout/state-issues.ts'
import type { Alert } from '../status-v1/alert.ts'
import type { RolloutEngine } from './rollout-engine.ts'
import { describeRollout, type RolloutStatus } from './rollout-status.ts'
import type { RolloutTable } from './rollout-table.ts'
import type { Rollouts } from './rollouts.ts'

/** Rollouts for commands and pages. */
export class RolloutService {
  readonly #rollouts: Rollouts
  readonly #table: RolloutTable
  readonly #engine: RolloutEngine

  constructor(rollouts: Rollouts, table: RolloutTable, engine: RolloutEngine) {
    this.#rollouts = rollouts
    this.#table = table
    this.#engine = engine
  }

  /** The environments with a current, a waiting or an earlier rollout, by name. */
  async list(): Promise<readonly RolloutStatus[]> {
    const known = this.#table.entries.filter(
      ({ state }) =>
        state && state.gone === undefined && (state.rollout ?? state.queued ?? state.history[0]) !== undefined,
    )
    const found = await Promise.all(known.map(({ environment }) => this.get(environment)))
    return found.sort((one, other) => (one.environment < other.environment ? -1 : 1))
  }

  /** The rollout of an environment. Throws ROLLOUT_ABSENT. */
  async get(environment: string): Promise<RolloutStatus> {
    const { state } = this.#table.get(environment)
    if (!state) return throwIssue(rolloutStateIssues.ROLLOUT_ABSENT, { environment })
    const index = await this.#table.members(environment)
    return describeRollout(environment, state, { index, progress: this.#engine.progressOf(environment) })
  }

  /** The plan and the nodes of an environment's rollout; undefined if there is none. */
  members(environment: string): Promise<MemberIndex | undefined> {
    return this.#table.members(environment)
  }

  /** Takes the step of a person, and returns the new state. Throws ROLLOUT_…. */
  async act(request: ActionRequest): Promise<RolloutStatus> {
    await this.#rollouts.act(request)
    return this.get(request.environment)
  }

  /** Alerts about halted and paused rollouts. */
  alerts(): readonly Alert[] {
    return this.#table.entries.flatMap(({ environment }) =>
      this.#rollouts
        .warningsAbout(environment)
        .map((message) => ({ severity: 'warning' as const, message: `${environment}: ${message}` })),
    )
  }
}
