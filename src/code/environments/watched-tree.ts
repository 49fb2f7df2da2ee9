import type { CodeTree, DigestAlgorithm, TreeEntry } from './code-tree.ts'

/** Told of what is read of a tree; a path that is not there counts, too. */
export interface TreeWatcher {
  /** The kind of a path: a file, one that may be run, a folder, nothing. */
  readsKind(path: string): void
  /** The bytes of a file, or that there is none. */
  readsBytes(path: string): void
  /** A file of Ruby as code: its comments say nothing. */
  readsRuby(path: string): void
  /** A link at this very path, or that there is none. */
  readsLink(path: string): void
  /** The names in a folder. */
  readsFolder(path: string): void
  /** A manifest as its syntax tree; `moduleFile` says its place in its module. */
  readsSyntax(path: string, moduleFile: string | undefined): void
  /** A key of a file of data. */
  readsData(path: string, backend: string, key: string): void
  /** All keys of a file of data. */
  readsAllData(path: string, backend: string): void
  /** A private key of the machine, for data of the tree. */
  readsSecretKey(path: string): void
  /** The time of the tree. */
  readsTime(): void
}

/** A tree that tells what is read of it. */
export class WatchedTree implements CodeTree {
  /** The tree itself, for who tells the watcher by other words. */
  readonly plain: CodeTree
  readonly watcher: TreeWatcher

  constructor(tree: CodeTree, watcher: TreeWatcher) {
    this.plain = tree
    this.watcher = watcher
  }

  get id(): string {
    return this.plain.id
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

/** An entry of a watched tree: its id is as much as the bytes of the file. */
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

  /** A folder's is good for nothing but to know it again in one tree. */
  get oid(): string {
    if (this.kind === 'file') this.#watcher.readsBytes(this.path)
    return this.#oid
  }
}

/** The bytes of a file of Ruby for who goes by its code alone. */
export function readRuby(tree: CodeTree, path: string): Uint8Array | undefined {
  if (tree instanceof WatchedTree) tree.watcher.readsRuby(path)
  return plainTree(tree).read(path)
}

/** The tree itself, where a watched one is given. */
export function plainTree(tree: CodeTree): CodeTree {
  return tree instanceof WatchedTree ? tree.plain : tree
}
