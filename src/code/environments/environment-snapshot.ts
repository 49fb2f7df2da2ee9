import { LRUCache } from 'lru-cache'
import type { CompileEnvironment } from './compile-environment.ts'
import { Digests } from './digests.ts'
import { openFolderTree } from './folder-tree.ts'
import type { BlobReader } from './git/blob-bridge.ts'
import { openGitTree, openGitTreeInTurns } from './git/git-tree.ts'
import type { ServableTree } from './servable-tree.ts'

/** An environment as data for a worker; the bytes are shared, not copied. */
export interface EnvironmentSnapshot {
  readonly name: string
  /** The first tree is the environment itself; others come from its modulepath and the global hiera.yaml. */
  readonly trees: readonly TreeSnapshot[]
  readonly modulepath: readonly TreePlace[]
  readonly manifest: { readonly path: string } | { readonly text: string } | undefined
  /** The output of `config_version`; `undefined` to use the tree's time. */
  readonly version: number | string | undefined
  readonly globalHiera: (TreePlace & { readonly data?: readonly number[] }) | undefined
}

/** A path in one of a snapshot's trees, by its index. */
export interface TreePlace {
  readonly tree: number
  readonly path: string
}

/** A code tree as plain data, for another thread. */
export type TreeSnapshot = GitTreeSnapshot | FolderTreeSnapshot

/** A commit's tree. */
export interface GitTreeSnapshot {
  readonly kind: 'git'
  readonly commit: string
  readonly time: number
  readonly root: string
  /** The commit as shown to users, such as `main@1a2b3c4`. */
  readonly revision: string
  /** The tree's leaves as JSON in UTF-8, divided into parts so that each part can be parsed quickly. */
  readonly index: readonly SharedArrayBuffer[]
  /** The loaded blobs; the index contains their offsets. */
  readonly packs: readonly SharedArrayBuffer[]
}

/** A folder on this machine; the receiving thread reads it. */
export interface FolderTreeSnapshot {
  readonly kind: 'folder'
  readonly directory: string
  readonly root: string
  /** True for a folder of modules, whose entries may be links to any folder on the machine. */
  readonly ofModules: boolean
  /** The visible entries of the folder; if undefined, all entries are visible. */
  readonly only?: readonly string[]
}

/** Opens a snapshot for the compiler. */
export type OpenSnapshot = (snapshot: EnvironmentSnapshot) => CompileEnvironment

/** Opens snapshots on one thread; caches the digests, and the trees of commits. */
export interface SnapshotOpener {
  open: OpenSnapshot
  openTree(snapshot: TreeSnapshot): ServableTree
  /** Opens the tree of a commit before it is needed, and yields to other work meanwhile. */
  prepareTree(snapshot: GitTreeSnapshot): Promise<void>
  readonly digests: Digests
}

/**
 * Number of index parts that a thread keeps open for all trees: many commits of a small repository,
 * or a few of a large one.
 */
const maxParts = 400

/** Opens snapshots on this thread; `blobs` reads the blobs that the snapshots do not contain. */
export function createSnapshotOpener(blobs?: BlobReader): SnapshotOpener {
  const digests = new Digests()
  const open = new LRUCache<string, ServableTree>({ maxSize: maxParts })
  const cacheTree = (snapshot: GitTreeSnapshot, tree: ServableTree) =>
    open.set(formatTreeKey(snapshot), tree, { size: Math.min(Math.max(1, snapshot.index.length), maxParts / 4) })
  const openTree = (snapshot: TreeSnapshot): ServableTree => {
    if (snapshot.kind === 'folder') return openFolderTree(snapshot, digests)
    const tree = open.get(formatTreeKey(snapshot)) ?? openGitTree(snapshot, digests, blobs)
    cacheTree(snapshot, tree)
    return tree
  }
  const prepareTree = async (snapshot: GitTreeSnapshot) => {
    if (!open.has(formatTreeKey(snapshot))) cacheTree(snapshot, await openGitTreeInTurns(snapshot, digests, blobs))
  }
  return { open: createEnvironmentOpener(openTree), openTree, prepareTree, digests }
}

function formatTreeKey({ commit, root }: GitTreeSnapshot): string {
  return `${commit}:${root}`
}

/**
 * Opens environments. If all trees of an environment are commits, repeated calls return the same
 * object while the trees are cached.
 */
function createEnvironmentOpener(openTree: (snapshot: TreeSnapshot) => ServableTree): OpenSnapshot {
  const known = new WeakMap<ServableTree, { readonly name: string; readonly environment: CompileEnvironment }>()
  return (snapshot) => {
    const name = computeEnvironmentKey(snapshot)
    if (name === undefined) return openSnapshot(snapshot, openTree)
    const tree = openTree(snapshot.trees[0]!)
    const last = known.get(tree)
    if (last?.name === name) return last.environment
    const environment = openSnapshot(snapshot, openTree)
    known.set(tree, { name, environment })
    return environment
  }
}

/** Returns a cache key for an environment; `undefined` if its content may change. */
function computeEnvironmentKey({ trees, ...rest }: EnvironmentSnapshot): string | undefined {
  const commits = trees.map((tree) => (tree.kind === 'git' ? formatTreeKey(tree) : undefined))
  return commits.includes(undefined) ? undefined : JSON.stringify([commits, getRevision(trees), rest])
}

function getRevision([own]: readonly TreeSnapshot[]): string | undefined {
  return own?.kind === 'git' ? own.revision : undefined
}

function openSnapshot(
  { name, trees, modulepath, manifest, version, globalHiera }: EnvironmentSnapshot,
  openTree: (snapshot: TreeSnapshot) => ServableTree,
): CompileEnvironment {
  const opened = trees.map(openTree)
  const openPlace = ({ tree, path }: TreePlace) => ({ tree: opened[tree]!, path })
  const [tree] = opened as [ServableTree]
  return {
    name,
    tree,
    revision: getRevision(trees),
    modulepath: modulepath.map(openPlace),
    manifest,
    // Computed on demand, since computing the time of a folder requires reading the whole folder.
    get version() {
      return version ?? tree.time
    },
    globalHiera: globalHiera && {
      ...openPlace(globalHiera),
      ...(globalHiera.data && { data: globalHiera.data.map((index) => opened[index]!) }),
    },
  }
}
