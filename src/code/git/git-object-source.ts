import type { Content } from '../../base/bytes/content.ts'
import type { DigestRecipe } from '../../base/bytes/digest.ts'
import type { TreeLimits } from './trees/tree-limits.ts'

/** A file, link or submodule in a commit's tree. */
export interface GitTreeEntry {
  /** Path, decoded as UTF-8; invalid bytes become U+FFFD. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly oid: string
  /** Size in bytes; `undefined` if it is unknown without reading the blob. */
  readonly size: number | undefined
}

/** An entry of a folder in a commit. */
export interface GitChild {
  readonly mode: GitTreeEntry['mode'] | '040000'
  readonly oid: string
}

/** Result of listing the refs with a prefix. */
export interface Refs {
  /** Commit id by ref; a tag is resolved to its commit. */
  readonly commits: ReadonlyMap<string, string>
  /** Refs that do not lead to a commit, with the reason. */
  readonly broken: ReadonlyMap<string, string>
  /** False if the list is incomplete, because there are more refs than the limit. */
  readonly isWhole: boolean
}

/** Options for listing a tree. */
export interface ListTreeOptions {
  /** Limits; the default budgets if undefined. */
  readonly limits?: TreeLimits
  /** Stops the listing when aborted; the listing then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** Description of a commit: the first line of its message, and the author's name. */
export interface CommitSummary {
  readonly subject: string
  readonly author: string
}

/** The commit that wrote a line of a file. */
export interface BlamedLine extends CommitSummary {
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
  /** Path of the git directory. */
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  /**
   * Resolves a ref, a commit id, or an ancestor (`production~2`) to a commit id. Tags are resolved
   * to their commits. `undefined` if the commit is missing.
   */
  resolveRef(ref: string): Promise<string | undefined>
  /** Returns the refs with a prefix, such as `refs/heads/`. */
  listRefs(prefix: string): Promise<Refs>
  /** Returns all files of a commit, sorted by path. Throws GIT_TREE_TOO_LARGE when a limit is exceeded. */
  listTree(commit: string, options?: ListTreeOptions): Promise<readonly GitTreeEntry[]>
  /**
   * Finds an entry of a folder by name; returns the entry and the folder's size in bytes.
   * `child` is `undefined` if the name is missing. The folder is identified by its id; the root may also be
   * identified by the commit's id. Throws GIT_OBJECT_TOO_LARGE for a folder larger than `maxBytes`.
   */
  findChild(
    folder: string,
    name: string,
    options: { readonly maxBytes: number },
  ): Promise<{ readonly child: GitChild | undefined; readonly size: number }>
  /** Returns the committer time in seconds since 1970. Throws GIT_OBJECT_TOO_LARGE. */
  commitTime(commit: string): Promise<number>
  /** Returns the description of a commit. Throws the same errors as `commitTime`. */
  commitWords(commit: string): Promise<CommitSummary>
  /**
   * Returns the commits from `from` back to the older commit `until`, both included, following
   * first parents: the successive commits of a branch. `undefined` if `until` is not reached.
   * Throws GIT_HISTORY_TOO_LONG.
   */
  firstParents(from: string, until: string): Promise<readonly HistoryCommit[] | undefined>
  /** Returns the common ancestor of two commits; `undefined` if there is none. */
  mergeBase(one: string, other: string): Promise<string | undefined>
  /**
   * Returns the commits that wrote the given lines (counted from 1) of a file. Lines whose commit
   * is unknown are omitted.
   */
  blame?(commit: string, path: string, lines: readonly number[]): Promise<ReadonlyMap<number, BlamedLine>>
  /**
   * Reads a blob. If `size` is known from a listing, one query is saved. Throws GIT_OBJECT_MISSING,
   * and GIT_OBJECT_TOO_LARGE for a blob larger than `maxBytes`.
   */
  readBlob(oid: string, options?: { maxBytes?: number; size?: number }): Promise<Buffer>
  /**
   * Opens a blob as a stream. A large blob is written to a file once and streamed from the file; a
   * small blob is read into memory. Throws GIT_NOT_SPOOLED if the disk is full.
   */
  openBlob(oid: string): Promise<{ size: number; content: Content }>
  /** Returns the hex digest of a blob; a thread reads large blobs in parts. Throws GIT_OBJECT_MISSING. */
  digestBlob(oid: string, recipe: DigestRecipe): Promise<string>
  /** Protects a commit from pruning with the ref `refs/plumb/served/<sha>`, while agents may request its files. */
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
