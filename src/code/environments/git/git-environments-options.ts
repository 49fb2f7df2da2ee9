import type { Settings } from '../../../machine/settings/settings.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import type { GitTreeSnapshot } from '../environment-snapshot.ts'
import type { AheadProgress, Environment } from '../environments.ts'
import type { HeldCommit } from './assigned-commits.ts'
import type { BranchDeployer } from './branch-deployer.ts'
import type { ServedChange } from './deployment-log.ts'

/** A new branch, or one with a new commit. */
export interface BranchMove {
  readonly environment: string
  readonly ref: string
  /** The commit that is served now or was served before a restart. */
  readonly old: string | undefined
  readonly new: string
}

/** Settings, limits and callbacks of a served repository. */
export interface GitEnvironmentsOptions {
  readonly source: GitObjectSource
  readonly settings: Settings
  /** Milliseconds between checks for moved refs; 0 disables the checks. */
  readonly interval?: number
  /** Milliseconds for which a commit stays pinned after it was last served. */
  readonly pinnedFor?: number
  /**
   * Throws an error if code that was never served must be rejected. Only the differences from `served` need to be
   * checked.
   */
  readonly check?: (code: GitTreeSnapshot, served: GitTreeSnapshot | undefined) => Promise<void>
  /** Adds the modules of Puppetfiles to served commits; without it, Puppetfiles are ignored. */
  readonly deployer?: BranchDeployer | undefined
  /** Throws an error if a branch's new commit must be rejected; throws GATE_WAITS while the check is running. */
  readonly gate?: (move: BranchMove) => Promise<void>
  /**
   * Called and awaited before a branch's new commit is served, so that it can first be decided which nodes receive
   * it. The commit is not served if this throws.
   */
  readonly moving?:
    | ((move: BranchMove, next: Environment, before: Environment | undefined) => Promise<void>)
    | undefined
  /**
   * Returns the commits that a node may receive, in the order of preference: this server may not have the newest one
   * yet. `undefined` for the served commit.
   */
  readonly assigned?: ((environment: string, node: string) => Promise<readonly string[] | undefined>) | undefined
  /** Returns the commits that nodes may receive besides the served ones; they stay loaded and pinned. */
  readonly held?: (() => readonly HeldCommit[]) | undefined
  /** Called for each change of a served commit, for an audit log. */
  readonly changed?: ((change: ServedChange) => void) | undefined
  /** Fetches a commit missing in the repository, if a source has it. */
  readonly lacking?: ((commit: string) => Promise<void>) | undefined
  /** Called after a commit was unpinned. */
  readonly unpinned?: ((commit: string) => void) | undefined
  /** Returns the commits that are referenced elsewhere, such as in stored catalogs; they stay pinned. */
  readonly named?: (commits: readonly string[]) => Promise<ReadonlySet<string>>
  /** Returns the progress of compiling an environment's catalogs in advance. */
  readonly ahead?: ((environment: string) => AheadProgress | undefined) | undefined
  /** Returns warnings about which nodes receive the served commit, for the status. */
  readonly assignmentWarnings?: ((environment: string) => readonly string[]) | undefined
  /** Logs newly served and rejected commits. */
  readonly log?: (level: 'notice' | 'warning' | 'err', message: string) => void
}
