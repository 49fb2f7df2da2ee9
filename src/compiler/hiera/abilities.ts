import type { CodeTree } from '../../code/environments/code-tree.ts'
import { WatchedTree } from '../../code/environments/watched-tree.ts'
import { placeOf, readDataFile } from './data-files.ts'
import { readSecretKey } from './eyaml/secret-keys.ts'
import { interpolate, type LookupAnother } from './interpolation.ts'
import type { Abilities } from './lookup-context.ts'

/** For whom a data function works, and what it may reach. */
interface Surroundings {
  readonly environment: string
  readonly module: string | undefined
  readonly trees: readonly CodeTree[]
  /** Folders of the machine that private keys may be read from. */
  readonly keyFolders: readonly string[]
}

/** Abilities of a data function at a level. */
export function abilitiesAt(
  { environment, module, trees, keyFolders }: Surroundings,
  lookup: LookupAnother,
): Abilities {
  return {
    environment,
    module,
    readText(path) {
      const found = placeOf(path, trees)
      return found?.tree.readText(found.inTree)
    },
    readHash: (backend, path, { context }) => readDataFile(backend, path, trees, context),
    interpolate: (value, given) => interpolate(value, given, lookup),
    secretKey(path) {
      for (const tree of trees) if (tree instanceof WatchedTree) tree.watcher.readsSecretKey(path)
      return readSecretKey(path, keyFolders)
    },
  }
}
