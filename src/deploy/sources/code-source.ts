import type { Glob } from '../../base/text/glob.ts'
import type { ForeignPattern, LinearPattern } from '../../base/text/linear-pattern.ts'
import type { Remote } from '../../code/git/remotes/remote.ts'
import type { RemoteAccess } from '../../code/git/remotes/remote-access.ts'
import type { ReviewAccess } from './review-access.ts'

/** A pattern for refs: branches by name, tags by `tags/NAME`; a leading `!` excludes refs. */
export interface RefPattern {
  readonly kind: 'heads' | 'tags'
  readonly glob: Glob
  readonly isExcluding: boolean
}

/** A remote repository with access options. */
export interface FollowedRemote {
  readonly remote: Remote
  readonly access: RemoteAccess
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** A repository whose refs become environments. */
export interface CodeSource extends FollowedRemote {
  readonly name: string
  /** Prefix of environment names, including the final `_`; empty for none. */
  readonly prefix: string
  /** Prefixes of branches to ignore. */
  readonly ignoredPrefixes: readonly string[]
  /** Treatment of branches whose names are not valid environment names. */
  readonly invalidBranches: 'correct' | 'correct_and_warn' | 'error'
  /** The part of a branch name to remove: a prefix, or all matches of a pattern. */
  readonly stripped: string | ForeignPattern | undefined
  /** Pattern for branches: only branches that match it become environments. */
  readonly filter: LinearPattern | undefined
  /** Refs that become environments; `undefined` for all branches. */
  readonly refs: readonly RefPattern[] | undefined
  /** Explicit environments by name, with branch, tag or commit. */
  readonly environments: ReadonlyMap<string, string>
  /** File with the webhook secret of the Git host. */
  readonly webhookSecretFile: string | undefined
  /** Merge requests on the Git host; undefined if the server neither comments on them nor reads approvals. */
  readonly review: ReviewAccess | undefined
}

/** The Forge in r10k.yaml, for modules of a Puppetfile. */
export interface ForgeAccess {
  readonly baseurl: string | undefined
  readonly proxy: string | undefined
  readonly authorizationToken: string | undefined
}

/** A parsed sources file. */
export interface SourcesFile {
  /** Sources in the order of the file, which decides conflicts about an environment. */
  readonly sources: readonly CodeSource[]
  /** The repository in which servers share deployments; `undefined` for a single server. */
  readonly deployed: FollowedRemote | undefined
  /** Reason for blocking all deployments, from `deploy.write_lock` in r10k.yaml. */
  readonly writeLock: string | undefined
  readonly forge: ForgeAccess
  readonly warnings: readonly string[]
}

/** Prefix of the refs of all sources in the store. */
export const sourcesPrefix = 'refs/plumb/sources/'

/** Returns the prefix of the refs of one source. */
export function getRefPrefix({ name }: Pick<CodeSource, 'name'>): string {
  return `${sourcesPrefix}${name}/`
}
