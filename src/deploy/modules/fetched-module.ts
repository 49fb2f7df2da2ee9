import type { GitPlace } from '../../git/git-command.ts'
import type { DeclaredModule } from '../puppetfile/declared-module.ts'

/** A module as a tree of the object store. */
export interface FetchedModule {
  readonly module: DeclaredModule
  /** The id of its tree. */
  readonly tree: string
  /** The commit, the version of the Forge, or the digest of an archive that it came to. */
  readonly resolved: string
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
  /** What a lock says of the module: just that is fetched. */
  readonly locked?: LockedModule | undefined
  readonly signal?: AbortSignal | undefined
}

/** Fetches modules into the object store of a repository, each remote once for all environments. */
export interface ModuleFetcher {
  /** The repository that has the trees. */
  readonly place: GitPlace
  /** Throws what is wrong with the module, its place or its content, with the module's name and line. */
  fetch(module: DeclaredModule, request: FetchRequest): Promise<FetchedModule>
}
