import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { Slots } from '../../base/threads/slots.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { type MirrorResult, mirrorRemote } from '../../code/git/remotes/remote-mirror.ts'
import {
  listRefsBelow,
  moveRefs,
  removeAbandonedLocks,
  runGitMaintenance,
} from '../../code/git/remotes/source-store.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { type CodeSource, type FollowedRemote, getRefPrefix, type SourcesFile, sourcesPrefix } from './code-source.ts'
import { type Choice, type ChosenRef, chooseEnvironments } from './environment-choice.ts'
import { listEnvironmentMoves } from './environment-moves.ts'
import { type FrozenEnvironment, readFrozenEnvironments, writeFrozenEnvironments } from './frozen-environments.ts'
import { sourceIssues } from './source-issues.ts'
import { FollowedSource } from './source-polling.ts'
import type { SourceFetch, SourceStatus } from './source-status.ts'

/** Dependencies of a server's sources. */
export interface CodeSourcesParts {
  readonly store: GitPlace
  /** The repository `store`, for queries of refs. */
  readonly objects: Pick<GitObjectSource, 'listRefs'>
  /** Folder on the store's disk for incomplete fetches. */
  readonly incoming: string
  readonly frozenFile: string
  readonly files: Files
  /** Reads the sources file. Throws errors in the file. */
  read(): Promise<SourcesFile>
  now(): number
  /** Called at the end of each fetch. */
  fetched?(fetch: SourceFetch): void
  log(level: 'notice' | 'warning' | 'err', message: string): void
}

/** A current problem of a source, for the server's status. */
export interface SourceAlert {
  readonly severity: 'warning' | 'error'
  readonly message: string
}

/** Milliseconds after which a problem becomes an error. */
const lastingMs = 3_600_000

/**
 * The code sources of a server. Mirrors all sources into one repository, and selects the environments from their refs.
 * The branches of the repository are the environments, so other readers need not know the sources.
 */
export class CodeSources {
  readonly #parts: CodeSourcesParts
  readonly #slots = new Slots({ atOnce: budgets.environment.fetches.bound })
  readonly #followed = new Map<string, FollowedSource>()
  #file: SourcesFile
  #frozen: ReadonlyMap<string, FrozenEnvironment>
  #choice: Choice = { chosen: new Map(), held: new Set(), warnings: new Map() }
  /** Runs the selections of environments one after another. */
  readonly #selections = new Slots({ atOnce: 1 })
  #tidying: Promise<void> | undefined
  #said = new Set<string>()
  #moved: () => Promise<void> = async () => {}
  #begun = false
  #closed = false

  private constructor(parts: CodeSourcesParts, file: SourcesFile, frozen: ReadonlyMap<string, FrozenEnvironment>) {
    this.#parts = parts
    this.#file = file
    this.#frozen = frozen
    void this.#follow()
  }

  /**
   * Reads the sources file and the list of frozen environments. Throws SOURCES_FILE,
   * SOURCES_UNREADABLE, FROZEN_UNREADABLE.
   */
  static async open(parts: CodeSourcesParts): Promise<CodeSources> {
    const file = await parts.read()
    const sources = new CodeSources(parts, file, await readFrozenEnvironments(parts.frozenFile, parts.files))
    await removeAbandonedLocks(parts.store.gitDir)
    await parts.files.remove(parts.incoming)
    await sources.#settle()
    return sources
  }

  get names(): readonly string[] {
    return this.#file.sources.map(({ name }) => name)
  }

  get all(): readonly CodeSource[] {
    return this.#file.sources
  }

  get frozen(): readonly FrozenEnvironment[] {
    return [...this.#frozen.values()]
  }

  /** Reason for blocking all deployments. */
  get writeLock(): string | undefined {
    return this.#file.writeLock
  }

  get status(): readonly SourceStatus[] {
    return [...this.#followed.values()].map(({ status }) => ({
      ...status,
      warnings: [...status.warnings, ...(this.#choice.warnings.get(status.name) ?? [])],
      environments: Object.fromEntries(
        [...this.#choice.chosen]
          .filter(([, { source }]) => source === status.name)
          .map(([environment, { ref }]) => [environment, ref] as const)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
    }))
  }

  /** Warnings about the sources file. */
  get warnings(): readonly string[] {
    return this.#file.warnings
  }

  alerts(): readonly SourceAlert[] {
    return this.status.flatMap(({ name, trouble }) => {
      if (!trouble) return []
      const severity = this.#parts.now() - trouble.since > lastingMs ? 'error' : 'warning'
      const since = new Date(trouble.since).toISOString()
      return [
        { severity, message: toPrintable(`Fetches of source ${name} have failed since ${since}: ${trouble.message}`) },
      ]
    })
  }

  /** The repository in which servers with the same sources share deployments. */
  get deployed(): FollowedRemote | undefined {
    return this.#file.deployed
  }

  /**
   * Fetches sources that were never fetched, so that there is code to serve. Does not throw if a
   * source is unavailable.
   */
  async first(tell: (names: readonly string[]) => void): Promise<void> {
    const absent = await this.#neverFetched()
    if (absent.length === 0) return
    tell(absent)
    await this.#fetchAll(absent)
  }

  /** Starts the periodic fetches; `moved` is called whenever environments may have moved. */
  begin(moved: () => Promise<void>): void {
    this.#moved = moved
    this.#begun = true
    for (const each of this.#followed.values()) each.begin()
  }

  /**
   * Fetches sources by name, or all; resolves when the new code is served or rejected. Throws
   * UNKNOWN_SOURCE.
   */
  async fetch(names: readonly string[] = this.names): Promise<readonly SourceFetch[]> {
    this.require(names)
    const fetches = await this.#fetchAll(names)
    await this.#moved()
    return fetches
  }

  /** Checks that all these sources exist. Throws UNKNOWN_SOURCE. */
  require(names: readonly string[]): void {
    for (const name of names)
      if (!this.#followed.has(name)) throwIssue(sourceIssues.UNKNOWN_SOURCE, { name, known: this.names })
  }

  /** Fetches repositories on this machine, which takes little time. */
  async fetchLocal(): Promise<void> {
    const local = this.all.filter(({ remote }) => remote.protocol === 'file')
    if (local.length > 0) await this.fetch(local.map(({ name }) => name))
  }

  /** Returns the source of an environment. Throws NO_SOURCE_OF_ENVIRONMENT. */
  getSource(environment: string): string {
    return this.getRef(environment).source
  }

  /** Returns the name of the source of an environment; undefined if it has none. */
  findSource(environment: string): string | undefined {
    return this.#choice.chosen.get(environment)?.source
  }

  /** Returns the ref of an environment and its source. Throws NO_SOURCE_OF_ENVIRONMENT. */
  getRef(environment: string): ChosenRef {
    return (
      this.#choice.chosen.get(environment) ??
      throwIssue(sourceIssues.NO_SOURCE_OF_ENVIRONMENT, { environment, known: [...this.#choice.chosen.keys()] })
    )
  }

  /** Returns the environments of a branch of a source. */
  listEnvironments(source: string, branch: string): readonly string[] {
    const hasBranch = (each: ChosenRef) => each.source === source && each.ref === `heads/${branch}`
    return [...this.#choice.chosen].flatMap(([environment, each]) => (hasBranch(each) ? [environment] : []))
  }

  /** Returns the branch or tag of an environment, by its name in the source. */
  getBranch(environment: string): string | undefined {
    return this.#choice.chosen.get(environment)?.ref.replace(/^(?:heads|tags|commits)\//, '')
  }

  /** Keeps an environment on its commit, also after restarts. Throws NO_SOURCE_OF_ENVIRONMENT. */
  async freeze(frozen: FrozenEnvironment): Promise<void> {
    this.getSource(frozen.environment)
    await this.#setFrozen(new Map([...this.#frozen, [frozen.environment, frozen]]))
    const { environment, by, message } = frozen
    this.#parts.log('notice', toPrintable(`Environment ${environment} was frozen by ${by}: ${message}`))
  }

  /**
   * Unfreezes an environment; resolves when its code is served or rejected. `kept` is called after
   * the change is stored. Throws NOT_FROZEN.
   */
  async unfreeze({ environment, by }: Pick<FrozenEnvironment, 'environment' | 'by'>, kept: () => void): Promise<void> {
    if (!this.#frozen.has(environment)) throwIssue(sourceIssues.NOT_FROZEN, { environment })
    await this.#setFrozen(new Map([...this.#frozen].filter(([name]) => name !== environment)))
    kept()
    this.#parts.log('notice', toPrintable(`Environment ${environment} was unfrozen by ${by}`))
    await this.#settle()
    await this.#moved()
  }

  /**
   * Reads the sources file again, and returns a function that applies it. After an error in the file, nothing changes.
   */
  async prepare(): Promise<() => void> {
    const file = await this.#parts.read()
    return () => {
      this.#file = file
    }
  }

  /**
   * Starts, stops and updates the fetches according to the applied sources file, and selects the environments again.
   */
  async follow(): Promise<void> {
    await this.#follow()
    this.#said = new Set()
    await this.#settle()
  }

  /** Ends all fetches. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#followed.values()].map((each) => each.close()))
    await this.#selections.run(async () => {})
    await this.#tidying
  }

  /** Starts new sources and stops removed ones. */
  async #follow(): Promise<void> {
    const gone = [...this.#followed].filter(([name]) => !this.names.includes(name))
    for (const source of this.all) {
      const known = this.#followed.get(source.name)
      if (known) known.source = source
      else {
        const followed = this.#createFollowedSource(source)
        this.#followed.set(source.name, followed)
        if (this.#begun) followed.begin()
      }
    }
    for (const [name, followed] of gone) {
      this.#followed.delete(name)
      await followed.close()
    }
    for (const warning of this.warnings) this.#parts.log('warning', `Code sources: ${warning}`)
  }

  #createFollowedSource(source: CodeSource): FollowedSource {
    return new FollowedSource(source, {
      mirror: (source, signal) => this.#slots.run(() => this.#mirror(source, signal)),
      fetched: async ({ result }) => {
        if (result === 'failed') return
        await this.#settle()
        if (result === 'changed') await this.#moved()
      },
      ended: (fetch) => this.#parts.fetched?.(fetch),
      now: () => this.#parts.now(),
      log: (level, message) => this.#parts.log(level, toPrintable(message)),
    })
  }

  async #mirror(source: CodeSource, signal: AbortSignal): Promise<MirrorResult> {
    const { store, incoming } = this.#parts
    const commits = [...source.environments.values()].filter((ref) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref))
    const namesTags =
      source.environments.size > commits.length || source.refs?.some(({ kind }) => kind === 'tags') === true
    const mirrored = await mirrorRemote({
      ...{ store, commits, signal, tags: namesTags },
      incoming: join(incoming, `${source.name}.git`),
      prefix: getRefPrefix(source),
      remote: source.remote,
      access: source.access,
      timeoutMs: source.timeoutMs,
      maxBytes: source.maxBytes,
    })
    if (mirrored.changes.length > 0) this.#tidy()
    return mirrored
  }

  /** Runs Git's maintenance on the repository in the background; only one run at a time. */
  #tidy(): void {
    this.#tidying ??= runGitMaintenance(this.#parts.store)
      .catch((error) => this.#parts.log('warning', `Code repository: ${formatError(error)}`))
      .finally(() => {
        this.#tidying = undefined
      })
  }

  async #fetchAll(names: readonly string[]): Promise<readonly SourceFetch[]> {
    const fetches = await Promise.all(names.map((name) => this.#followed.get(name)!.fetch()))
    await this.#settle()
    return fetches
  }

  /** Returns the names of sources without any refs in the store. */
  async #neverFetched(): Promise<readonly string[]> {
    const refs = [...(await listRefsBelow(this.#parts.store, sourcesPrefix)).keys()]
    return this.names.filter((name) => !refs.some((ref) => ref.startsWith(`${name}/`)))
  }

  async #setFrozen(frozen: ReadonlyMap<string, FrozenEnvironment>): Promise<void> {
    await writeFrozenEnvironments(this.#parts.frozenFile, frozen, this.#parts.files)
    this.#frozen = frozen
  }

  /** Selects the environments again, and updates their branches. */
  #settle(): Promise<void> {
    return this.#selections.run(() => this.#settleOnce())
  }

  async #settleOnce(): Promise<void> {
    if (this.#closed) return
    const { store, objects } = this.#parts
    const { commits } = await objects.listRefs(sourcesPrefix)
    const choice = await chooseEnvironments(this.all, commits)
    const before = this.#choice.chosen
    this.#choice = choice
    const absent = await this.#neverFetched()
    const isKnownSource = (source = '') => this.#followed.has(source) && !absent.includes(source)
    const holds = {
      frozen: this.#frozen,
      isLocked: this.writeLock !== undefined,
      mayGo: (environment: string) => absent.length === 0 || isKnownSource(before.get(environment)?.source),
    }
    await moveRefs(store, listEnvironmentMoves(choice, await listRefsBelow(store, 'refs/heads/'), holds))
    if (absent.length === 0) await this.#forgetOthers()
    for (const [name, warnings] of choice.warnings)
      for (const warning of warnings) this.#sayOnce(`Source ${name}: ${warning}`)
  }

  /** Removes the refs of sources that no longer exist. */
  async #forgetOthers(): Promise<void> {
    const refs = [...(await listRefsBelow(this.#parts.store, sourcesPrefix)).keys()]
    const others = refs.filter((ref) => !this.#followed.has(ref.slice(0, ref.indexOf('/'))))
    await moveRefs(
      this.#parts.store,
      others.map((ref) => ({ ref: `${sourcesPrefix}${ref}`, to: undefined })),
    )
  }

  #sayOnce(warning: string): void {
    if (this.#said.has(warning)) return
    this.#said.add(warning)
    this.#parts.log('warning', toPrintable(warning))
  }
}
