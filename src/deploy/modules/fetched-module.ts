import type { GitPlace } from '../../code/git/git-command.ts'
import type { DeclaredModule } from '../puppetfile/module-declaration.ts'

/** A module as a tree in the object store. */
export interface FetchedModule {
  readonly module: DeclaredModule
  /** Id of the module's tree. */
  readonly tree: string
  /** The resolved commit, Forge version, or archive digest. */
  readonly resolved: string
  /** SHA-256 of the archive, for a module from an archive. */
  readonly sha256?: string | undefined
}

/** A module's line in a Puppetfile.lock: the resolved version of a Puppetfile entry. */
export interface LockedModule {
  readonly title: string
  readonly resolved: string
  readonly tree: string
}

/** Options for one fetch. */
export interface FetchRequest {
  /** Branch of the control repository, for `:control_branch`. */
  readonly branch: string
  /** Commit of the control repository, for modules inside it (`:local`). */
  readonly commit?: string | undefined
  /** The module's locked version, which is fetched exactly. */
  readonly locked?: LockedModule | undefined
  /**
   * A time of `performance.now()`. Refs that may move are not requested again from a host that was
   * queried later than this. A caller that deploys many environments passes the start of the
   * deployment; if undefined, each call queries the host.
   */
  readonly freshSince?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Fetches modules into the object store of a repository, each remote once for all environments. */
export interface ModuleFetcher {
  /** The repository that stores the trees. */
  readonly place: GitPlace
  /** Fetches a module. Throws errors with the module's name and line. */
  fetch(module: DeclaredModule, request: FetchRequest): Promise<FetchedModule>
}
