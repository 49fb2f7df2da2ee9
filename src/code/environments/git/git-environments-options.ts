import type { Settings } from '../../../machine/settings/settings.ts'
import type { GitObjectSource } from '../../git/git-object-source.ts'
import type { GitTreeSnapshot } from '../environment-snapshot.ts'
import type { AheadProgress } from '../environments.ts'
import type { BranchDeployer } from './branch-deployer.ts'
import type { ServedChange } from './served-change.ts'

/** A branch that moved, or that is new. */
export interface BranchMove {
  readonly environment: string
  readonly ref: string
  /** The commit that is served, or was before a restart. */
  readonly old: string | undefined
  readonly new: string
}

/** Settings, limits and voices of a served repository. */
export interface GitEnvironmentsOptions {
  readonly source: GitObjectSource
  readonly settings: Settings
  /** Milliseconds between looks for moved refs; 0 never looks by itself. */
  readonly interval?: number
  /** Milliseconds that a commit stays pinned after it was served last. */
  readonly pinnedFor?: number
  /** Throws what keeps code from being served that never was; of what an environment has, only the changes need a look. */
  readonly check?: (code: GitTreeSnapshot, served: GitTreeSnapshot | undefined) => Promise<void>
  /** Puts the modules of Puppetfiles into what is served; without it they are not read. */
  readonly deployer?: BranchDeployer | undefined
  /** Throws what keeps a commit from being served to which a branch has moved; GATE_WAITS while that is not known. */
  readonly gate?: (move: BranchMove) => Promise<void>
  /** Told of each change of what is served, for an audit. */
  readonly changed?: ((change: ServedChange) => void) | undefined
  /** Fetches a commit that the repository lacks, where it can be had. */
  readonly lacking?: ((commit: string) => Promise<void>) | undefined
  /** Told of a commit that is kept no more. */
  readonly unpinned?: ((commit: string) => void) | undefined
  /** Those of some commits that are named by what is kept elsewhere, such as catalogs: they stay pinned. */
  readonly named?: (commits: readonly string[]) => Promise<ReadonlySet<string>>
  /** The progress of compiling an environment's nodes ahead. */
  readonly ahead?: ((environment: string) => AheadProgress | undefined) | undefined
  /** Told of what is served anew and what is refused. */
  readonly log?: (level: 'notice' | 'warning' | 'err', message: string) => void
}
