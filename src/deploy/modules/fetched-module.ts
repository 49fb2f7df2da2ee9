import type { GitPlace } from '../../code/git/git-command.ts'
import type { DeclaredModule } from '../puppetfile/declared-module.ts'

/** A module as a tree of the object store. */
export interface FetchedModule {
  readonly module: DeclaredModule
  /** The id of its tree. */
  readonly tree: string
  /** The commit, the version of the Forge, or the digest of an archive that it came to. */
  readonly resolved: string
  /** The SHA-256 digest of the archive that it came as, where it came as one. */
  readonly sha256?: string | undefined
}

/** A module's line in a Puppetfile.lock: what a Puppetfile's words came to. */
export interface LockedModule {
  readonly title: string
  readonly resolved: string
  readonly tree: string
}

/** Options of one fetch. */
export interface FetchRequest {
  /** The branch of the control repository, for `:control_branch`. */
  readonly branch: string
  /** The commit of the control repository, for modules that are content of its own (`:local`). */
  readonly commit?: string | undefined
  /** The module's line in a lock: just that is fetched. */
  readonly locked?: LockedModule | undefined
  /**
   * A moment of `performance.now()`: a host that was asked since then is not asked again for what may move. Who deploys many
   * environments at once names the beginning of that; without it each call asks.
   */
  readonly freshSince?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Fetches modules into the object store of a repository, each remote once for all environments. */
export interface ModuleFetcher {
  /** The repository that has the trees. */
  readonly place: GitPlace
  /** Throws what is wrong with the module, its place or its content, with the module's name and line. */
  fetch(module: DeclaredModule, request: FetchRequest): Promise<FetchedModule>
}
