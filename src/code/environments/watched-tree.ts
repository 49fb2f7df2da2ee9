import type { CodeTree, DigestAlgorithm, TreeEntry } from './code-tree.ts'

/** Records reads of a tree, including reads of missing paths. */
export interface TreeWatcher {
  /** Records that the kind of a path was read: file, executable file, folder or missing. */
  readsKind(path: string): void
  /** Records that a file's bytes were read, or that the file was found missing. */
  readsBytes(path: string): void
  /** Records that a link's target was read, or that the link was found missing. */
  readsLink(path: string): void
  /** Records that the names in a folder were read. */
  readsFolder(path: string): void
  /** Records that a manifest's syntax tree was read; `moduleFile` is the manifest's path within the module. */
  readsSyntax(path: string, moduleFile: string | undefined): void
  /** Records that one key in a data file was read. */
  readsData(path: string, backend: string, key: string): void
  /** Records that all keys in a data file were read. */
  readsAllData(path: string, backend: string): void
  /** Records that a key file or a GnuPG home of the machine was read, to decrypt data of the tree. */
  readsSecretKey(path: string): void
  /** Records that the tree's time was read. */
  readsTime(): void
}

/** A tree that reports its reads to a watcher. */
export class WatchedTree implements CodeTree {
  /** The same tree without recording, for callers that report to the watcher themselves. */
  readonly plain: CodeTree
  readonly watcher: TreeWatcher

  constructor(tree: CodeTree, watcher: TreeWatcher) {
    this.plain = tree
    this.watcher = watcher
  }

  get codeId(): string | undefined {
    return this.plain.codeId
  }

  get time(): number {
    this.watcher.readsTime()
    return this.plain.time
  }

  get root(): string {
    return this.plain.root
  }

  entry(path: string): TreeEntry | undefined {
    this.watcher.readsKind(path)
    const entry = this.plain.entry(path)
    return entry && new WatchedEntry(entry, this.watcher)
  }

  linkDestination(path: string): string | undefined {
    this.watcher.readsLink(path)
    return this.plain.linkDestination(path)
  }

  list(directory: string): readonly string[] {
    this.watcher.readsFolder(directory)
    return this.plain.list(directory)
  }

  read(path: string): Uint8Array | undefined {
    this.watcher.readsBytes(path)
    return this.plain.read(path)
  }

  readText(path: string): string | undefined {
    this.watcher.readsBytes(path)
    return this.plain.readText(path)
  }

  digest(path: string, algorithm: DigestAlgorithm): string | undefined {
    this.watcher.readsBytes(path)
    return this.plain.digest(path, algorithm)
  }
}

/** An entry of a watched tree; reading its oid counts as reading the bytes. */
class WatchedEntry implements TreeEntry {
  readonly path: string
  readonly kind: TreeEntry['kind']
  readonly executable: boolean
  readonly #oid: string
  readonly #watcher: TreeWatcher

  constructor({ path, kind, executable, oid }: TreeEntry, watcher: TreeWatcher) {
    this.path = path
    this.kind = kind
    this.executable = executable
    this.#oid = oid
    this.#watcher = watcher
  }

  /** The oid of a folder identifies it only within one tree. */
  get oid(): string {
    if (this.kind === 'file') this.#watcher.readsBytes(this.path)
    return this.#oid
  }
}

/** Returns the tree that a recording tree wraps; returns other trees unchanged. */
export function getUnwatchedTree(tree: CodeTree): CodeTree {
  return tree instanceof WatchedTree ? tree.plain : tree
}
