import { LRUCache } from 'lru-cache'
import { type Diagnostic, fail } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { plainTree, WatchedTree } from '../../code/environments/watched-tree.ts'
import type { CallContext } from '../../language/host.ts'
import type { Hash } from '../../language/values/hash.ts'
import { failVerbatim } from '../../language/values/verbatim-error.ts'
import { WatchedHash } from '../../language/values/watched-hash.ts'
import type { Backend } from './backend.ts'
import { hieraIssues } from './issues.ts'

/** Message of a function that reads a file, where the level has none. Puppet: functions/yaml_data.rb. */
export const missingPath =
  "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml " +
  'when using this data_hash function'

/** Files as they were read, by backend and file id; shared by all, as a file's id names its content for ever. */
const readFiles = new LRUCache<string, Hash>({ max: 5000 })

/** The tree that an absolute path leads into, and the path there. */
export function placeOf(
  path: string,
  trees: readonly CodeTree[],
): { readonly tree: CodeTree; readonly inTree: string } | undefined {
  const tree = trees.find(({ root }) => path.startsWith(`${root}/`))
  return tree && { tree, inTree: path.slice(tree.root.length + 1) }
}

/** The data of a file, by its absolute path. Throws LOOKUP_MISSING_FILE, LOOKUP_UNPARSABLE. */
export function readDataFile(
  backend: Backend,
  path: string,
  trees: readonly CodeTree[],
  { host, span }: CallContext,
): Hash {
  const place = placeOf(path, trees)
  const entry = place?.tree.entry(place.inTree)
  if (entry?.kind === 'directory') fail(hieraIssues.LOOKUP_FOLDER, { path })
  if (!place || entry?.kind !== 'file') return failVerbatim(hieraIssues.LOOKUP_MISSING_FILE, { path })
  const hash = dataOf(backend, plainTree(place.tree), place.inTree, (diagnostic) => host.warn({ ...diagnostic, span }))
  return watched(hash, place.tree, place.inTree, backend)
}

/** The data of a file that is there; `warn` is told each time what is odd in it. Throws LOOKUP_UNPARSABLE. */
export function dataOf(backend: Backend, tree: CodeTree, path: string, warn: (diagnostic: Diagnostic) => void): Hash {
  const id = `${backend.name}:${tree.entry(path)?.oid}`
  const known = readFiles.get(id)
  if (known) return known
  let warned = false
  const hash = backend.read(tree.readText(path) ?? '', `${tree.root}/${path}`, (diagnostic) => {
    warned = true
    warn(diagnostic)
  })
  if (!warned) readFiles.set(id, hash)
  return hash
}

/** The data of a watched tree's file tells which of its keys are read. */
function watched(hash: Hash, tree: CodeTree, path: string, { name }: Backend): Hash {
  if (!(tree instanceof WatchedTree)) return hash
  const { watcher } = tree
  return new WatchedHash(hash, {
    reads([key = '']) {
      watcher.readsData(path, name, key)
      return false
    },
    readsAll: () => watcher.readsAllData(path, name),
  })
}
