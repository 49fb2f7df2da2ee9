import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { type GitPlace, openGitOutput } from '../git-command.ts'
import type { GitTreeEntry, ListTreeOptions } from '../git-object-source.ts'
import type { CachedEntry, FolderCache } from './folder-cache.ts'
import { parseTreeLine, type TreeLine } from './tree-entries.ts'
import { TreeMeter, usualLimits } from './tree-limits.ts'

/** Largest number of bytes of a line before its path: mode, type, id and size. */
const maxHeadBytes = 200

/** Lists the files of a commit; stops at the limits. Adds its folders to `cache`. Throws GIT_TREE_TOO_LARGE. */
export async function listTree(
  place: GitPlace,
  commit: string,
  { limits = usualLimits, signal }: ListTreeOptions,
  cache?: FolderCache,
): Promise<readonly GitTreeEntry[]> {
  const entries: GitTreeEntry[] = []
  const folders = cache && new FolderCollector(cache)
  const meter = new TreeMeter(commit, limits)
  // Git prints the folders, too, so that they are counted: a tree of empty folders has no files but
  // takes very long to list.
  const output = await openGitOutput(place, ['ls-tree', '-r', '-t', '-z', '-l', '--full-tree', commit], { signal })
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of output) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(0, start); end !== -1; end = bytes.indexOf(0, start)) {
      const line = parseTreeLine(decodeLosslessUtf8(bytes.subarray(start, end)))
      const { path, entry } = line
      start = end + 1
      meter.count(path)
      folders?.add(line)
      if (entry) entries.push(entry)
    }
    rest = bytes.subarray(start)
    if (rest.length > limits.path + maxHeadBytes) throw meter.pathTooLong(rest.toString('utf8', rest.indexOf(9) + 1))
  }
  folders?.end()
  return entries
}

/** Collects the entries of folders from a listing in which each folder precedes its contents. */
class FolderCollector {
  readonly #cache: FolderCache
  /** Folders whose contents are being listed, from the outermost to the innermost. */
  readonly #open: { readonly path: string; readonly oid: string; readonly entries: CachedEntry[]; isPlain: boolean }[] =
    []

  constructor(cache: FolderCache) {
    this.#cache = cache
  }

  add({ path, entry, oid }: TreeLine): void {
    while (this.#open.length > 0 && !path.startsWith(this.#open.at(-1)!.path)) this.#close()
    const parent = this.#open.at(-1)
    if (parent) {
      const name = path.slice(parent.path.length)
      // Names that are not UTF-8 are decoded differently alone and as part of a path.
      parent.isPlain &&= name.isWellFormed()
      if (entry) parent.entries.push({ name, mode: entry.mode, oid, size: entry.size })
      else parent.entries.push({ name, folder: oid })
    }
    if (!entry) this.#open.push({ path: `${path}/`, oid, entries: [], isPlain: true })
  }

  end(): void {
    while (this.#open.length > 0) this.#close()
  }

  #close(): void {
    const { oid, entries, isPlain } = this.#open.pop()!
    if (isPlain) this.#cache.set(oid, entries)
  }
}
