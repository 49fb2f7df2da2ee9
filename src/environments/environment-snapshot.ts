import { LRUCache } from 'lru-cache'
import type { CompileEnvironment } from './compile-environment.ts'
import { Digests } from './digests.ts'
import { openFolderTree } from './folder-tree.ts'
import { openGitTree, type ReadBlob } from './git-tree.ts'
import type { ServableTree } from './servable-tree.ts'

/** An environment as data that a worker can be sent: the bytes are shared, not copied. */
export interface EnvironmentSnapshot {
  readonly name: string
  /** The first is the environment itself; others are what its modulepath and the global hiera.yaml add. */
  readonly trees: readonly TreeSnapshot[]
  readonly modulepath: readonly TreePlace[]
  readonly manifest: CompileEnvironment['manifest']
  /** What `config_version` said; `undefined` for the tree's time. */
  readonly version: number | string | undefined
  readonly globalHiera: TreePlace | undefined
}

/** A path in one of a snapshot's trees, by its index. */
export interface TreePlace {
  readonly tree: number
  readonly path: string
}

export type TreeSnapshot = GitTreeSnapshot | FolderTreeSnapshot

/** A commit's tree. */
export interface GitTreeSnapshot {
  readonly kind: 'git'
  readonly commit: string
  readonly time: number
  readonly root: string
  /** JSON of the tree's leaves, in UTF-8. */
  readonly index: SharedArrayBuffer
  /** The blobs that were loaded; the index says where each lies. */
  readonly packs: readonly SharedArrayBuffer[]
}

/** A folder of this machine, read where it is opened. */
export interface FolderTreeSnapshot {
  readonly kind: 'folder'
  readonly directory: string
  readonly root: string
  /** Whether it is a folder of modules, whose entries may be links to anywhere. */
  readonly ofModules: boolean
  /** The only names of it that are there; all if not given. */
  readonly only?: readonly string[]
}

/** Makes of a snapshot what the compiler takes. */
export type OpenSnapshot = (snapshot: EnvironmentSnapshot) => CompileEnvironment

/** What one thread keeps to open snapshots: trees of commits, and digests. */
export interface SnapshotOpener {
  open: OpenSnapshot
  openTree(snapshot: TreeSnapshot): ServableTree
  readonly digests: Digests
}

/** Trees of commits that a thread keeps open. */
const mostTrees = 32

/** Opens snapshots on this thread; `readBlob` gives what was not loaded, where this thread can have it at once. */
export function snapshotOpener(readBlob?: ReadBlob): SnapshotOpener {
  const digests = new Digests()
  const open = new LRUCache<string, ServableTree>({ max: mostTrees })
  const openTree = (snapshot: TreeSnapshot): ServableTree => {
    if (snapshot.kind === 'folder') return openFolderTree(snapshot, digests)
    const key = `${snapshot.commit}:${snapshot.root}`
    const tree = open.get(key) ?? openGitTree(snapshot, digests, readBlob)
    open.set(key, tree)
    return tree
  }
  return { open: (snapshot) => openSnapshot(snapshot, openTree), openTree, digests }
}

function openSnapshot(
  { name, trees, modulepath, manifest, version, globalHiera }: EnvironmentSnapshot,
  openTree: (snapshot: TreeSnapshot) => ServableTree,
): CompileEnvironment {
  const opened = trees.map(openTree)
  const place = ({ tree, path }: TreePlace) => ({ tree: opened[tree]!, path })
  const [tree] = opened as [ServableTree]
  return {
    name,
    tree,
    modulepath: modulepath.map(place),
    manifest,
    // A folder's time is found by looking at all that it holds: only who asks pays.
    get version() {
      return version ?? tree.time
    },
    globalHiera: globalHiera && place(globalHiera),
  }
}
