/** An environment as data that a worker can be sent: the bytes are shared, not copied. */
export interface EnvironmentSnapshot {
  /** The same for the same code under the same name; a worker keeps what it opened by this key. */
  readonly key: string
  readonly name: string
  /** The first is the environment itself; others are what its modulepath and the global hiera.yaml add. */
  readonly trees: readonly TreeSnapshot[]
  readonly modulepath: readonly TreePlace[]
  readonly manifest: { readonly path: string } | undefined
  readonly version: number | string
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
}
