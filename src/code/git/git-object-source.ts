import type { Content } from '../../base/bytes/content.ts'
import type { DigestRecipe } from '../../base/bytes/digest.ts'
import type { TreeLimits } from './tree-limits.ts'

/** A leaf of a commit's tree. */
export interface GitTreeEntry {
  /** UTF-8; other bytes become U+FFFD. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly oid: string
  /** Size in bytes; `undefined` if it is unknown without reading the blob. */
  readonly size: number | undefined
}

/** An entry of a folder of a commit. */
export interface GitChild {
  readonly mode: GitTreeEntry['mode'] | '040000'
  readonly oid: string
}

/** The refs with a prefix. */
export interface Refs {
  /** Commits by ref, tags peeled. */
  readonly commits: ReadonlyMap<string, string>
  /** Refs without a commit, with the reason. */
  readonly broken: ReadonlyMap<string, string>
  /** False if there are more refs than the limit. */
  readonly isWhole: boolean
}

/** Options of the listing of a tree. */
export interface ListTreeOptions {
  /** Limits; the default budgets if undefined. */
  readonly limits?: TreeLimits
  /** Ends the listing, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** Description of a commit: the first line of its message, and the author's name. */
export interface CommitWords {
  readonly subject: string
  readonly author: string
}

/** The commit that wrote a line of a file. */
export interface BlamedLine extends CommitWords {
  readonly commit: string
  /** Author time in seconds since 1970. */
  readonly time: number
}

/** A commit of a history, and its tree. */
export interface HistoryCommit {
  readonly commit: string
  readonly tree: string
}

/** Reads objects and refs of a repository. Results for commits and blobs never change; refs do. */
export interface GitObjectSource {
  /** The git directory. */
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  /**
   * Resolves a ref, a commit id, or an ancestor (`production~2`) to a commit, with tags peeled;
   * `undefined` if it is missing.
   */
  resolveRef(ref: string): Promise<string | undefined>
  /** Returns the refs with a prefix, such as `refs/heads/`. */
  listRefs(prefix: string): Promise<Refs>
  /**
   * Returns all files of a commit, sorted by path. Throws GIT_TREE_TOO_LARGE as soon as a limit is
   * exceeded.
   */
  listTree(commit: string, options?: ListTreeOptions): Promise<readonly GitTreeEntry[]>
  /**
   * Returns an entry of a folder by its name, and the folder's size in bytes. The folder is given
   * by its id, or by the commit's for the root. Throws GIT_OBJECT_TOO_LARGE for a folder larger
   * than `maxBytes`.
   */
  findChild(
    folder: string,
    name: string,
    options: { readonly maxBytes: number },
  ): Promise<{ readonly child: GitChild | undefined; readonly size: number }>
  /** Returns the committer time in seconds since 1970. Throws GIT_OBJECT_TOO_LARGE. */
  commitTime(commit: string): Promise<number>
  /** Returns the description of a commit. Throws as `commitTime` does. */
  commitWords(commit: string): Promise<CommitWords>
  /**
   * Returns the commits from one back to an older one, both included, following first parents: the
   * successive commits of a branch. `undefined` if the older commit is not reached. Throws
   * GIT_HISTORY_TOO_LONG.
   */
  firstParents(from: string, until: string): Promise<readonly HistoryCommit[] | undefined>
  /** Returns the common ancestor of two commits; `undefined` if there is none. */
  mergeBase(one: string, other: string): Promise<string | undefined>
  /**
   * Returns the commits that wrote the given lines (from 1) of a file; lines of unknown origin are
   * missing.
   */
  blame?(commit: string, path: string, lines: readonly number[]): Promise<ReadonlyMap<number, BlamedLine>>
  /**
   * Reads a blob. A `size` from a listing saves a query. Throws GIT_OBJECT_MISSING, and
   * GIT_OBJECT_TOO_LARGE above `maxBytes`.
   */
  readBlob(oid: string, options?: { maxBytes?: number; size?: number }): Promise<Buffer>
  /**
   * Opens a blob as a stream. A large blob is written to a file once and read from there; a small
   * one is read whole. Throws GIT_NOT_SPOOLED if the disk is full.
   */
  openBlob(oid: string): Promise<{ size: number; content: Content }>
  /** Returns the hex digest of a blob; a thread reads large blobs in parts. Throws GIT_OBJECT_MISSING. */
  digestBlob(oid: string, recipe: DigestRecipe): Promise<string>
  /** Protects a commit from pruning while agents may request its files: `refs/plumb/served/<sha>`. */
  pin(commit: string): Promise<void>
  unpin(commit: string): Promise<void>
  /**
   * Records the commit of an environment in `refs/plumb/environment/<name>`; `undefined` deletes
   * the record.
   */
  noteServed(environment: string, commit: string | undefined): Promise<void>
  /** Milliseconds since 1970 at which `noteServed` recorded an environment's commit; `undefined` if unknown. */
  servedSince?(environment: string): Promise<number | undefined>
  close(): Promise<void>
}
