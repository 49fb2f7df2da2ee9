import type { Content } from '../../base/bytes/content.ts'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { CompileEnvironment } from './compile-environment.ts'
import type { EnvironmentSettings } from './environment-conf.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import type { FileQuery, FileSearch } from './file-serving.ts'
import type { Module } from './modules.ts'
import type { ModuleFolders } from './static-files.ts'

/**
 * The environments that a server serves: the branches of a repository, or the folders of an environmentpath. Names and
 * code ids may come straight from a request; what has a wrong shape is simply not there.
 */
export interface Environments {
  /** The names of those that are served now, sorted. */
  list(): Promise<readonly string[]>
  /** An environment as it is served now. What is held stays as it is, whatever is pushed meanwhile. */
  get(name: string): Promise<Environment | undefined>
  /** A hint for a request of an environment that is not served: the environments that there are, and their place. */
  hintAbout(name: string): Promise<string>
  /** `GET static_file_content`: a file of any commit, served or not, that the repository has; under any name. */
  openFile(name: string, codeId: string, path: string): Promise<OpenFile | undefined>
  /** The folders that hold the modules of any commit, by its environment.conf; none of what is not there. */
  moduleFolders(name: string, codeId: string): Promise<ModuleFolders>
  /** Served commits, their times, and refusals of newer code; sorted by name. */
  status(): Promise<readonly EnvironmentStatus[]>
  /** Why new code could not be looked for the last time; `undefined` when it could. */
  readonly trouble: string | undefined
  /** Looks for new code now, and tries again what was refused; done when all of it is served or refused. */
  refresh(): Promise<void>
  /** The same, but what was refused waits for its time. Never rejects: see `trouble`. */
  look(): Promise<void>
  /** A new worker's way to what its snapshots did not bring: hand it over, the port in the transfer list. */
  bridge(): ThreadBridge
  close(): Promise<void>
}

/** One environment and the code it has, for ever the same. */
export interface Environment {
  readonly name: string
  /** The commit; `undefined` for a folder. */
  readonly codeId: string | undefined
  readonly settings: EnvironmentSettings
  /** Warnings about the environment.conf, in Puppet's words. */
  readonly warnings: readonly string[]
  /** Can be posted to a worker without copying; there `snapshotOpener(readThrough(bridge)).open` makes a CompileEnvironment of it. */
  readonly snapshot: EnvironmentSnapshot
  /** The code on this thread. In a commit's, what lies below `files/` can be listed but not read: see `openFile`. */
  readonly code: CompileEnvironment

  modules(): readonly Module[]
  /** `GET file_metadata`. */
  findMetadata(query: FileQuery): Promise<FileMetadata | undefined>
  /** `GET file_metadatas`, breadth first. */
  searchMetadata(query: FileSearch): Promise<readonly FileMetadata[] | undefined>
  /** `GET file_content`. */
  openContent(query: Pick<FileQuery, 'mount' | 'path'>): Promise<OpenFile | 'directory' | undefined>
  /** A file by its path from the root of the tree. */
  openFile(path: string): Promise<OpenFile | undefined>
}

/** A file that was found. */
export interface OpenFile {
  readonly size: number
  /** The same for the same bytes, and for no others; none where nobody knows that without reading them. */
  readonly identity?: string | undefined
  readonly content: Content
}

/** The progress of compiling an environment's nodes ahead, for the commit that it serves. */
export interface AheadProgress {
  readonly commit: string
  readonly nodes: number
  readonly compiled: number
  /** Nodes whose earlier catalogs are good. */
  readonly recalled: number
  /** Nodes that are no more, or that nothing is known of. */
  readonly left: number
  readonly failed: number
}

/** A branch's commit that is not served, and why. */
export interface RefusedCommit {
  /** The branch's commit; `undefined` of a broken ref. */
  readonly commit: string | undefined
  /** The commit with its modules, where it came to one. */
  readonly deployed?: string | undefined
  readonly reason: string
}

/** One environment in `plumb code status`. */
export interface EnvironmentStatus {
  readonly name: string
  /** The full ref; for a folder its path. */
  readonly ref: string
  /** The served commit; `undefined` when there is none. */
  readonly commit: string | undefined
  /** The branch's commit that it was made of, where modules of a Puppetfile were put into it. */
  readonly source?: string | undefined
  /** Milliseconds since 1970 when this commit began to be served. */
  readonly since: number | undefined
  /** Why newer code is not served: the commit that was refused, if it came to one, and the reason. */
  readonly refused: RefusedCommit | undefined
  readonly warnings: readonly string[]
  /** None where nothing is compiled ahead. */
  readonly ahead?: AheadProgress | undefined
}
