import { setTimeout as sleep } from 'node:timers/promises'
import { type HealthCheckSettings, type HealthResult, runHealthChecks } from '../../deploy/rollout/health-checks.ts'
import type { MemberIndex } from '../../deploy/rollout/rollout-document.ts'
import type { RolloutPlan } from '../../deploy/rollout/rollout-plan.ts'
import { advanceRollout, type Waiting } from '../../deploy/rollout/rollout-progress.ts'
import {
  type EnvironmentRollout,
  isActive,
  type Rollout,
  type RolloutStep,
} from '../../deploy/rollout/rollout-state.ts'
import { endRollout, type SteppedState, takeStep } from '../../deploy/rollout/rollout-steps.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { runHaltQuery } from './halt-query.ts'
import type { NodeReport, RolloutObservation } from './rollout-observation.ts'
import { type ComputeRolloutImpact, type PreparationParts, prepareMembers } from './rollout-preparation.ts'
import type { RolloutTable } from './rollout-table.ts'
import { pushCommit, type Rollouts } from './rollouts.ts'

/** Dependencies of the engine. */
export interface EngineParts {
  readonly rollouts: Rollouts
  readonly table: RolloutTable
  readonly observation: RolloutObservation
  readonly askings: PreparationParts['askings']
  /** Milliseconds after which a node's run in an environment is ignored; 0 for never. */
  readonly nodeTtl: number
  readonly store: Pick<NodeStore, 'ask'>
  readonly settings: HealthCheckSettings
  /** Name of this server. */
  readonly server: string
  /** True if other servers may change the rows. */
  readonly isShared: boolean
  isFrozen(environment: string): boolean
  /** The plan of a commit that waited for the end of a rollout. */
  readPlan(environment: string): Promise<RolloutPlan | undefined>
  log(level: 'info' | 'warn' | 'error', message: string): void
}

/** The last observation of a rollout by this server. */
export interface RolloutProgress {
  readonly number: number
  readonly waiting: Waiting | undefined
  readonly checks: readonly HealthResult[]
  readonly reports: ReadonlyMap<string, NodeReport>
}

/** The last results of a rollout's checks. */
interface RecentChecks {
  readonly number: number
  readonly at: number
  readonly checks: readonly HealthResult[]
}

type ActiveState = EnvironmentRollout & { readonly rollout: Rollout }

/** Milliseconds between two rounds, and between two runs of the checks of a rollout. */
const [roundMs, checkMs] = [1000, 15_000]
/** Number of attempts to determine the waves: a query may fail because the store is being restarted. */
const prepareAttempts = 5
/** Number of failed nodes recorded with a halt. */
const maxFailures = 500
/** Milliseconds after which another server may prepare a rollout. */
const leaseMs = 120_000

/**
 * Takes the steps of all rollouts of this server's environments, once a second. All servers do so; each step is taken by
 * the server whose change of the row comes first. A stopped server loses nothing: each round starts from the row.
 */
export class RolloutEngine {
  readonly #parts: EngineParts
  readonly #closing = new AbortController()
  readonly #progress = new Map<string, RolloutProgress>()
  readonly #checked = new Map<string, RecentChecks>()
  readonly #attempts = new Map<string, number>()
  readonly #preparing = new Map<string, Promise<void>>()
  #problem: string | undefined
  #impact: ComputeRolloutImpact = async () => undefined
  #wake = () => {}
  #running: Promise<void> | undefined

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  /** Starts the rounds. `impact` computes the impact of a commit on the nodes. */
  begin(impact: ComputeRolloutImpact): void {
    this.#impact = impact
    this.#running = this.#run()
  }

  /** Starts the next round at once. */
  wake(): void {
    this.#wake()
  }

  /** The last observation of an environment's current rollout; undefined before the first one. */
  progressOf(environment: string): RolloutProgress | undefined {
    return this.#progress.get(environment)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake()
    await this.#running
    await Promise.allSettled(this.#preparing.values())
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#round().catch((error) => this.#report(error))
      await this.#pause()
    }
  }

  /** Waits for the next round; without other servers and without a rollout, until `wake`. */
  async #pause(): Promise<void> {
    const isIdle = !this.#parts.isShared && this.#parts.table.isRead && !this.#parts.table.hasActive
    const woken = new Promise<void>((done) => (this.#wake = done))
    const timer = new AbortController()
    const round = sleep(roundMs, undefined, { ref: false, signal: timer.signal }).catch(() => {})
    await (isIdle ? woken : Promise.race([woken, round]))
    timer.abort()
  }

  /** A persistent problem is logged once. */
  #report(error: unknown): void {
    const problem = formatError(error)
    if (problem !== this.#problem) this.#parts.log('warn', `Rollouts wait: ${problem}`)
    this.#problem = problem
  }

  async #round(): Promise<void> {
    const { table, rollouts } = this.#parts
    await rollouts.retryStart()
    await table.read()
    await rollouts.removeGone()
    for (const { environment, state } of table.entries) {
      if (this.#closing.signal.aborted) return
      if (!state || state.gone !== undefined) continue
      await this.#stepOne(environment, state).catch((error) => this.#report(error))
    }
  }

  async #stepOne(environment: string, state: EnvironmentRollout): Promise<void> {
    if (isActive(state.rollout)) return this.#stepRollout(environment, { ...state, rollout: state.rollout })
    if (state.queued !== undefined) return this.#beginQueued(environment, state.queued)
  }

  async #stepRollout(environment: string, state: ActiveState): Promise<void> {
    const { table } = this.#parts
    if (state.rollout.phase === 'preparing') return this.#prepare(environment, state.rollout)
    const index = await table.members(environment)
    if (!index) return
    const { rollout } = state
    const reports = await this.#parts.observation.observe(environment, rollout, index)
    const checks = await this.#runChecks(environment, rollout, { index, reports })
    const failed = checks.find(({ ok }) => ok === false)
    const failedCheck = failed && `the check '${failed.check}' failed (${failed.value ?? failed.status})`
    const health = new Map([...reports].map(([certname, report]) => [certname, report.health]))
    let waiting: Waiting | undefined
    if (rollout.phase === 'running')
      await this.#parts.rollouts.change(environment, (now, clock) => {
        if (now?.rollout?.number !== rollout.number || now.rollout.phase !== 'running') return undefined
        const observed = { ...clock, health, failedCheck, isFrozen: this.#parts.isFrozen(environment) }
        const next = advanceRollout({ ...now, rollout: now.rollout }, index, observed)
        waiting = typeof next === 'string' ? next : undefined
        return typeof next === 'string' ? undefined : recordFailures(next, reports)
      })
    this.#progress.set(environment, { number: rollout.number, waiting, checks, reports })
  }

  /** Runs the checks once a wave has started, at most every 15 seconds. */
  async #runChecks(
    environment: string,
    { number, started }: Rollout,
    { index, reports }: { readonly index: MemberIndex; readonly reports: ReadonlyMap<string, NodeReport> },
  ): Promise<readonly HealthResult[]> {
    if (started.length === 0) return []
    const known = this.#checked.get(environment)
    if (known?.number === number && performance.now() - known.at < checkMs) return known.checks
    const { halt } = index.members.plan
    const [checks, queries] = await Promise.all([
      runHealthChecks(halt, this.#parts.settings),
      runHaltQuery(halt, [...reports.keys()], this.#parts.store),
    ])
    const all = [...checks, ...queries]
    this.#checked.set(environment, { number, at: performance.now(), checks: all })
    return all
  }

  /** Computes the waves in the background, on one server at a time. */
  async #prepare(environment: string, { number, lease }: Rollout): Promise<void> {
    const { server, rollouts } = this.#parts
    const key = `${environment}#${number}`
    const { now: at } = this.#parts.table.clock
    if (this.#preparing.has(key) && lease && lease.until - at > leaseMs / 2) return
    const isFree = (held: Rollout['lease'], now: number) => !held || held.server === server || held.until < now
    if (!isFree(lease, at)) return
    const taken = await rollouts.change(environment, (state, { now }) => {
      const { rollout } = state ?? {}
      if (rollout?.number !== number || rollout.phase !== 'preparing' || !isFree(rollout.lease, now)) return undefined
      return { state: { ...state!, rollout: { ...rollout, lease: { server, until: now + leaseMs } } }, step: undefined }
    })
    if (!taken || this.#preparing.has(key)) return
    const work = this.#computeWaves(environment, taken.state.rollout!)
      .catch((error) => this.#report(error))
      .finally(() => {
        this.#preparing.delete(key)
        this.wake()
      })
    this.#preparing.set(key, work)
  }

  async #computeWaves(environment: string, { number, from, to }: Rollout): Promise<void> {
    const { rollouts, table, askings, store, nodeTtl } = this.#parts
    const preparation = { askings, store, nodeTtl, impact: this.#impact }
    const before = await table.members(environment)
    if (!before) return
    const members = await prepareMembers({ environment, from, to }, before.members, preparation).catch(
      (error: unknown) => this.#haltUnprepared(environment, number, error),
    )
    if (!members || this.#closing.signal.aborted) return
    await rollouts.change(environment, (state, { now }) => {
      const { rollout } = state ?? {}
      if (rollout?.number !== number || rollout.phase !== 'preparing') return undefined
      const { lease: _, ...rest } = rollout
      const step: RolloutStep = { at: now, action: 'prepare' }
      const next = takeStep({ ...state!, rollout: { ...rest, document: rollout.document + 1 } }, step, {
        phase: 'running',
      })
      return { ...next, members }
    })
  }

  /** Halts a rollout whose waves cannot be determined in some attempts. */
  async #haltUnprepared(environment: string, number: number, error: unknown): Promise<undefined> {
    const key = `${environment}#${number}`
    const attempt = (this.#attempts.get(key) ?? 0) + 1
    this.#attempts.set(key, attempt)
    if (attempt < prepareAttempts) throw error
    this.#attempts.delete(key)
    await this.#parts.rollouts.change(environment, (state, { now }) => {
      const { rollout } = state ?? {}
      if (rollout?.number !== number || rollout.phase !== 'preparing') return undefined
      const reason = `its waves could not be determined: ${formatError(error)}`
      return endRollout(state!, { at: now, action: 'halt', reason }, { phase: 'halted', reason })
    })
    return undefined
  }

  /** Begins the rollout of a push that waited for the end of another one. */
  async #beginQueued(environment: string, commit: string): Promise<void> {
    const plan = await this.#parts.readPlan(environment)
    await this.#parts.rollouts.change(environment, (state, { now }) => {
      if (!state || state.queued !== commit || isActive(state.rollout)) return undefined
      const { queued: _, ...rest } = state
      return pushCommit({ state: rest, index: undefined }, { commit, old: state.stable, plan, now })
    })
  }
}

/** Adds the reports of failed nodes to the state of a halted rollout. */
function recordFailures({ state, step }: SteppedState, reports: ReadonlyMap<string, NodeReport>): SteppedState {
  if (step.action !== 'halt') return { state, step }
  const failed = [...reports].filter(([, { health }]) => health === 'failed' || health === 'not compiled')
  const hashes = failed.slice(0, maxFailures).map(([certname, { hash }]) => [certname, hash])
  return { state: { ...state, rollout: { ...state.rollout!, failed: Object.fromEntries(hashes) } }, step }
}
