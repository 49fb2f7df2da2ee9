import { isUtf8 } from 'node:buffer'
import { runCooperatively } from '../../../base/threads/cooperative-tasks.ts'
import type { CatFile } from '../cat-file.ts'
import type { GitTreeEntry, ListTreeOptions } from '../git-object-source.ts'
import type { CachedEntry, FolderCache } from './folder-cache.ts'
import { normalizeMode } from './tree-entries.ts'
import { TreeMeter, usualLimits } from './tree-limits.ts'

/** Readers of objects: with their contents, and only their sizes. */
interface Readers {
  readonly objects: CatFile
  readonly sizes: CatFile
}

/**
 * Largest number of changed folders that are read one by one. A commit with more of them is listed by a process of its
 * own, which costs 5 to 10 ms.
 */
const mostChangedFolders = 100
/** Largest total size of the folders that are read, in bytes; some 5,000 entries. */
const mostFolderBytes = 256 * 1024

/** Modes as git writes them; other modes are left to git. */
const usualModes: ReadonlySet<string> = new Set(['40000', '100644', '100755', '120000', '160000'])

/**
 * Lists the files of a commit like `listTree`, but reads only folders that are not in the cache. `undefined` if too many
 * folders are unknown, or if a folder is unusual: too large, malformed, or with a name that is not UTF-8. Throws
 * GIT_TREE_TOO_LARGE.
 */
export async function listKnownTree(
  commit: string,
  cache: FolderCache,
  readers: Readers,
  { limits = usualLimits, signal }: ListTreeOptions,
): Promise<readonly GitTreeEntry[] | undefined> {
  const root = (await readers.sizes.ask(`${commit}^{tree}`))?.oid
  if (root === undefined || !(await readChangedFolders(root, cache, readers, signal))) return undefined
  return runCooperatively(walkFolders(root, cache, new TreeMeter(commit, limits)))
}

/** Reads the folders below `root` that are not in the cache, level by level; false if that is not possible. */
async function readChangedFolders(
  root: string,
  cache: FolderCache,
  readers: Readers,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let [count, bytes] = [0, 0]
  for (let level = cache.get(root) ? [] : [root]; level.length > 0; ) {
    signal?.throwIfAborted()
    count += level.length
    if (count > mostChangedFolders) return false
    const about = await Promise.all(level.map((folder) => readers.sizes.ask(folder)))
    if (about.some((each) => each?.type !== 'tree')) return false
    bytes += about.reduce((sum, each) => sum + (each?.size ?? 0), 0)
    if (bytes > mostFolderBytes) return false
    const folders = await Promise.all(level.map((folder) => readFolder(folder, readers)))
    const next = new Set<string>()
    for (const [at, entries] of folders.entries()) {
      if (!entries) return false
      cache.set(level[at]!, entries)
      for (const { folder } of entries) if (folder !== undefined && !cache.get(folder)) next.add(folder)
    }
    level = [...next]
  }
  return true
}

async function readFolder(folder: string, { objects, sizes }: Readers): Promise<readonly CachedEntry[] | undefined> {
  const answer = await objects.ask(folder)
  const entries = answer && parseFolder(answer.content, folder.length / 2)
  if (!entries) return undefined
  return Promise.all(
    entries.map(async (entry) => {
      if (entry.folder !== undefined || entry.mode === '160000') return entry
      const blob = await sizes.ask(entry.oid)
      return blob?.type === 'blob' ? { ...entry, size: blob.size } : entry
    }),
  )
}

/** Parses a tree object, which repeats `<mode> <name>\0<id in bytes>`; `undefined` if an entry is unusual. */
function parseFolder(content: Buffer, idBytes: number): CachedEntry[] | undefined {
  const entries: CachedEntry[] = []
  for (let start = 0; start < content.length; ) {
    const space = content.indexOf(0x20, start)
    const end = space === -1 ? -1 : content.indexOf(0, space)
    const next = end + 1 + idBytes
    if (end <= space + 1 || next > content.length) return undefined
    const mode = content.toString('latin1', start, space)
    const bytes = content.subarray(space + 1, end)
    if (!usualModes.has(mode) || !isUtf8(bytes)) return undefined
    const [name, oid] = [bytes.toString(), content.toString('hex', end + 1, next)]
    if (mode === '40000') entries.push({ name, folder: oid })
    else entries.push({ name, mode: normalizeMode(mode) as GitTreeEntry['mode'], oid, size: undefined })
    start = next
  }
  return entries
}

/**
 * Lists the files below a folder in git's order; `undefined` if a folder was evicted from the cache meanwhile. Folders are
 * counted too, because a tree may contain one folder at many paths.
 */
function* walkFolders(
  root: string,
  cache: FolderCache,
  meter: TreeMeter,
): Generator<void, readonly GitTreeEntry[] | undefined> {
  const files: GitTreeEntry[] = []
  const open: { readonly path: string; readonly entries: readonly CachedEntry[]; next: number }[] = []
  const enter = (folder: string, path: string) => {
    const entries = cache.get(folder)
    if (entries) open.push({ path, entries, next: 0 })
    return entries !== undefined
  }
  if (!enter(root, '')) return undefined
  for (let current = open.at(-1); current; current = open.at(-1)) {
    const entry = current.entries[current.next++]
    if (!entry) {
      open.pop()
      yield
      continue
    }
    const path = current.path + entry.name
    meter.count(path)
    if (entry.folder === undefined) files.push({ path, mode: entry.mode, oid: entry.oid, size: entry.size })
    else if (!enter(entry.folder, `${path}/`)) return undefined
  }
  return files
}
