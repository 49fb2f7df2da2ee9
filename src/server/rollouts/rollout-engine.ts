import { setTimeout as sleep } from 'node:timers/promises'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import { Slots } from '../../base/threads/slots.ts'
import { type HealthCheckSettings, type HealthResult, runHealthChecks } from '../../deploy/rollout/health-checks.ts'
import type { MemberIndex } from '../../deploy/rollout/rollout-document.ts'
import type { HaltConditions } from '../../deploy/rollout/rollout-plan.ts'
import { advanceRollout, type Waiting } from '../../deploy/rollout/rollout-progress.ts'
import { applyQueuedPush } from '../../deploy/rollout/rollout-push.ts'
import {
  type EnvironmentRollout,
  isActive,
  type QueuedPush,
  type Rollout,
  type RolloutStep,
} from '../../deploy/rollout/rollout-state.ts'
import { endRollout, type SteppedState, takeStep } from '../../deploy/rollout/rollout-steps.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { CompileFailures } from './compile-failures.ts'
import { runHaltQuery } from './halt-query.ts'
import type { NodeReport, RolloutObservation } from './rollout-observation.ts'
import { type CommitComparison, type PreparationParts, prepareMembers } from './rollout-preparation.ts'
import type { RolloutTable } from './rollout-table.ts'
import { addMembers, type Rollouts } from './rollouts.ts'

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
  /** True if this server serves the environment. */
  isServed(environment: string): Promise<boolean>
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
/** Number of environments that are stepped at the same time. */
const atOnce = 16
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
  readonly #failures: CompileFailures
  readonly #checking = new Map<string, Promise<void>>()
  /** Few checks run at the same time, because pushers write their queries. */
  readonly #turn = new Slots({ atOnce: 3 })
  readonly #attempts = new Map<string, number>()
  readonly #preparing = new Map<string, Promise<void>>()
  /** The last problem of each environment; that of the store has the name ''. */
  readonly #problems = new Map<string, string>()
  #comparison: CommitComparison = { impact: async () => undefined, haveDifferentFetchedFiles: async () => true }
  #wake = () => {}
  #running: Promise<void> | undefined

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#failures = new CompileFailures((commits) => this.#comparison.impact(commits))
  }

  /** Starts the rounds. */
  begin(comparison: CommitComparison): void {
    this.#comparison = comparison
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
    await Promise.allSettled([...this.#preparing.values(), ...this.#checking.values()])
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#round().catch((error) => this.#report('', error))
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
  #report(environment: string, error: unknown): void {
    const problem = formatError(error)
    const where = environment === '' ? 'Rollouts wait' : `The rollout of ${environment} waits`
    if (problem !== this.#problems.get(environment)) this.#parts.log('warn', `${where}: ${problem}`)
    this.#problems.set(environment, problem)
  }

  async #round(): Promise<void> {
    const { table, rollouts } = this.#parts
    await rollouts.retryStart()
    await table.read()
    await rollouts.removeGone()
    // Side by side, so that a slow environment does not delay the halt of another one.
    await mapConcurrently(table.entries, atOnce, async ({ environment, state }) => {
      if (this.#closing.signal.aborted || !state) return
      await this.#stepOne(environment, state).catch((error) => this.#report(environment, error))
    })
  }

  async #stepOne(environment: string, state: EnvironmentRollout): Promise<void> {
    if (state.gone !== undefined && !(await this.#restoreGone(environment))) return
    if (isActive(state.rollout)) return this.#stepRollout(environment, { ...state, rollout: state.rollout })
    if (state.queued !== undefined) return this.#beginQueued(environment, state.queued)
  }

  /** Another server recorded that the branch is gone: it is not, if this one serves it. Returns true if it is served. */
  async #restoreGone(environment: string): Promise<boolean> {
    if (!(await this.#parts.isServed(environment))) return false
    await this.#parts.rollouts.change(environment, (state) => {
      if (state?.gone === undefined) return undefined
      const { gone: _, ...rest } = state
      return { state: rest, step: undefined }
    })
    return true
  }

  async #stepRollout(environment: string, state: ActiveState): Promise<void> {
    const { table } = this.#parts
    if (state.rollout.phase === 'preparing') return this.#prepare(environment, state.rollout)
    const index = await table.members(environment)
    if (!index) return
    const { rollout } = state
    const observed = await this.#parts.observation.observe(environment, rollout, index)
    const reports = await this.#failures.confirm(observed, { environment, rollout, index })
    const { checks, isChecked } = this.#runChecks(environment, rollout, { index, reports })
    const failed = checks.find(({ ok }) => ok === false)
    const failedCheck = failed && `the check '${failed.check}' failed (${failed.value ?? failed.status})`
    const health = new Map([...reports].map(([certname, report]) => [certname, report.health]))
    let waiting: Waiting | undefined
    if (rollout.phase === 'running')
      await this.#parts.rollouts.change(environment, (now, clock) => {
        if (now?.rollout?.number !== rollout.number || now.rollout.phase !== 'running') return undefined
        const given = { ...clock, health, failedCheck, isChecked, isFrozen: this.#parts.isFrozen(environment) }
        const next = advanceRollout({ ...now, rollout: now.rollout }, index, given)
        waiting = typeof next === 'string' ? next : undefined
        return typeof next === 'string' ? undefined : recordFailures(next, reports)
      })
    this.#progress.set(environment, { number: rollout.number, waiting, checks, reports })
  }

  /** Starts the checks in the background, at most every 15 seconds once a wave has started. Returns the last results. */
  #runChecks(
    environment: string,
    { number, started }: Rollout,
    { index, reports }: { readonly index: MemberIndex; readonly reports: ReadonlyMap<string, NodeReport> },
  ): { readonly checks: readonly HealthResult[]; readonly isChecked: boolean } {
    const { halt } = index.members.plan
    const wave = started.at(-1)
    if (!wave || !hasChecks(halt)) return { checks: [], isChecked: true }
    const { now } = this.#parts.table.clock
    const last = this.#checked.get(environment)
    const known = last?.number === number ? last : undefined
    if (!this.#checking.has(environment) && (!known || now - known.at >= checkMs || known.at < wave.at)) {
      const work = this.#turn
        .run(() =>
          Promise.all([
            runHealthChecks(halt, this.#parts.settings),
            runHaltQuery(halt, [...reports.keys()], this.#parts.store),
          ]),
        )
        .then((results) => void this.#checked.set(environment, { number, at: now, checks: results.flat() }))
        .catch((error) => this.#report(environment, error))
        .finally(() => {
          this.#checking.delete(environment)
          this.wake()
        })
      this.#checking.set(environment, work)
    }
    return { checks: known?.checks ?? [], isChecked: known !== undefined && known.at >= wave.at }
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
      .catch((error) => this.#report(environment, error))
      .finally(() => {
        this.#preparing.delete(key)
        this.wake()
      })
    this.#preparing.set(key, work)
  }

  async #computeWaves(environment: string, { number, from, to }: Rollout): Promise<void> {
    const { rollouts, table, askings, store, nodeTtl } = this.#parts
    const preparation = { askings, store, nodeTtl, comparison: this.#comparison }
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
  async #beginQueued(environment: string, { commit }: QueuedPush): Promise<void> {
    await this.#parts.rollouts.change(environment, (state, { now }) => {
      if (!state || state.queued?.commit !== commit || isActive(state.rollout)) return undefined
      return addMembers(applyQueuedPush({ ...state, queued: state.queued }, now), state.queued.plan)
    })
  }
}

/** True if the halt conditions contain checks other than reports. */
function hasChecks({ query, metrics, http }: HaltConditions): boolean {
  return query !== undefined || metrics.length > 0 || http.length > 0
}

/** Adds the reports of failed nodes to the state of a halted rollout. */
function recordFailures({ state, step }: SteppedState, reports: ReadonlyMap<string, NodeReport>): SteppedState {
  if (step.action !== 'halt') return { state, step }
  const failed = [...reports].filter(([, { health }]) => health === 'failed' || health === 'not compiled')
  const hashes = failed.slice(0, maxFailures).map(([certname, { hash }]) => [certname, hash])
  return { state: { ...state, rollout: { ...state.rollout!, failed: Object.fromEntries(hashes) } }, step }
}
