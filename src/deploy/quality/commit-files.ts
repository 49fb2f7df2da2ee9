import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import type { BlobReader } from '../../code/environments/git/blob-bridge.ts'
import type { GitTreeEntry } from '../../code/git/git-object-source.ts'
import type { WorkspaceFiles } from '../../workbench/code-index/workspace-files.ts'

interface Folder {
  readonly files: string[]
  readonly folders: string[]
}

/**
 * The files of a commit below an invented root. Every path outside of the commit is absent, so that no code in the
 * commit leads to a file of this machine. Symbolic links exist, but have no content.
 */
export class CommitFiles implements WorkspaceFiles {
  readonly #read: BlobReader['read']
  readonly #entries = new Map<string, GitTreeEntry>()
  readonly #folders = new Map<string, Folder>()

  constructor(root: string, entries: readonly GitTreeEntry[], read: BlobReader['read']) {
    this.#read = read
    this.#folders.set(root, { files: [], folders: [] })
    for (const entry of entries) this.#add(root, entry)
  }

  readonly exists = (path: string): boolean => this.#entries.has(path) || this.#folders.has(path)

  getVersion(path: string): string | undefined {
    return this.#canRead(path, budgets.push.codeFile.bound) ? this.#entries.get(path)?.oid : undefined
  }

  read(path: string): string {
    return Buffer.from(this.readBytes(path, budgets.push.codeFile.bound) ?? []).toString('utf8')
  }

  /** The content of a regular file; undefined for other paths, and for a file larger than `most` bytes. */
  readBytes(path: string, most: number): Uint8Array | undefined {
    return this.#canRead(path, most) ? this.#read(this.#entries.get(path)!.oid) : undefined
  }

  /** True for a regular file of at most `most` bytes. The file is read if its size is unknown. */
  #canRead(path: string, most: number): boolean {
    const { oid = '', mode = '', size } = this.#entries.get(path) ?? {}
    if (!mode.startsWith('100')) return false
    try {
      return (size ?? this.#read(oid).length) <= most
    } catch (error) {
      if (error instanceof PuppetError) return false
      throw error
    }
  }

  listNames(folder: string): readonly string[] {
    const { files, folders } = this.#folders.get(folder) ?? { files: [], folders: [] }
    return [...files, ...folders].sort()
  }

  listBelow(folder: string): readonly string[] {
    const found: string[] = []
    const { bound } = budgets.workbench.folderEntries
    const pending = [folder]
    for (let at = pending.pop(); at !== undefined && found.length < bound; at = pending.pop()) {
      const { files, folders } = this.#folders.get(at) ?? { files: [], folders: [] }
      for (const name of files) found.push(join(at, name))
      for (const name of folders) pending.push(join(at, name))
    }
    return found.slice(0, bound).sort()
  }

  #add(root: string, entry: GitTreeEntry): void {
    const parts = entry.path.split('/')
    let folder = root
    for (const name of parts.slice(0, -1)) {
      const path = `${folder}/${name}`
      if (!this.#folders.has(path)) {
        this.#folders.set(path, { files: [], folders: [] })
        this.#folders.get(folder)!.folders.push(name)
      }
      folder = path
    }
    this.#folders.get(folder)!.files.push(parts.at(-1)!)
    this.#entries.set(`${folder}/${parts.at(-1)}`, entry)
  }
}
