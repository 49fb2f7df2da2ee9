import { LRUCache } from 'lru-cache'
import { type Diagnostic, throwIssue } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { getUnwatchedTree, WatchedTree } from '../../code/environments/watched-tree.ts'
import type { CallContext } from '../../language/host.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import type { Hash } from '../../language/values/hash.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import { WatchedHash } from '../../language/values/watched-hash.ts'
import type { Backend } from './backend.ts'
import { hieraIssues } from './issues.ts'

/** Error message of a `data_hash` function for a level without a path. Puppet: functions/yaml_data.rb. */
export const missingPath = describeMissingPath('data_hash')

function describeMissingPath(kind: 'data_hash' | 'lookup_key'): string {
  return (
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml " +
    `when using this ${kind} function`
  )
}

/** Returns the path of a level whose `lookup_key` function reads files. Throws RUNTIME_ERROR for a level without a path. */
export function requirePath(functionName: string, options: Hash): string {
  const path = options.get('path')
  if (typeof path === 'string') return path
  return throwArgumentError(`'${functionName}': ${describeMissingPath('lookup_key')}`)
}

/** Parsed files by backend and file id, shared by all compilations. Files with the same id have the same content. */
const readFiles = new LRUCache<string, Hash>({ max: 5000 })

/** Returns the tree that contains an absolute path, and the path within the tree. */
export function findContainingTree(
  path: string,
  trees: readonly CodeTree[],
): { readonly tree: CodeTree; readonly inTree: string } | undefined {
  const tree = trees.find(({ root }) => path.startsWith(`${root}/`))
  return tree && { tree, inTree: path.slice(tree.root.length + 1) }
}

/** Returns the data of a file, given its absolute path. Throws LOOKUP_MISSING_FILE, LOOKUP_UNPARSABLE. */
export function readDataFile(
  backend: Backend,
  path: string,
  trees: readonly CodeTree[],
  { host, span }: CallContext,
): Hash {
  const place = findContainingTree(path, trees)
  const entry = place?.tree.entry(place.inTree)
  if (entry?.kind === 'directory') throwIssue(hieraIssues.LOOKUP_FOLDER, { path })
  if (!place || entry?.kind !== 'file') return failWithoutLocation(hieraIssues.LOOKUP_MISSING_FILE, { path })
  const hash = loadDataFile(backend, getUnwatchedTree(place.tree), place.inTree, (diagnostic) =>
    host.warn({ ...diagnostic, span }),
  )
  return watchDataReads(hash, place.tree, place.inTree, backend)
}

/**
 * Returns the data of an existing file. Calls `warn` at each read of a file that has warnings. Throws
 * LOOKUP_UNPARSABLE.
 */
export function loadDataFile(
  backend: Backend,
  tree: CodeTree,
  path: string,
  warn: (diagnostic: Diagnostic) => void,
): Hash {
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

/** Returns data that reports each read of a key to the watcher, if the tree is watched. */
function watchDataReads(hash: Hash, tree: CodeTree, path: string, { name }: Backend): Hash {
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
