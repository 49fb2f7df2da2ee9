import type { CodeTree, TreeEntry } from '../../environments/code-tree.ts'
import type { GuestEntry, GuestFiles } from '../../ruby/wasi/guest-files.ts'

/** Remembered looks at a tree, in entries and lists; more are too many to compare. */
const most = 50_000

/**
 * A tree as Ruby sees it, and what Ruby saw of it. Another tree can take its place if all of that is the same there: then
 * nothing that Ruby keeps in mind is wrong.
 */
export class SeenFiles implements GuestFiles {
  #tree: CodeTree
  /** By path: what a look told. */
  readonly #entries = new Map<string, string>()
  readonly #lists = new Map<string, string>()

  constructor(tree: CodeTree) {
    this.#tree = tree
  }

  entry(path: string): GuestEntry | undefined {
    const entry = this.#look(path)
    if (!entry) return undefined
    return { kind: entry.kind, size: entry.kind === 'file' ? (this.#tree.read(path)?.length ?? 0) : 0 }
  }

  read(path: string): Uint8Array | undefined {
    this.#look(path)
    return this.#tree.read(path)
  }

  list(path: string): readonly string[] {
    const names = this.#tree.list(path)
    if (!this.#isFull) this.#lists.set(path, names.join('\0'))
    return names
  }

  /** True for a tree that equals this one in all that was seen of it. */
  agreesWith(tree: CodeTree): boolean {
    if (tree === this.#tree || tree.id === this.#tree.id) return true
    if (this.#isFull) return false
    for (const [path, seen] of this.#entries) if (entryText(tree.entry(path)) !== seen) return false
    for (const [path, seen] of this.#lists) if (tree.list(path).join('\0') !== seen) return false
    return true
  }

  moveTo(tree: CodeTree): void {
    this.#tree = tree
  }

  get #isFull(): boolean {
    return this.#entries.size + this.#lists.size > most
  }

  #look(path: string): TreeEntry | undefined {
    const entry = this.#tree.entry(path)
    if (!this.#isFull) this.#entries.set(path, entryText(entry))
    return entry
  }
}

function entryText(entry: TreeEntry | undefined): string {
  if (!entry) return 'nothing'
  return entry.kind === 'file' ? entry.oid : 'directory'
}
