import { throwIssue } from '../../base/issue.ts'
import type { Environment } from '../../code/environments/environments.ts'
import type { HeldCommit } from '../../code/environments/git/assigned-commits.ts'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import { environmentIssues } from '../../code/environments/issues.ts'
import { getAssignedCommits, listPreviousCommits } from '../../deploy/rollout/node-assignment.ts'
import { type ActionRequest, takeAction } from '../../deploy/rollout/rollout-actions.ts'
import type { RolloutMembers } from '../../deploy/rollout/rollout-document.ts'
import { parseRolloutPlan, rolloutFile } from '../../deploy/rollout/rollout-file.ts'
import type { RolloutPlan } from '../../deploy/rollout/rollout-plan.ts'
import { applyPush, type PushResult } from '../../deploy/rollout/rollout-push.ts'
import {
  type EnvironmentRollout,
  isActive,
  type Rollout,
  type RolloutStep,
} from '../../deploy/rollout/rollout-state.ts'
import { rolloutStateIssues } from '../../deploy/rollout/state-issues.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { RolloutTable, StateChange } from './rollout-table.ts'

/** A step that this server took. */
export interface TakenStep {
  readonly environment: string
  readonly step: RolloutStep
  readonly state: EnvironmentRollout
}

/** Callbacks and the default plan of rollouts. */
export interface RolloutOptions {
  /** The plan of environments without rollout.yaml; undefined if all nodes receive a push at once. */
  getDefaultPlan(): RolloutPlan | undefined
  /** True if other servers may change the rows. */
  readonly isShared: boolean
  log(level: 'info' | 'warn' | 'error', message: string): void
}

/** Milliseconds after which a state that could not be read again is not used during a rollout. */
const staleMs = 30_000
/** Milliseconds for which the state of a deleted environment is kept. */
const goneMs = 30 * 24 * 3600 * 1000

/** A push that arrived before the store was open. */
interface EarlyMove {
  readonly move: BranchMove
  readonly plan: RolloutPlan | undefined
}

/**
 * Decides which commit each node receives. The environments ask it before they serve a new commit, and for each
 * request of a node. They are opened before the store, so pushes during the start are decided when the store is open;
 * no node is served before.
 */
export class Rollouts {
  readonly #options: RolloutOptions
  readonly #early = new Map<string, EarlyMove>()
  readonly #listeners: ((taken: TakenStep) => void)[] = []
  #table: RolloutTable | undefined
  #startProblem: string | undefined
  #isAttached = false
  #sayAttached = () => {}
  readonly #attached = new Promise<void>((done) => (this.#sayAttached = done))

  constructor(options: RolloutOptions) {
    this.#options = options
  }

  /** Calls `listener` after each step that this server took. */
  onStep(listener: (taken: TakenStep) => void): void {
    this.#listeners.push(listener)
  }

  /**
   * Connects the store, and decides about the pushes during the start. If the store cannot be read yet, nodes receive
   * no catalog until `retryStart` succeeds.
   */
  async attach(table: RolloutTable | undefined): Promise<void> {
    this.#table = table
    this.#isAttached = true
    await this.retryStart()
    this.#sayAttached()
  }

  /** Decides about pushes that could not be decided during the start. */
  async retryStart(): Promise<void> {
    if (!this.#isAttached || (this.#table?.isRead && this.#early.size === 0)) return
    try {
      await this.#table?.read()
    } catch (error) {
      this.#logStart(`Nodes receive no catalogs, because rollouts cannot be read: ${formatError(error)}`)
      return
    }
    for (const [environment, early] of this.#early)
      try {
        await this.#decide(early.move, early.plan)
        // A later push may have replaced it.
        if (this.#early.get(environment) === early) this.#early.delete(environment)
      } catch (error) {
        this.#logStart(`Nodes of ${environment} receive no catalogs: ${formatError(error)}`)
      }
  }

  /** The engine tries again each second; a problem is logged once. */
  #logStart(problem: string): void {
    if (problem !== this.#startProblem) this.#options.log('error', problem)
    this.#startProblem = problem
  }

  /** Decides about a new commit before it is served. Throws NOT_ASSIGNED, and ROLLOUT_… for an invalid plan. */
  async moving(move: BranchMove, next: Environment, before: Environment | undefined): Promise<void> {
    // A push that removes the plan is rolled out with the plan that it removes.
    const plan = readPlan(next) ?? (before && readPlan(before)) ?? this.#options.getDefaultPlan()
    if (!this.#isAttached || this.#early.has(move.environment)) {
      this.#early.set(move.environment, { move, plan })
      return
    }
    try {
      await this.#decide(move, plan)
    } catch (error) {
      // Not by its own code: the environments retry NOT_ASSIGNED.
      throwIssue(environmentIssues.NOT_ASSIGNED, { commit: move.new, why: formatError(error) })
    }
  }

  /** Records that an environment no longer exists; `removeGone` removes its state later. */
  gone(environment: string): void {
    this.#early.delete(environment)
    void this.#table
      ?.change(environment, (state, { now }) => state && { state: { ...state, gone: now }, step: undefined })
      .catch((error) => {
        this.#options.log('warn', `Could not record that ${environment} is gone: ${formatError(error)}`)
      })
  }

  /** Removes the states of environments that were deleted long ago. */
  async removeGone(): Promise<void> {
    const table = this.#table
    for (const { environment, state } of table?.entries ?? [])
      if (state?.gone !== undefined && table!.clock.now - state.gone > goneMs) await table!.remove(environment)
  }

  /**
   * The commits that a node may receive, in the order of preference; undefined for the served commit. Throws
   * ROLLOUT_UNAVAILABLE if the state is unknown.
   */
  async assigned(environment: string, certname: string): Promise<readonly string[] | undefined> {
    await this.#attached
    const table = this.#table
    if (!table) return undefined
    const { state } = table.get(environment)
    // During a rollout, another server may have taken the commit back meanwhile.
    const isStale = isActive(state?.rollout) && this.#options.isShared && table.ageMs > staleMs
    const early = this.#early.get(environment)
    // Without a plan, nodes receive the served commit, also while the store is away.
    if (early && !early.plan && !state) return undefined
    if (!table.isRead || isStale || early)
      throwIssue(rolloutStateIssues.ROLLOUT_UNAVAILABLE, { environment, why: 'the store cannot be read' })
    if (!state) return undefined
    try {
      const index = isActive(state.rollout) ? await table.members(environment) : undefined
      return getAssignedCommits(state, index, certname)
    } catch (error) {
      return throwIssue(rolloutStateIssues.ROLLOUT_UNAVAILABLE, { environment, why: formatError(error) })
    }
  }

  /** The commits that nodes may receive besides the served ones. */
  held(): readonly HeldCommit[] {
    return (
      this.#table?.entries.flatMap(({ environment, state }) =>
        state ? listHeldCommits(state).map((commit) => ({ environment, commit })) : [],
      ) ?? []
    )
  }

  /** Warnings about an environment whose rollout was halted or paused. */
  warningsAbout(environment: string): readonly string[] {
    const { rollout, stable } = this.#table?.get(environment).state ?? {}
    if (!rollout || !isStopped(rollout)) return []
    const { phase, to, reason = 'a person stopped it' } = rollout
    const rest = phase === 'paused' ? 'no further wave starts' : `all nodes receive ${stable}`
    return [`The rollout of ${to} is ${phase}, and ${rest}: ${reason}`]
  }

  /** Takes the step of a person. Throws ROLLOUT_…. */
  async act(request: ActionRequest): Promise<void> {
    const { environment } = request
    const table = this.#table ?? throwIssue(rolloutStateIssues.ROLLOUT_ABSENT, { environment })
    await table.read()
    await this.change(environment, async (state, clock) => {
      if (!state?.rollout) return throwIssue(rolloutStateIssues.ROLLOUT_ABSENT, { environment })
      // A rollout can be ended without its document.
      const isEnd = request.action === 'abort' || request.action === 'promote'
      const index = await table.members(environment).catch((error: unknown) => {
        if (!isEnd) throw error
      })
      return takeAction(state, request, { members: index?.members, ...clock })
    })
  }

  /** Changes a state by compare-and-set, and reports the step that was taken. */
  async change(environment: string, decide: Parameters<RolloutTable['change']>[1]): Promise<StateChange | undefined> {
    const change = await this.#table!.change(environment, decide)
    if (change?.step) this.#report({ environment, step: change.step, state: change.state })
    return change
  }

  #report(taken: TakenStep): void {
    const { environment, step, state } = taken
    const wave = step.wave === undefined ? '' : `, wave '${step.wave}'`
    const who = step.by === undefined ? '' : ` by ${step.by}`
    const why = step.reason === undefined ? '' : `: ${step.reason}`
    const { number = 0, to = state.stable } = state.rollout ?? {}
    const level = step.action === 'halt' ? 'warn' : 'info'
    this.#options.log(level, `Rollout ${number} of ${environment} (${to}): ${step.action}${wave}${who}${why}`)
    for (const listener of this.#listeners) listener(taken)
  }

  async #decide({ environment, old, new: commit }: BranchMove, plan: RolloutPlan | undefined): Promise<void> {
    const table = this.#table
    if (!table) {
      if (plan) this.#options.log('warn', this.#withoutStore(environment))
      return
    }
    await table.read()
    await this.change(environment, async (found, { now }) => {
      const { gone, ...rest } = found ?? {}
      const state = found && (rest as EnvironmentRollout)
      const index = state && isActive(state.rollout) ? await table.members(environment) : undefined
      const result = applyPush(state, { commit, old, plan, now }, index?.members.plan.onPush)
      const pushed =
        result && (plan ? addMembers(result, plan, state ? listPreviousCommits(state, index) : {}) : result)
      return pushed ?? (gone !== undefined && state ? { state, step: undefined } : undefined)
    })
  }

  #withoutStore(environment: string): string {
    return rolloutStateIssues.ROLLOUT_NEEDS_STORE.text({ environment })
  }
}

function isStopped({ phase }: Rollout): boolean {
  return phase === 'halted' || phase === 'aborted' || phase === 'paused'
}

/** The plan in a commit; undefined without a rollout.yaml. Throws ROLLOUT_… for an invalid file. */
function readPlan({ code: { tree } }: Environment): RolloutPlan | undefined {
  const bytes = tree.read(rolloutFile)
  return bytes && parseRolloutPlan(Buffer.from(bytes).toString(), rolloutFile)
}

/** Adds the first document of a rollout that a push begins: its plan, and the nodes that keep another commit. */
export function addMembers(
  result: PushResult,
  plan: RolloutPlan,
  previous: RolloutMembers['previous'] = {},
): StateChange {
  if (!result.begins) return result
  const members = { plan, waves: [], unaffected: [], broken: [], failing: [], previous, predicted: undefined }
  const rollout = { ...result.state.rollout!, kept: Object.keys(previous) }
  return { ...result, state: { ...result.state, rollout }, members }
}

/** The commits that nodes receive besides the served one: the stable commit, and those of the rollout. */
function listHeldCommits({ stable, rollout, queued }: EnvironmentRollout): readonly string[] {
  return [
    stable,
    ...(isActive(rollout) ? [rollout.from, rollout.to, ...rollout.kept] : []),
    ...(queued === undefined ? [] : [queued.commit]),
  ]
}
