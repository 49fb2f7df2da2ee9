import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { getDigestRecipe, largeFile } from '../../base/bytes/digest.ts'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import { Digester } from '../git/digests/digester.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import type { CompileEnvironment } from './compile-environment.ts'
import type { EnvironmentSettings } from './environment-conf.ts'
import type { DescribedEnvironment } from './environment-description.ts'
import type { EnvironmentSnapshot, SnapshotOpener } from './environment-snapshot.ts'
import type { Environment, OpenFile } from './environments.ts'
import {
  describeMountFile,
  type FileSearch,
  type FoundFile,
  findMountFile,
  getDigestAlgorithm,
  type MountQuery,
  searchFilesInTurns,
} from './file-serving.ts'
import { listModules, type Module } from './modules.ts'
import type { ServableTree } from './servable-tree.ts'

/** Number of blobs read concurrently to compute their digests. */
const atOnce = 16

/** Creates an environment on the serving thread; `source` contains the blobs of its commit. */
export function serveEnvironment(
  described: DescribedEnvironment,
  opener: SnapshotOpener,
  source?: GitObjectSource,
): Environment {
  return new ServedEnvironment(described, opener, source)
}

class ServedEnvironment implements Environment {
  readonly name: string
  readonly codeId: string | undefined
  readonly settings: EnvironmentSettings
  readonly warnings: readonly string[]
  readonly snapshot: EnvironmentSnapshot
  readonly code: CompileEnvironment
  readonly #opener: SnapshotOpener
  readonly #source: GitObjectSource | undefined
  /** Computes digests of files on disk. */
  readonly #digester = new Digester()

  constructor(
    { snapshot, settings, warnings }: DescribedEnvironment,
    opener: SnapshotOpener,
    source: GitObjectSource | undefined,
  ) {
    this.name = snapshot.name
    this.settings = settings
    this.warnings = warnings
    this.snapshot = snapshot
    this.code = opener.open(snapshot)
    this.codeId = this.code.tree.codeId
    this.#opener = opener
    this.#source = source
  }

  modules(): readonly Module[] {
    return listModules(this.code)
  }

  async findMetadata(query: MountQuery): Promise<FileMetadata | undefined> {
    const found = findMountFile(this.code, query)
    if (!found) return undefined
    await this.#learnDigests([found], query)
    return describeMountFile(found, query)
  }

  async searchMetadata(search: FileSearch): Promise<readonly FileMetadata[] | undefined> {
    const found = await searchFilesInTurns(this.code, search)
    if (!found) return undefined
    await this.#learnDigests(found, search)
    return mapCooperatively(found, (each) => describeMountFile(each, search))
  }

  async openContent(query: Pick<MountQuery, 'mount' | 'path'>): Promise<OpenFile | 'directory' | undefined> {
    const found = findMountFile(this.code, query, 'file_content')
    if (!found) return undefined
    if (found.tree.entry(found.path)?.kind === 'directory') return 'directory'
    return this.#open(found.tree as ServableTree, found.path)
  }

  async openFile(path: string): Promise<OpenFile | undefined> {
    return this.#open(this.code.tree as ServableTree, path)
  }

  async #open(tree: ServableTree, path: string): Promise<OpenFile | undefined> {
    const location = tree.locate(path)
    if (!location) return undefined
    if (location.kind === 'blob') {
      const opened = await this.#source?.openBlob(location.oid)
      return opened && { ...opened, identity: location.oid }
    }
    if (location.kind === 'bytes') return { size: location.bytes.length, content: toBufferView(location.bytes) }
    const { size } = await stat(location.path)
    return { size, content: createReadStream(location.path) }
  }

  /** Computes the digests needed to describe files in advance, without reading whole blobs into memory. */
  async #learnDigests(files: readonly FoundFile[], { checksumType }: MountQuery): Promise<void> {
    const algorithm = getDigestAlgorithm(checksumType)
    const { digests } = this.#opener
    if (algorithm === undefined) return
    const recipe = getDigestRecipe(algorithm)
    const unknown = new Map<string, () => Promise<string>>()
    for (const { tree, path } of files) {
      const location = (tree as ServableTree).locate(path)
      if (location?.kind === 'blob') unknown.set(location.oid, () => this.#source!.digestBlob(location.oid, recipe))
      if (location?.kind === 'file' && location.size > largeFile)
        unknown.set(location.version, () => this.#digester.digest(location, recipe))
    }
    await mapConcurrently([...unknown], atOnce, async ([name, work]) => {
      await digests.learn(name, algorithm, work)
    })
  }
}
