import { LRUCache } from 'lru-cache'
import { fail } from '../base/issue.ts'
import type { CodeTree } from '../environments/code-tree.ts'
import type { CallContext } from '../language/host.ts'
import type { Hash } from '../language/values/hash.ts'
import { failVerbatim } from '../language/values/verbatim-error.ts'
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
  const id = `${backend.name}:${entry.oid}`
  const known = readFiles.get(id)
  if (known) return known
  let warned = false
  const hash = backend.read(place.tree.readText(place.inTree) ?? '', path, (diagnostic) => {
    warned = true
    host.warn({ ...diagnostic, span })
  })
  if (!warned) readFiles.set(id, hash)
  return hash
}
