import { setTimeout as wait } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { Slots } from '../../base/threads/slots.ts'
import type { BranchDeployer, BranchPoint } from '../../code/environments/git/branch-deployer.ts'
import { environmentIssues } from '../../code/environments/issues.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { hideOwnRefs } from '../../code/git/hidden-refs.ts'
import { moveRef } from '../../code/git/object-writer.ts'
import { deployedPrefix, formatDeployedRef } from '../../code/git/ref-names.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { SharedDeployments } from '../shared/shared-deployments.ts'
import { getSourceCommit } from './deployed-commit.ts'
import type { Deployments, DeployOptions } from './deployments.ts'
import { compareLocks, type LockChange } from './puppetfile-lock.ts'
import { findLastDeployment, readResolution } from './stored-deployments.ts'

/** Dependencies of a server's deployments. */
export interface ServedParts {
  readonly deployments: Deployments
  /** Milliseconds between checks for new module versions; 0 disables the checks. */
  readonly intervalMs: number
  /**
   * Milliseconds for which a check of branches waits for modules; 3000 by default. The wait ends earlier if all modules
   * are known.
   */
  readonly patienceMs?: number
  /** Sharing with servers that have the same sources; `undefined` for a single server. */
  readonly shared?: SharedDeployments | undefined
  say(level: 'info' | 'warn' | 'error', message: string): void
  /** Called when a branch was deployed or has failed. */
  decided(): void
}

/** A branch's commit, with its deployed commit. */
interface Deployment extends BranchPoint {
  readonly deployed: string
}

interface Running {
  readonly commit: string
  readonly done: Promise<void>
  readonly stop: AbortController
  /** True if the caller no longer waits and must be notified. */
  isLeft: boolean
}

/** The result of a check for new module versions. */
export interface ModuleUpdate {
  readonly environment: string
  readonly before: string
  readonly after: string
  readonly changes: readonly LockChange[]
}

/**
 * Deploys the branches of a served repository in the background, and records the results as
 * `refs/plumb/deployed/<environment>`.
 */
export class ServedDeployments implements BranchDeployer {
  readonly #parts: ServedParts
  readonly #slots = new Slots({ atOnce: budgets.push.deploysAtOnce.bound })
  readonly #closing = new AbortController()
  readonly #known = new Map<string, Deployment>()
  readonly #running = new Map<string, Running>()
  /** Errors of failed deployments that were not reported yet, by environment. */
  readonly #failed = new Map<string, { readonly commit: string; readonly why: string }>()
  readonly #troubles = new Map<string, string>()
  #refs = new Map<string, string>()
  #areRefsHidden = false
  /** Time of the last check for new versions. A host queried after this time is not queried again. */
  #lookedAt = 0
  readonly #timer: NodeJS.Timeout | undefined
  /**
   * The running check for new module versions. Only one check runs at a time, so that checks which
   * exceed their interval do not wait for each other's locks.
   */
  #updating: Promise<void> | undefined
  #sharedTimer: NodeJS.Timeout | undefined
  #sharedTrouble: string | undefined

  constructor(parts: ServedParts) {
    this.#parts = parts
    const { intervalMs, shared } = parts
    if (shared) this.#follow(shared)
    if (intervalMs > 0) this.#timer = setInterval(() => this.#beginUpdate(), Math.min(intervalMs, 2 ** 31 - 1)).unref()
  }

  /**
   * Returns the deployed commit of a branch's commit. Throws NOT_DEPLOYED, or DEPLOY_WAITS while
   * modules are being fetched.
   */
  readonly deployed = async (point: BranchPoint): Promise<string> => {
    const { environment, commit } = point
    const { deployments } = this.#parts
    if (!(await deployments.isToDeploy(commit))) {
      await this.#forget(environment)
      return commit
    }
    const known = this.latest(environment, commit)
    if (known !== undefined) return known
    const before = await deployments.known(point)
    if (before !== undefined) return this.#keep(point, before)
    if (!this.#failed.has(environment)) await this.#patiently(this.#begin(point))
    const made = this.latest(environment, commit)
    if (made !== undefined) return made
    const failed = this.#failed.get(environment)
    this.#failed.delete(environment)
    return failed?.commit === commit
      ? throwIssue(environmentIssues.NOT_DEPLOYED, { why: failed.why })
      : throwIssue(environmentIssues.DEPLOY_WAITS, {})
  }

  latest(environment: string, commit: string): string | undefined {
    const known = this.#known.get(environment)
    return known?.commit === commit ? known.deployed : undefined
  }

  trouble(environment: string): string | undefined {
    return this.#troubles.get(environment)
  }

  /** The environments with modules from a Puppetfile. */
  get environments(): readonly string[] {
    return [...this.#known].filter(([, { commit, deployed }]) => commit !== deployed).map(([name]) => name)
  }

  /** Objects of the served repository. */
  get objects(): GitObjectSource {
    return this.#parts.deployments.parts.source
  }

  /** Returns the branch's commit of an environment with modules from a Puppetfile. */
  sourceCommit(environment: string): string | undefined {
    const known = this.#known.get(environment)
    return known && known.commit !== known.deployed ? known.commit : undefined
  }

  /** Resolves when no deployment of these environments (by default of any) is running. */
  async settled(environments?: readonly string[]): Promise<void> {
    const running = [...this.#running].filter(([name]) => environments?.includes(name) ?? true)
    await Promise.all(running.map(([, { done }]) => done))
  }

  /** Reads deployments again, including those written by another server of the same repository. */
  async look(): Promise<void> {
    const { parts } = this.#parts.deployments
    this.#lookedAt = performance.now()
    try {
      this.#refs = new Map((await parts.source.listRefs(deployedPrefix)).commits)
      for (const [environment, known] of this.#known) {
        const deployed = this.#refs.get(formatDeployedRef(environment))
        if (deployed === undefined || deployed === known.deployed || this.#running.has(environment)) continue
        if ((await getSourceCommit(parts.place, deployed)) === known.commit)
          this.#known.set(environment, { ...known, deployed })
      }
    } catch (error) {
      this.#parts.say('warn', `Could not read the recorded deployments: ${formatError(error)}`)
    }
  }

  async keepOnly(environments: { has(name: string): boolean }): Promise<void> {
    for (const ref of this.#refs.keys()) {
      const environment = ref.slice(deployedPrefix.length)
      if (!environments.has(environment)) await this.#forget(environment)
    }
  }

  /** Resolves a Puppetfile again. If a module fails, throws its error and does not change the environment. */
  async update(environment: string, way: DeployOptions): Promise<ModuleUpdate | undefined> {
    const { deployments } = this.#parts
    const known = this.#known.get(environment)
    if (!known || known.deployed === known.commit) return undefined
    try {
      const made = await this.#slots.run(() => this.#shared(known, way, async () => undefined))
      this.#troubles.delete(environment)
      const [one, other] = [
        await readResolution(deployments.parts, known.deployed),
        await readResolution(deployments.parts, made),
      ]
      const after = this.#known.get(environment) === known ? await this.#keep(known, made) : made
      const changes = one && other ? compareLocks(one.lock, other.lock) : []
      return { environment, before: known.deployed, after, changes }
    } catch (error) {
      this.#troubles.set(environment, formatError(error))
      throw error
    } finally {
      this.#parts.decided()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is stopping'))
    clearInterval(this.#timer)
    clearTimeout(this.#sharedTimer)
    await this.#parts.shared?.close()
    await Promise.all([this.#updating, ...Array.from(this.#running.values(), ({ done }) => done)])
  }

  #follow(shared: SharedDeployments): void {
    const next = () => this.#takeShared(shared).then(() => this.#follow(shared))
    if (!this.#closing.signal.aborted) this.#sharedTimer = setTimeout(next, shared.intervalMs).unref()
  }

  #beginUpdate(): void {
    this.#updating ??= this.#updateAll().finally(() => (this.#updating = undefined))
  }

  async #updateAll(): Promise<void> {
    const way = { anew: 'moving', signal: this.#closing.signal, freshSince: performance.now() } as const
    for (const environment of this.environments) {
      if (this.#closing.signal.aborted) return
      await this.update(environment, way).catch((error) =>
        this.#parts.say('error', `The modules of environment ${environment} are unchanged: ${formatError(error)}`),
      )
    }
  }

  /** Deploys a branch's commit in the background, and aborts a running deployment of an earlier commit. */
  #begin(point: BranchPoint): Running {
    const { environment, commit } = point
    const before = this.#running.get(environment)
    if (before?.commit === commit) return before
    before?.stop.abort(new Error('there is a newer commit'))
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, this.#closing.signal])
    // Replies of hosts since the check of the branch are recent enough, however long this
    // deployment waits for a slot.
    const done = this.#make(point, { signal, freshSince: this.#lookedAt }).then(() => this.#ended(environment, running))
    const running: Running = { commit, stop, done, isLeft: false }
    this.#running.set(environment, running)
    return running
  }

  async #make(point: BranchPoint, way: DeployOptions & { readonly signal: AbortSignal }): Promise<void> {
    const { environment, commit } = point
    const { signal } = way
    try {
      const made = await this.#slots.run(() => this.#shared(point, way, () => this.#parts.deployments.known(point)))
      if (!signal.aborted) await this.#keep(point, made)
    } catch (error) {
      if (!signal.aborted) this.#failed.set(environment, { commit, why: formatError(error) })
    }
  }

  /**
   * Creates the deployed commit of a branch's commit. With shared deployments, one server creates
   * it and the others fetch it.
   */
  async #shared(point: BranchPoint, way: DeployOptions, known: () => Promise<string | undefined>): Promise<string> {
    const { deployments, shared } = this.#parts
    const makeDeployment = () => deployments.make(point, way)
    if (!shared) return makeDeployment()
    const signal = way.signal ?? this.#closing.signal
    return shared.deploy({ environment: point.environment, signal, known, make: makeDeployment })
  }

  /** Fetches other servers' deployments of our environments. */
  async #takeShared(shared: SharedDeployments): Promise<void> {
    try {
      const { moved } = await shared.fetch((environment) => this.#known.has(environment))
      if (this.#sharedTrouble !== undefined)
        this.#parts.say('info', 'The shared repository of deployments is available again')
      this.#sharedTrouble = undefined
      if (moved > 0) this.#parts.decided()
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const trouble = formatError(error)
      if (trouble !== this.#sharedTrouble)
        this.#parts.say('error', `Could not read the deployments of other servers: ${trouble}`)
      this.#sharedTrouble = trouble
    }
  }

  #ended(environment: string, running: Running): void {
    if (this.#running.get(environment) !== running) return
    this.#running.delete(environment)
    if (running.isLeft && !this.#closing.signal.aborted) this.#parts.decided()
  }

  async #patiently(running: Running): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#closing.signal])
    const tooLong = wait(this.#parts.patienceMs ?? 3000, undefined, { signal, ref: false }).then(
      () => {
        running.isLeft = true
      },
      () => {},
    )
    await Promise.race([running.done, tooLong])
    over.abort()
  }

  /**
   * Records the deployed commit of a branch's commit. If another server was first, uses its commit. Also works in a
   * repository without write permission.
   */
  async #keep(point: BranchPoint, made: string): Promise<string> {
    const { environment, commit } = point
    this.#troubles.delete(environment)
    const deployed = made === commit ? made : await this.#written(environment, commit, made)
    this.#known.set(environment, { ...point, deployed })
    return deployed
  }

  async #written(environment: string, commit: string, made: string): Promise<string> {
    const { parts } = this.#parts.deployments
    const from = await findLastDeployment(parts, environment)
    if (from === made) return made
    try {
      if (!this.#areRefsHidden) await hideOwnRefs(parts.place)
      this.#areRefsHidden = true
      await moveRef(parts.place, formatDeployedRef(environment), { from, to: made })
    } catch (error) {
      const now = await findLastDeployment(parts, environment)
      if (now !== undefined && now !== from && (await getSourceCommit(parts.place, now)) === commit) return now
      this.#parts.say('warn', `Could not record the deployment of environment ${environment}: ${formatError(error)}`)
    }
    return made
  }

  async #forget(environment: string): Promise<void> {
    this.#known.delete(environment)
    this.#failed.delete(environment)
    this.#troubles.delete(environment)
    this.#running.get(environment)?.stop.abort(new Error('its branch no longer needs modules'))
    const { parts } = this.#parts.deployments
    const from = this.#refs.get(formatDeployedRef(environment))
    if (from === undefined) return
    this.#refs.delete(formatDeployedRef(environment))
    void this.#parts.shared?.forget(environment, from)
    const why = await moveRef(parts.place, formatDeployedRef(environment), { from, to: undefined }).catch(formatError)
    if (why !== undefined)
      this.#parts.say('warn', `Could not remove the recorded deployment of environment ${environment}: ${why}`)
  }
}
