import type { Glob } from '../../base/text/glob.ts'
import type { ForeignPattern, LinearPattern } from '../../base/text/linear-pattern.ts'
import type { Remote } from '../../code/git/remotes/remote.ts'
import type { RemoteAccess } from '../../code/git/remotes/remote-access.ts'

/** A pattern of refs: of branches by their names, of tags by `tags/NAME`; one with `!` before it takes refs out. */
export interface RefPattern {
  readonly kind: 'heads' | 'tags'
  readonly glob: Glob
  readonly isExcluding: boolean
}

/** A repository elsewhere, and how it is fetched from. */
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
  /** The beginning of each environment's name, with the `_` that ends it; empty for none. */
  readonly prefix: string
  /** Beginnings of branches that become no environment. */
  readonly ignoredPrefixes: readonly string[]
  /** The treatment of branches whose names no environment can have. */
  readonly invalidBranches: 'correct' | 'correct_and_warn' | 'error'
  /** The part of a branch that its environment's name goes without: its beginning, or all that a pattern matches. */
  readonly stripped: string | ForeignPattern | undefined
  /** Branches that do not match become no environment. */
  readonly filter: LinearPattern | undefined
  /** The refs that become environments; `undefined` for all branches. */
  readonly refs: readonly RefPattern[] | undefined
  /** Environments by name, each with its branch, tag or commit. */
  readonly environments: ReadonlyMap<string, string>
  /** A file with the secret of the Git host's webhooks. */
  readonly webhookSecretFile: string | undefined
}

/** The Forge that r10k.yaml names, for modules of a Puppetfile. */
export interface ForgeAccess {
  readonly baseurl: string | undefined
  readonly proxy: string | undefined
  readonly authorizationToken: string | undefined
}

/** All that a file of sources says. */
export interface SourcesFile {
  /** In the order of the file, which decides between two of the same environment. */
  readonly sources: readonly CodeSource[]
  /** The repository in which servers of the same sources share what they deployed; `undefined` for a server that is alone. */
  readonly deployed: FollowedRemote | undefined
  /** The reason for which no environment moves, as `deploy.write_lock` of r10k.yaml gives it. */
  readonly writeLock: string | undefined
  readonly forge: ForgeAccess
  readonly warnings: readonly string[]
}

/** The prefix of the refs of all sources in the store. */
export const sourcesPrefix = 'refs/plumb/sources/'

/** The prefix of the refs of one source. */
export function prefixOf({ name }: Pick<CodeSource, 'name'>): string {
  return `${sourcesPrefix}${name}/`
}
