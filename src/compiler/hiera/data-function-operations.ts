import type { CodeTree } from '../../code/environments/code-tree.ts'
import { WatchedTree } from '../../code/environments/watched-tree.ts'
import { findContainingTree, readDataFile } from './data-files.ts'
import { interpolate, type LookupNestedKey } from './interpolation.ts'
import type { FunctionOperations } from './lookup-context.ts'
import { locateKeyFile } from './secrets/key-files.ts'

/** The environment and module of a data function, and the files that it may read. */
interface Surroundings {
  readonly environment: string
  readonly module: string | undefined
  readonly trees: readonly CodeTree[]
  /** Folders on the server from which private keys may be read. */
  readonly keyFolders: readonly string[]
}

/** Returns the operations available to a data function at a hierarchy level. */
export function createFunctionOperations(
  { environment, module, trees, keyFolders }: Surroundings,
  lookup: LookupNestedKey,
): FunctionOperations {
  return {
    environment,
    module,
    readText(path) {
      const found = findContainingTree(path, trees)
      return found?.tree.readText(found.inTree)
    },
    findFile(path) {
      const found = findContainingTree(path, trees)
      const entry = found?.tree.entry(found.inTree)
      if (!found || entry?.kind !== 'file') return undefined
      return { oid: entry.oid, readText: () => found.tree.readText(found.inTree) ?? '' }
    },
    readHash: (backend, path, { context }) => readDataFile(backend, path, trees, context),
    interpolate: (value, given) => interpolate(value, given, lookup),
    locateKeyFile(path) {
      for (const tree of trees) if (tree instanceof WatchedTree) tree.watcher.readsSecretKey(path)
      return locateKeyFile(path, keyFolders)
    },
  }
}
