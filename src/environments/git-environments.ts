import { inOneLine, PuppetError } from '../base/issue.ts'
import type { ThreadBridge } from '../base/thread-bridge.ts'
import { findBlob } from '../git/find-blob.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import { isOid, pinPrefix } from '../git/names.ts'
import type { Settings } from '../settings/settings.ts'
import { openBlobBridge } from './blob-bridge.ts'
import { describeEnvironment } from './describe-environment.ts'
import { environmentOfBranch, isEnvironmentName } from './environment-name.ts'
import { type SnapshotOpener, snapshotOpener } from './environment-snapshot.ts'
import type { Environment, EnvironmentStatus, Environments, OpenFile } from './environments.ts'
import { GitLoader } from './git-loader.ts'
import { serveEnvironment } from './served-environment.ts'

/** What serving a repository needs besides it. */
export interface GitEnvironmentsOptions {
  readonly source: GitObjectSource
  readonly settings: Settings
  /** Milliseconds between looks for moved refs; 0 never looks by itself. */
  readonly interval?: number
  /** Milliseconds that a commit stays pinned after it was served last. */
  readonly pinnedFor?: number
  /** Told of what is served anew and what is refused. */
  readonly log?: (level: 'notice' | 'warning' | 'err', message: string) => void
}

const branches = 'refs/heads/'
/** Agents apply a cached catalog for as long as they cannot reach a server: a month covers what is usual. */
const oneMonth = 30 * 24 * 3600 * 1000
const oneHour = 3600 * 1000

/**
 * The branches of a repository as environments; each is loaded aside and then served from one moment to the next. It
 * answers once every branch that can be loaded is.
 */
export async function openGitEnvironments(options: GitEnvironmentsOptions): Promise<Environments> {
  const environments = new GitEnvironments(options)
  await environments.refresh()
  environments.watch()
  return environments
}

/** What is known of one environment. */
interface Served {
  readonly ref: string
  readonly environment: Environment | undefined
  readonly since: number | undefined
  readonly refused: EnvironmentStatus['refused']
  readonly warnings: readonly string[]
}

class GitEnvironments implements Environments {
  readonly #options: GitEnvironmentsOptions
  readonly #source: GitObjectSource
  readonly #loader: GitLoader
  readonly #opener: SnapshotOpener = snapshotOpener()
  #served: ReadonlyMap<string, Served> = new Map()
  /** When a commit that is pinned was served last. */
  readonly #pins = new Map<string, number>()
  #unpinned = 0
  #refreshing: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined
  /** What was wrong at the last look; said once. */
  #trouble: string | undefined
  #closed = false

  constructor(options: GitEnvironmentsOptions) {
    this.#options = options
    this.#source = options.source
    this.#loader = new GitLoader(options.source)
  }

  async list(): Promise<readonly string[]> {
    return [...this.#served].flatMap(([name, { environment }]) => (environment ? [name] : [])).sort()
  }

  async get(name: string): Promise<Environment | undefined> {
    return this.#served.get(name)?.environment
  }

  async openFile(name: string, codeId: string, path: string): Promise<OpenFile | undefined> {
    if (!isEnvironmentName(name) || !isOid(codeId) || !isPlainPath(path)) return undefined
    const served = this.#served.get(name)?.environment
    if (served?.codeId === codeId) return served.openFile(path)
    if ((await this.#source.resolveRef(codeId)) !== codeId) return undefined
    const oid = await findBlob(this.#source, codeId, path)
    return oid === undefined ? undefined : this.#source.openBlob(oid)
  }

  async status(): Promise<readonly EnvironmentStatus[]> {
    return [...this.#served]
      .map(([name, { ref, environment, since, refused, warnings }]) => ({
        name,
        ref,
        commit: environment?.codeId,
        since,
        refused,
        warnings: [...warnings, ...(environment?.warnings ?? [])],
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** A look that is asked for while one is under way comes after it: that one may have missed what is asked about. */
  async refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#again = true
      return this.#refreshing
    }
    this.#refreshing = this.#refreshUntilQuiet()
    return this.#refreshing
  }

  bridge(): ThreadBridge {
    return openBlobBridge((oid, limit) => this.#source.readBlob(oid, limit))
  }

  /** Looks for moved refs from now on. */
  watch(): void {
    const interval = this.#options.interval ?? 700
    if (interval <= 0 || this.#closed) return
    this.#timer = setTimeout(async () => {
      const trouble = await this.refresh().then(
        () => undefined,
        (error: unknown) => `Could not read the refs of ${this.#source.path}: ${wordsOf(error)}`,
      )
      if (trouble !== undefined && trouble !== this.#trouble) this.#log('err', trouble)
      this.#trouble = trouble
      this.watch()
    }, interval)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#refreshing?.catch(() => {})
    await this.#source.close()
  }

  async #refreshUntilQuiet(): Promise<void> {
    try {
      do {
        this.#again = false
        await this.#refreshOnce()
      } while (this.#again && !this.#closed)
    } finally {
      // In the same moment as the last look at #again: who asks from now on starts a look of their own.
      this.#refreshing = undefined
    }
  }

  async #refreshOnce(): Promise<void> {
    const refs = await this.#source.listRefs(branches)
    const chosen = this.#choose(refs)
    for (const [name, { ref, commit, collision }] of chosen) {
      const before = this.#served.get(name)
      if (!this.#isNews(before, ref, commit, collision)) continue
      this.#put(name, await this.#next(name, ref, commit, before, collision))
    }
    for (const [name, { ref }] of this.#served)
      if (!chosen.has(name)) {
        this.#put(name, undefined)
        this.#log('notice', `Environment ${name} is no longer served: ${ref} is gone`)
      }
    this.#loader.keepOnly([...this.#served.values()].flatMap(({ environment }) => environment?.codeId ?? []))
    await this.#keepPins()
  }

  /** Which branch each environment is of: where two would be the same, the one that is served, else the first by name. */
  #choose(refs: ReadonlyMap<string, string>): Map<string, { ref: string; commit: string; collision: string[] }> {
    const chosen = new Map<string, { ref: string; commit: string; collision: string[] }>()
    for (const [ref, commit] of [...refs].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const name = environmentOfBranch(ref.slice(branches.length))
      const other = chosen.get(name)
      if (!other) chosen.set(name, { ref, commit, collision: [] })
      else if (this.#served.get(name)?.environment && this.#served.get(name)?.ref === ref)
        chosen.set(name, { ref, commit, collision: [...other.collision, other.ref] })
      else other.collision.push(ref)
    }
    return chosen
  }

  #isNews(before: Served | undefined, ref: string, commit: string, collision: readonly string[]): boolean {
    if (!before || before.ref !== ref) return true
    if (before.warnings.join() !== warningsAbout(ref, collision).join()) return true
    return before.refused ? before.refused.commit !== commit : before.environment?.codeId !== commit
  }

  /** What becomes of an environment whose ref moved: its new code, or the old and the reason. */
  async #next(
    name: string,
    ref: string,
    commit: string,
    before: Served | undefined,
    collision: readonly string[],
  ): Promise<Served> {
    const warnings = warningsAbout(ref, collision)
    try {
      const environment = before?.environment?.codeId === commit ? before.environment : await this.#load(name, commit)
      await this.#pin(commit)
      if (environment !== before?.environment) this.#log('notice', `Environment ${name} is now at ${commit}`)
      for (const warning of [...warnings, ...environment.warnings]) this.#log('warning', warning)
      const since = environment === before?.environment ? before.since : Date.now()
      return { ref, environment, since, refused: undefined, warnings }
    } catch (error) {
      const reason = wordsOf(error)
      const stays = before?.environment ? `; ${before.environment.codeId} is still served` : ''
      this.#log('err', `Environment ${name} cannot be served at ${commit}: ${reason}${stays}`)
      const { environment, since } = before ?? {}
      return { ref, environment, since, refused: { commit, reason }, warnings }
    }
  }

  async #load(name: string, commit: string): Promise<Environment> {
    const { submodules, ...tree } = await this.#loader.load(commit)
    const { settings } = this.#options
    const root = `${settings.environmentpath[0] ?? settings.codedir}/${name}`
    await this.#opener.prepareTree({ ...tree, root })
    const described = await describeEnvironment(name, { ...tree, root }, settings, this.#opener)
    const warnings = submodules.map((path) => `The submodule ${path} of environment ${name} is not served`)
    return serveEnvironment(
      { ...described, warnings: [...described.warnings, ...warnings] },
      this.#opener,
      this.#source,
    )
  }

  /** From one moment to the next: who asks gets the map from before or the map from after. */
  #put(name: string, served: Served | undefined): void {
    const next = new Map(this.#served)
    if (served) next.set(name, served)
    else next.delete(name)
    this.#served = next
  }

  /** A repository that we may only read is served all the same. */
  async #pin(commit: string): Promise<void> {
    try {
      if (!this.#pins.has(commit)) await this.#source.pin(commit)
    } catch (error) {
      this.#log('warning', `Commit ${commit} may be pruned while it is served: ${wordsOf(error)}`)
    }
    this.#pins.set(commit, Date.now())
  }

  /** Lets go of commits that no environment has had for long; once an hour. */
  async #keepPins(): Promise<void> {
    const now = Date.now()
    if (now - this.#unpinned < oneHour) return
    this.#unpinned = now
    const served = new Set([...this.#served.values()].map(({ environment }) => environment?.codeId))
    for (const commit of (await this.#source.listRefs(pinPrefix)).values()) {
      const last = served.has(commit) ? now : (this.#pins.get(commit) ?? now)
      this.#pins.set(commit, last)
      if (served.has(commit) || now - last <= (this.#options.pinnedFor ?? oneMonth)) continue
      await this.#unpin(commit)
    }
  }

  /** Where another holds a lock, or we may only read, the pin stays, and all else goes on. */
  async #unpin(commit: string): Promise<void> {
    try {
      await this.#source.unpin(commit)
      this.#pins.delete(commit)
    } catch (error) {
      this.#log('warning', `Commit ${commit} stays pinned although it is no longer served: ${wordsOf(error)}`)
    }
  }

  #log(level: 'notice' | 'warning' | 'err', message: string): void {
    this.#options.log?.(level, message)
  }
}

function isPlainPath(path: string): boolean {
  return !path.split('/').some((part) => part === '' || part === '.' || part === '..')
}

function warningsAbout(ref: string, collision: readonly string[]): string[] {
  const branch = ref.slice(branches.length)
  const name = environmentOfBranch(branch)
  const renamed = name === branch ? [] : [`The branch ${branch} is served as environment ${name}`]
  return [...renamed, ...collision.map((other) => `${other} cannot be served: environment ${name} is ${ref} already`)]
}

function wordsOf(error: unknown): string {
  if (error instanceof PuppetError) return inOneLine(error.diagnostic)
  return error instanceof Error ? error.message : String(error)
}
