import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { GitTreeEntry } from '../git-object-source.ts'

/** An entry of a folder: a subfolder, or a file, link or submodule with its size. */
export type CachedEntry =
  | { readonly name: string; readonly folder: string }
  | ({ readonly name: string; readonly folder?: undefined } & Omit<GitTreeEntry, 'path'>)

/** The entries of folders by tree id, for all commits: a commit shares most of its folders with earlier ones. */
export class FolderCache {
  readonly #folders = new LRUCache<string, readonly CachedEntry[]>({
    maxSize: budgets.environment.cachedEntries.bound,
    sizeCalculation: (entries) => entries.length + 1,
  })

  get isEmpty(): boolean {
    return this.#folders.size === 0
  }

  get(folder: string): readonly CachedEntry[] | undefined {
    return this.#folders.get(folder)
  }

  set(folder: string, entries: readonly CachedEntry[]): void {
    this.#folders.set(folder, entries)
  }
}
