import type { Readable } from 'node:stream'

/** One leaf of a commit's tree. */
export interface GitTreeEntry {
  /** UTF-8; what is none of it stands as U+FFFD. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly oid: string
  /** `undefined` where it is not known without reading the blob. */
  readonly size: number | undefined
}

/** What a folder of a commit has directly. */
export interface GitChild {
  readonly name: string
  readonly mode: GitTreeEntry['mode'] | '040000'
  readonly oid: string
}

/** Reads a repository's objects and refs. Answers about commits and blobs never change; only refs do. */
export interface GitObjectSource {
  /** The git directory. */
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  /** The commit that a ref or a commit's id stands for, tags peeled, or an ancestor (`production~2`); `undefined` when there is none. */
  resolveRef(ref: string): Promise<string | undefined>
  /** Refs below a prefix, such as `refs/heads/`, and their commits. */
  listRefs(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Every file of a commit, sorted by path. */
  listTree(commit: string): Promise<readonly GitTreeEntry[]>
  /** A folder, by its own id, or the topmost of a commit, by that one's. */
  readTree(oid: string): Promise<readonly GitChild[]>
  /** Seconds since 1970 of the committer. */
  commitTime(commit: string): Promise<number>
  /** Throws GIT_OBJECT_MISSING, or GIT_OBJECT_TOO_LARGE beyond `maxBytes`. A `size` from a listing saves asking for it. */
  readBlob(oid: string, options?: { maxBytes?: number; size?: number }): Promise<Buffer>
  /** Large blobs come by a process of their own; a small one is read whole, since a process for each of many takes minutes. */
  openBlob(oid: string): Promise<{ size: number; stream: Readable }>
  /** Keeps a commit from being pruned while agents may ask for it: `refs/plumb/served/<sha>`. */
  pin(commit: string): Promise<void>
  unpin(commit: string): Promise<void>
  close(): Promise<void>
}
