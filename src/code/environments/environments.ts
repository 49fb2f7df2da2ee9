import type { Content } from '../../base/bytes/content.ts'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { CompileEnvironment } from './compile-environment.ts'
import type { EnvironmentSettings } from './environment-conf.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import type { FileSearch, MountQuery } from './file-serving.ts'
import type { Module } from './modules.ts'
import type { ModuleFolders } from './static-catalog-files.ts'

/**
 * The environments of a server: branches of a repository, or folders of an environmentpath. Callers
 * may pass unvalidated names and code ids from a request; an invalid name or id is treated as
 * missing.
 */
export interface Environments {
  /** Returns the names of the served environments, sorted. */
  list(): Promise<readonly string[]>
  /** Returns an environment in its current state; the returned object does not change with later pushes. */
  get(name: string): Promise<Environment | undefined>
  /**
   * Returns an environment at the commit that is assigned to a node: during a rollout it may be another commit than the
   * served one. Throws if the assigned commit cannot be loaded, so that the node never receives a different one.
   */
  getForNode(name: string, certname: string): Promise<Environment | undefined>
  /** Returns a hint for a request for a missing environment: the existing environments and their location. */
  hintAbout(name: string): Promise<string>
  /**
   * Opens a file of any commit in the repository, even if no environment serves the commit, for
   * `GET static_file_content`.
   */
  openFile(name: string, codeId: string, path: string): Promise<OpenFile | undefined>
  /**
   * Returns the module folders of any commit, from the environment.conf in the commit; empty if the
   * commit is missing.
   */
  moduleFolders(name: string, codeId: string): Promise<ModuleFolders>
  /** Returns the served commits with their times, and the rejections of newer code, sorted by environment. */
  status(): Promise<readonly EnvironmentStatus[]>
  /** The error of the last check for new code; `undefined` if it succeeded. */
  readonly trouble: string | undefined
  /** Checks for new code now and retries rejected commits; resolves when all code is served or rejected. */
  refresh(): Promise<void>
  /** Same as `refresh`, but rejected commits wait for their next attempt. Never rejects: see `trouble`. */
  look(): Promise<void>
  /**
   * Opens a bridge through which a new worker reads blobs missing in snapshots; pass its port in
   * the transfer list.
   */
  bridge(): ThreadBridge
  close(): Promise<void>
}

/** One environment in a state that does not change. */
export interface Environment {
  readonly name: string
  /** The served commit; `undefined` for a folder. */
  readonly codeId: string | undefined
  readonly settings: EnvironmentSettings
  /** Warnings about the environment.conf, worded as in Puppet. */
  readonly warnings: readonly string[]
  /**
   * The environment for a worker: posted without copying, and opened there as a CompileEnvironment
   * with `createSnapshotOpener(createBridgedBlobReader(bridge)).open`.
   */
  readonly snapshot: EnvironmentSnapshot
  /**
   * The environment's code for this thread. In a commit, files that are not loaded, such as those in `files/`, can
   * be listed here but not read; `openContent` and `openFile` read them.
   */
  readonly code: CompileEnvironment

  modules(): readonly Module[]
  /** Replies to `GET file_metadata`. */
  findMetadata(query: MountQuery): Promise<FileMetadata | undefined>
  /** Replies to `GET file_metadatas`; the results are in breadth-first order. */
  searchMetadata(query: FileSearch): Promise<readonly FileMetadata[] | undefined>
  /** Replies to `GET file_content`. */
  openContent(query: Pick<MountQuery, 'mount' | 'path'>): Promise<OpenFile | 'directory' | undefined>
  /** Opens a file by its path from the root of the tree. */
  openFile(path: string): Promise<OpenFile | undefined>
}

/** A file that was found, and access to its content. */
export interface OpenFile {
  readonly size: number
  /** Equal exactly for equal bytes; `undefined` if that is not known without reading them. */
  readonly identity?: string | undefined
  readonly content: Content
}

/** Progress of compiling an environment's catalogs in advance for the served commit. */
export interface AheadProgress {
  readonly commit: string
  readonly nodes: number
  readonly compiled: number
  /** Number of nodes whose earlier catalogs are still valid. */
  readonly recalled: number
  /** Number of nodes for which no catalog was compiled, because they no longer exist or have no known facts. */
  readonly left: number
  readonly failed: number
}

/** A branch's commit that is not served, and the reason. */
export interface RefusedCommit {
  /** The commit of the branch; `undefined` for a broken ref. */
  readonly commit: string | undefined
  /** The commit created by adding the modules to the branch's commit; `undefined` if none was created. */
  readonly deployed?: string | undefined
  readonly reason: string
}

/** The state of one environment, as in `plumb code status`. */
export interface EnvironmentStatus {
  readonly name: string
  /** The full name of the ref; for a folder, its path. */
  readonly ref: string
  /** The served commit; `undefined` if there is none. */
  readonly commit: string | undefined
  /** The branch's commit, if the served commit was created from it by adding the modules of a Puppetfile. */
  readonly source?: string | undefined
  /** Milliseconds since 1970 at which this commit was first served. */
  readonly since: number | undefined
  /** The rejection of newer code: the rejected commit, if there is one, and the reason. */
  readonly refused: RefusedCommit | undefined
  readonly warnings: readonly string[]
  /** Progress of compiling catalogs in advance; undefined if they are not compiled in advance. */
  readonly ahead?: AheadProgress | undefined
}
