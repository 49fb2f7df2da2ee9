import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { GuestEntry, GuestFiles } from '../../ruby/wasi/guest-files.ts'

/** A code tree in the form of files for Ruby. The tree can be replaced by the tree of another commit. */
export class VisibleTree implements GuestFiles {
  #tree: CodeTree

  constructor(tree: CodeTree) {
    this.#tree = tree
  }

  entry(path: string): GuestEntry | undefined {
    const entry = this.#tree.entry(path)
    if (!entry) return undefined
    return { kind: entry.kind, size: entry.kind === 'file' ? (this.#tree.read(path)?.length ?? 0) : 0 }
  }

  read(path: string): Uint8Array | undefined {
    return this.#tree.read(path)
  }

  list(path: string): readonly string[] {
    return this.#tree.list(path)
  }

  moveTo(tree: CodeTree): void {
    this.#tree = tree
  }
}
