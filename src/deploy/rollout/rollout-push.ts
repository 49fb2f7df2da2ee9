import type { RolloutPlan } from './rollout-plan.ts'
import { type EnvironmentRollout, isActive, type QueuedPush, type Rollout, type RolloutStep } from './rollout-state.ts'
import { archiveRollout, endRollout, type SteppedState } from './rollout-steps.ts'

/** A new commit of an environment. */
export interface PushedCommit {
  readonly commit: string
  /** The commit that the environment had before; undefined for a new environment. */
  readonly old: string | undefined
  /** The plan in the new commit; undefined if all nodes receive it at once. */
  readonly plan: RolloutPlan | undefined
  readonly now: number
}

/** The effect of a push: a new state, and whether it begins a rollout that needs a document. */
export interface PushResult {
  readonly state: EnvironmentRollout
  readonly step: RolloutStep | undefined
  readonly begins: boolean
}

/**
 * Decides about a push before its commit is served. Returns undefined if the state remains as it is: the commit has
 * a rollout already, or is the stable one.
 */
export function applyPush(
  state: EnvironmentRollout | undefined,
  push: PushedCommit,
  onPush: RolloutPlan['onPush'] = 'supersede',
): PushResult | undefined {
  const { commit, old, plan, now } = push
  const before = state ?? { stable: old ?? commit, history: [] }
  if (isCovered(before, commit) || (state && isLagging(state, push)))
    return state ? undefined : { state: markSeen(before, commit), step: undefined, begins: false }
  const current = before.rollout
  if (isActive(current) && onPush === 'queue' && plan) {
    const step: RolloutStep = { at: now, action: 'queue', reason: commit }
    return { state: markSeen({ ...before, queued: { commit, plan } }, commit), step, begins: false }
  }
  return replaceRollout(before, push)
}

/** Decides about the push that waited for the end of a rollout. */
export function applyQueuedPush(
  { queued, ...state }: EnvironmentRollout & { readonly queued: QueuedPush },
  now: number,
): PushResult {
  const { commit, plan } = queued
  if (isCovered(state, commit)) return { state, step: undefined, begins: false }
  return replaceRollout(state, { commit, plan, now })
}

/** Ends the rollout of a state, if there is one, and begins that of a push. */
function replaceRollout(before: EnvironmentRollout, push: Omit<PushedCommit, 'old'>): PushResult {
  const { commit, plan, now } = push
  const { state: ended, step } = supersede(before, commit, now)
  const { queued: _, ...archived } = markSeen(archiveRollout(ended), commit)
  if (!plan || commit === before.stable) return { state: { ...archived, stable: commit }, step, begins: false }
  const last = before.rollout?.number ?? archived.history[0]?.number ?? 0
  return { ...beginRollout(archived, { number: last + 1, commit, now }), begins: true }
}

/** Number of pushed commits that are remembered. */
const seenCommits = 30

function markSeen(state: EnvironmentRollout, commit: string): EnvironmentRollout {
  const { seen = [] } = state
  return seen.at(-1) === commit ? state : { ...state, seen: [...seen, commit].slice(-seenCommits) }
}

/**
 * True for the move of a server that lags behind the others: to a commit that was pushed before, from a commit that is
 * not the newest one. A branch that is moved back comes from the newest one.
 */
function isLagging({ seen = [] }: EnvironmentRollout, { commit, old }: PushedCommit): boolean {
  return old === commit || (seen.includes(commit) && old !== seen.at(-1))
}

/** True if the state already contains the decision about a commit. */
function isCovered({ stable, rollout, queued }: EnvironmentRollout, commit: string): boolean {
  if (queued !== undefined) return queued.commit === commit
  return rollout && rollout.phase !== 'superseded' && rollout.phase !== 'complete'
    ? rollout.to === commit
    : stable === commit
}

function supersede(
  state: EnvironmentRollout,
  commit: string,
  at: number,
): { readonly state: EnvironmentRollout; readonly step: RolloutStep | undefined } {
  if (!isActive(state.rollout)) return { state, step: undefined }
  const reason = `commit ${commit} was pushed`
  return endRollout(state, { at, action: 'supersede', reason }, { phase: 'superseded', reason })
}

function beginRollout(
  state: EnvironmentRollout,
  { number, commit: to, now }: { readonly number: number; readonly commit: string; readonly now: number },
): SteppedState {
  const step: RolloutStep = { at: now, action: 'begin' }
  const rollout: Rollout = {
    ...{ number, document: 1, from: state.stable, to, phase: 'preparing', begun: now },
    ...{ started: [], approved: [], kept: [], steps: [step] },
  }
  return { state: { ...state, rollout }, step }
}
