import { budgets } from '../../../base/budgets/budgets.ts'
import { createPuppetError, isIssue, type PuppetError, throwIssue } from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import { mapConcurrently } from '../../../base/threads/concurrent-map.ts'
import { Slots } from '../../../base/threads/slots.ts'
import type { ThreadBridge } from '../../../base/threads/thread-bridge.ts'
import { runInSpan } from '../../../base/tracing.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { isPlainPath } from '../../git/blob-path.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import { isEnvironmentName } from '../environment-name.ts'
import { createSnapshotOpener, type GitTreeSnapshot, type SnapshotOpener } from '../environment-snapshot.ts'
import type { Environment, EnvironmentStatus, Environments, OpenFile } from '../environments.ts'
import { environmentIssues } from '../issues.ts'
import type { ModuleFolders } from '../static-catalog-files.ts'
import { AssignedCommits, type HeldCommit } from './assigned-commits.ts'
import { openBlobBridge } from './blob-bridge.ts'
import {
  type BranchCommits,
  branches,
  type ChosenBranch,
  chooseBranches,
  listBranches,
  listHiddenBranchWarnings,
  sortByPrecedence,
} from './branch-choice.ts'
import { CommitFiles } from './commit-files.ts'
import { formatServedChange, type ServedChange } from './deployment-log.ts'
import { EnvironmentLoader } from './environment-loader.ts'
import type { GitEnvironmentsOptions } from './git-environments-options.ts'
import { LastServedCommits } from './last-served-commits.ts'
import { createPinnedCommits, type PinnedCommits } from './pinned-commits.ts'
import { computeNextAttempt } from './retry-schedule.ts'
import {
  explainMissingEnvironment,
  getEnvironmentStatus,
  hasBranchChanged,
  type RefusalDetails,
  type ServedBranch,
} from './served-branch.ts'

/** Largest fraction of the time that checks for moved refs may take. */
const lookingPart = 0.1

/**
 * Serves the branches of a repository as environments. A new commit is loaded in the background and then replaces the
 * old one at once. Requests wait until all branches that can be loaded are loaded.
 */
export async function openGitEnvironments(options: GitEnvironmentsOptions): Promise<Environments> {
  const environments = new GitEnvironments(options)
  await environments.look()
  environments.watch()
  return environments
}

/** Number of environments that are loaded, wait for their turn, or wait until their refs are written. */
const mostUnderWay = 64

class GitEnvironments implements Environments {
  readonly #options: GitEnvironmentsOptions
  readonly #source: GitObjectSource
  readonly #loader: EnvironmentLoader
  readonly #files: CommitFiles
  readonly #opener: SnapshotOpener = createSnapshotOpener()
  readonly #loads = new Slots({ atOnce: budgets.environment.loads.bound })
  readonly #pins: PinnedCommits
  readonly #last: LastServedCommits
  readonly #assigned = new AssignedCommits((name, commit) => this.#loadAssigned(name, commit))
  /**
   * The state of each environment. An entry is replaced as a whole, so that a request sees either the old or the
   * new state.
   */
  readonly #served = new Map<string, ServedBranch>()
  #refreshing: Promise<void> | undefined
  #again = false
  /** True to retry commits now that were rejected for a temporary reason. */
  #retryNow = false
  /** Number of branches beyond the limit at the last check. */
  #tooMany = 0
  /** Duration of the last check for moved refs, in milliseconds. */
  #looked = 0
  #timer: NodeJS.Timeout | undefined
  /** The error of the last check; logged once. */
  #trouble: string | undefined
  #closed = false
  /** True during the first check of a repository that was never served. */
  #isFirst = true

  constructor(options: GitEnvironmentsOptions) {
    this.#options = options
    this.#source = options.source
    this.#files = new CommitFiles(options)
    this.#loader = new EnvironmentLoader(options, this.#opener)
    const warn = (message: string) => this.#log('warning', message)
    this.#pins = createPinnedCommits(options, warn)
    this.#last = new LastServedCommits(options.source, warn)
  }

  get trouble(): string | undefined {
    return this.#trouble
  }

  async list(): Promise<readonly string[]> {
    return [...this.#served].flatMap(([name, { environment }]) => (environment ? [name] : [])).sort()
  }

  async get(name: string): Promise<Environment | undefined> {
    return this.#served.get(name)?.environment
  }

  async getForNode(name: string, certname: string): Promise<Environment | undefined> {
    const assigned = this.#served.has(name) ? await this.#options.assigned?.(name, certname) : undefined
    const served = this.#served.get(name)?.environment
    return assigned ? this.#assigned.openFirst(name, assigned, served) : served
  }

  async hintAbout(name: string): Promise<string> {
    return explainMissingEnvironment(name, this.#served, this.#source.path)
  }

  async openFile(name: string, codeId: string, path: string): Promise<OpenFile | undefined> {
    const served = this.#served.get(name)?.environment
    if (served && served.codeId === codeId && isPlainPath(path)) return served.openFile(path)
    return isEnvironmentName(name) ? this.#files.openFile(codeId, path) : undefined
  }

  moduleFolders(name: string, codeId: string): Promise<ModuleFolders> {
    return this.#files.moduleFolders(name, codeId)
  }

  async status(): Promise<readonly EnvironmentStatus[]> {
    return [...this.#served]
      .map(([name, served]) => {
        const { ahead, deployer, assignmentWarnings } = this.#options
        const status = getEnvironmentStatus(name, served, deployer?.trouble(name))
        const warnings = [...(assignmentWarnings?.(name) ?? []), ...status.warnings]
        return { ...status, warnings, ahead: ahead?.(name) }
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Checks for new code now, and retries commits that were rejected for a temporary reason. */
  async refresh(): Promise<void> {
    this.#retryNow = true
    return this.#refresh()
  }

  /** Checks for new code at an interval; a persistent error is logged once. */
  async look(): Promise<void> {
    const trouble = await this.#refresh().then(
      () => undefined,
      (error: unknown) => `Could not read the refs of ${this.#source.path}: ${formatError(error)}`,
    )
    if (trouble !== undefined && trouble !== this.#trouble) this.#log('err', trouble)
    this.#trouble = trouble
  }

  bridge(): ThreadBridge {
    return openBlobBridge(this.#source, this.#opener.digests)
  }

  /** Starts the periodic checks for moved refs. */
  watch(): void {
    const interval = this.#options.interval ?? 700
    if (interval <= 0 || this.#closed) return
    const next = async () => {
      await this.look()
      this.watch()
    }
    this.#timer = setTimeout(next, Math.max(interval, this.#looked / lookingPart))
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#refreshing?.catch(() => {})
    await this.#source.close()
  }

  /** Checks for moved refs. If a check is running, a new check starts after it, so that no change is missed. */
  async #refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#again = true
      return this.#refreshing
    }
    this.#refreshing = this.#refreshUntilQuiet()
    return this.#refreshing
  }

  async #refreshUntilQuiet(): Promise<void> {
    try {
      do {
        this.#again = false
        await this.#refreshOnce()
      } while (this.#again && !this.#closed)
    } finally {
      // Set in the same tick as the last test of `#again`, so that a later caller starts a check of its own.
      this.#refreshing = undefined
    }
  }

  async #refreshOnce(): Promise<void> {
    const retryNow = this.#retryNow
    this.#retryNow = false
    const started = performance.now()
    const looks = [this.#pins, this.#last].map((kept) =>
      kept.look().catch((error) => this.#log('warning', `Could not read the pins: ${formatError(error)}`)),
    )
    const [refs] = await Promise.all([this.#branches(), this.#options.deployer?.look(), ...looks])
    const chosen = chooseBranches(refs)
    this.#looked = performance.now() - started
    this.#isFirst &&= this.#last.isEmpty && this.#served.size === 0
    for (const [name, { ref, environment }] of this.#served)
      if (!chosen.has(name)) {
        this.#served.delete(name)
        this.#tell({ environment: name, ref, old: environment?.codeId, new: undefined, result: 'gone' })
      }
    await this.#last.keepOnly(chosen)
    await this.#options.deployer?.keepOnly(chosen)
    this.#letGo()
    const most = this.#options.settings.max_environments
    const { served, tooMany } = sortByPrecedence(chosen, {
      isServed: (name) => this.#served.get(name)?.environment !== undefined,
      usual: this.#options.settings.environment,
      pinned: this.#pins.commits,
      most,
    })
    this.#refuseTooMany(tooMany, chosen, createPuppetError(environmentIssues.TOO_MANY_ENVIRONMENTS, { most }))
    const news = served.filter((name) => this.#isNews(name, chosen.get(name)!, retryNow))
    // Rejected commits come last, since checking them again may be slow.
    const fresh = news.filter((name) => !this.#served.get(name)?.retry)
    await this.#loadAll([...fresh, ...news.filter((name) => this.#served.get(name)?.retry)], chosen)
    this.#letGo()
    await this.#pins.keep(new Set(this.#keptCommits()))
  }

  /** Rejects environments beyond the limit with a single log line, since there may be thousands. */
  #refuseTooMany(names: readonly string[], chosen: ReadonlyMap<string, ChosenBranch>, error: PuppetError): void {
    for (const name of names) {
      const { refused } = this.#served.get(name) ?? {}
      const branch = chosen.get(name)!
      if (refused?.commit !== branch.commit || refused?.reason !== error.message)
        this.#refuse(name, branch, error, { silently: true })
    }
    if (names.length > 0 && names.length !== this.#tooMany)
      this.#log('err', `${names.length} branches cannot be served, including ${names[0]}: ${error.message}`)
    this.#tooMany = names.length
  }

  /** Returns all branches; if there are too many, at least those of served environments. */
  #branches(): Promise<BranchCommits> {
    const followed = [...this.#served.values()].flatMap(({ ref, environment }) => (environment ? [ref] : []))
    const usual = `${branches}${this.#options.settings.environment}`
    return listBranches(this.#source, [usual, ...followed], (message) => this.#log('warning', message))
  }

  /** Serves the new commits of environments. Only a few are loaded at a time; refs of loaded ones are written together. */
  async #loadAll(names: readonly string[], chosen: ReadonlyMap<string, ChosenBranch>): Promise<void> {
    await mapConcurrently(names, mostUnderWay, async (name) => {
      if (this.#closed) return
      await runInSpan('deploy environment', { 'plumb.environment': name }, () => this.#next(name, chosen.get(name)!))
    })
  }

  #isNews(name: string, chosen: ChosenBranch, retryNow: boolean): boolean {
    const deployed = chosen.commit && this.#options.deployer?.latest(name, chosen.commit)
    return hasBranchChanged(this.#served.get(name), { chosen, deployed, retryNow })
  }

  /** Serves the new commit of an environment, or keeps the old one and records the reason. */
  async #next(name: string, chosen: ChosenBranch): Promise<void> {
    const { ref, commit: source } = chosen
    const before = this.#served.get(name)
    let commit: string | undefined
    try {
      if (source === undefined) throwIssue(environmentIssues.BROKEN_REF, { ref, why: chosen.broken ?? '' })
      const environment = await this.#loads.run(async () => {
        if (this.#closed) throw new Error('the environments are closed')
        commit = (await this.#options.deployer?.deployed({ environment: name, ref, commit: source })) ?? source
        const isServed = before?.environment?.codeId === commit && before.ref === ref
        return isServed ? before.environment! : this.#passed(name, ref, commit)
      })
      commit = environment.codeId!
      const isSame = before?.environment === environment
      const move = { environment: name, ref, old: this.#oldCommit(name), new: commit }
      if (!isSame) await this.#options.moving?.(move, environment, before?.environment)
      if (!isSame && before?.environment) this.#assigned.add(before.environment)
      const [since] = await Promise.all([this.#last.note(name, commit), this.#pins.pin(commit)])
      const warnings = listHiddenBranchWarnings(chosen)
      const fresh = { since: isSame ? before.since : since, refused: undefined, warnings, retry: undefined }
      this.#served.set(name, { ref, environment, source, ...fresh })
      const old = before?.environment?.codeId
      if (!isSame) this.#tell({ environment: name, ref, old, new: commit, result: 'served' })
      for (const warning of [...warnings, ...environment.warnings]) this.#log('warning', warning)
    } catch (error) {
      if (this.#closed) return
      await this.#serveLast(name, chosen, commit)
      this.#refuse(name, chosen, error, { deployed: commit === source ? undefined : commit })
    }
  }

  #oldCommit(name: string): string | undefined {
    return this.#served.get(name)?.environment?.codeId ?? this.#last.of(name)
  }

  /** Loads a commit that is assigned to nodes; its pin protects it from pruning. */
  async #loadAssigned(name: string, commit: string): Promise<Environment> {
    const environment = await this.#loads.run(() => this.#load(name, this.#served.get(name)!.ref, commit))
    await this.#pins.pin(commit)
    return environment
  }

  /** Returns the code of a branch's new commit. Throws if the commit cannot be loaded, or if the gate rejects it. */
  async #passed(name: string, ref: string, commit: string): Promise<Environment> {
    const { refused, retry } = this.#served.get(name) ?? {}
    const old = this.#oldCommit(name)
    const isFree = this.#isFirst || old === commit
    const checkGate = async () =>
      isFree ? undefined : this.#options.gate?.({ environment: name, ref, old, new: commit })
    // A commit that waits for the gate is not loaded again.
    if ((refused?.deployed ?? refused?.commit) === commit && retry?.wait === Number.POSITIVE_INFINITY) await checkGate()
    const loaded = await this.#load(name, ref, commit)
    await checkGate()
    return loaded
  }

  /** Serves the commit that was served before the start, if the environment has no code yet. */
  async #serveLast(name: string, chosen: ChosenBranch, refused: string | undefined): Promise<void> {
    const last = this.#last.of(name)
    if (last === undefined || last === (refused ?? chosen.commit) || this.#served.get(name)?.environment) return
    const environment = await this.#load(name, chosen.ref, last).catch(() => undefined)
    if (!environment) return
    await this.#pins.pin(last)
    const { ref } = chosen
    const fresh = { since: await this.#last.since(name), refused: undefined, warnings: [], retry: undefined }
    this.#served.set(name, { ref, environment, source: undefined, ...fresh })
    this.#tell({ environment: name, ref, old: undefined, new: last, result: 'kept' })
  }

  #refuse(name: string, chosen: ChosenBranch, error: unknown, { deployed, silently = false }: RefusalDetails): void {
    const { ref, commit } = chosen
    const { environment, source, since, refused, retry } = this.#served.get(name) ?? {}
    const reason = formatError(error)
    const isKnown = refused?.commit === commit && refused?.deployed === deployed && refused?.reason === reason
    const next = computeNextAttempt(error, isKnown ? retry : undefined)
    this.#served.set(name, {
      ref,
      environment,
      source,
      since,
      refused: { commit, ...(deployed !== undefined && { deployed }), reason },
      warnings: listHiddenBranchWarnings(chosen),
      retry: next,
    })
    const change = { environment: name, ref, old: environment?.codeId, new: commit, result: 'refused', reason } as const
    const isUnderWay = isIssue(error, environmentIssues.GATE_WAITS, environmentIssues.DEPLOY_WAITS)
    if (!isKnown && !isUnderWay) this.#tell(change, silently)
  }

  #tell(change: ServedChange, silently = false): void {
    this.#options.changed?.(change)
    if (!silently) this.#log(change.result === 'refused' ? 'err' : 'notice', formatServedChange(change))
  }

  #load(name: string, ref: string, commit: string): Promise<Environment> {
    // A commit that was served before is not checked again.
    const isChecked = this.#pins.commits.has(commit)
    return this.#loader.load({ name, ref, commit, isChecked, served: this.#codeBefore(name) })
  }

  /** Returns the served code of an environment; if it has none, the code of the default environment. */
  #codeBefore(name: string): GitTreeSnapshot | undefined {
    const { environment } = this.#served.get(name) ?? {}
    const before = environment ?? this.#served.get(this.#options.settings.environment)?.environment
    const [tree] = before?.snapshot.trees ?? []
    return tree?.kind === 'git' ? tree : undefined
  }

  /** The served commits, and those that are assigned to nodes. */
  #keptCommits(): string[] {
    const served = [...this.#served.values()].flatMap(({ environment }) => environment?.codeId ?? [])
    return [...served, ...this.#heldCommits().map(({ commit }) => commit)]
  }

  #heldCommits(): readonly HeldCommit[] {
    return this.#options.held?.().filter(({ environment }) => this.#served.has(environment)) ?? []
  }

  /** Releases trees that no environment uses. */
  #letGo(): void {
    this.#assigned.keepOnly(this.#heldCommits())
    this.#loader.keepOnly(this.#keptCommits())
  }

  #log(level: 'notice' | 'warning' | 'err', message: string): void {
    this.#options.log?.(level, toPrintable(message))
  }
}
