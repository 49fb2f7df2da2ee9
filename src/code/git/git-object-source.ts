import type { Content } from '../../base/bytes/content.ts'
import type { DigestRecipe } from '../../base/bytes/digest.ts'
import type { TreeLimits } from './tree-limits.ts'

/** One leaf of a commit's tree. */
export interface GitTreeEntry {
  /** UTF-8; bytes that are no UTF-8 stand as U+FFFD. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly oid: string
  /** Bytes; `undefined` where only reading the blob would tell. */
  readonly size: number | undefined
}

/** An entry of a folder of a commit. */
export interface GitChild {
  readonly mode: GitTreeEntry['mode'] | '040000'
  readonly oid: string
}

/** Refs below a prefix. */
export interface Refs {
  /** The commits that refs stand for, tags peeled. */
  readonly commits: ReadonlyMap<string, string>
  /** Refs that stand for no commit, each with the reason. */
  readonly broken: ReadonlyMap<string, string>
  /** False when there are more refs than are looked at. */
  readonly isWhole: boolean
}

/** Options of the listing of a tree. */
export interface ListTreeOptions {
  /** The bounds of the table if not given. */
  readonly limits?: TreeLimits
  /** Ends the listing, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** A commit for people: the first line of its message, and the author's name. */
export interface CommitWords {
  readonly subject: string
  readonly author: string
}

/** The commit that a line of a file came with. */
export interface BlamedLine extends CommitWords {
  readonly commit: string
  /** Seconds since 1970 of the author. */
  readonly time: number
}

/** A commit of a history, and the tree that it has. */
export interface HistoryCommit {
  readonly commit: string
  readonly tree: string
}

/** Reads a repository's objects and refs. Answers about commits and blobs never change; only refs do. */
export interface GitObjectSource {
  /** The git directory. */
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  /** The commit that a ref or a commit's id stands for, tags peeled, or an ancestor (`production~2`); `undefined` when there is none. */
  resolveRef(ref: string): Promise<string | undefined>
  /** Refs below a prefix, such as `refs/heads/`. */
  listRefs(prefix: string): Promise<Refs>
  /** Every file of a commit, sorted by path. Throws GIT_TREE_TOO_LARGE beyond the limits, without reading on. */
  listTree(commit: string, options?: ListTreeOptions): Promise<readonly GitTreeEntry[]>
  /**
   * The entry of a folder by its name, and the bytes of the folder: by its own id, or by a commit's for the topmost folder.
   * Throws GIT_OBJECT_TOO_LARGE for a folder beyond `maxBytes`.
   */
  findChild(
    folder: string,
    name: string,
    options: { readonly maxBytes: number },
  ): Promise<{ readonly child: GitChild | undefined; readonly size: number }>
  /** Seconds since 1970 of the committer. Throws GIT_OBJECT_TOO_LARGE. */
  commitTime(commit: string): Promise<number>
  /** The words of a commit for people. Throws as `commitTime` does. */
  commitWords(commit: string): Promise<CommitWords>
  /**
   * The commits from one back to an older one, both included, by first parents: what a branch had, one after the other.
   * `undefined` where that way does not lead there. Throws GIT_HISTORY_TOO_LONG.
   */
  firstParents(from: string, until: string): Promise<readonly HistoryCommit[] | undefined>
  /** The commit from which two histories go apart; `undefined` where they have nothing in common. */
  mergeBase(one: string, other: string): Promise<string | undefined>
  /** The commits that lines of a file (from 1) came with, as the commit has them; absent where nobody can tell. */
  blame?(commit: string, path: string, lines: readonly number[]): Promise<ReadonlyMap<number, BlamedLine>>
  /** Throws GIT_OBJECT_MISSING, or GIT_OBJECT_TOO_LARGE beyond `maxBytes`. A `size` from a listing saves asking for it. */
  readBlob(oid: string, options?: { maxBytes?: number; size?: number }): Promise<Buffer>
  /**
   * A large blob is written to a file once and read from there, at the reader's pace; a small one is read whole.
   * Throws GIT_NOT_SPOOLED where there is no room for the file.
   */
  openBlob(oid: string): Promise<{ size: number; content: Content }>
  /** Hex digest of a blob; a large one is read in parts by a thread. Throws GIT_OBJECT_MISSING. */
  digestBlob(oid: string, recipe: DigestRecipe): Promise<string>
  /** Keeps a commit from being pruned while agents may ask for it: `refs/plumb/served/<sha>`. */
  pin(commit: string): Promise<void>
  unpin(commit: string): Promise<void>
  /** Notes what an environment has: `refs/plumb/environment/<name>`; `undefined` takes the note away. */
  noteServed(environment: string, commit: string | undefined): Promise<void>
  /** Milliseconds since 1970 at which `noteServed` recorded an environment's commit; `undefined` if unknown. */
  servedSince?(environment: string): Promise<number | undefined>
  close(): Promise<void>
}
