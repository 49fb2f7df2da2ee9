import { hash } from 'node:crypto'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { isInAllowedFolders, type OutsideEntry } from '../../network/outside/allowed-folders.ts'
import type { Surroundings } from '../../ruby/session/surroundings.ts'
import type { Place } from '../code/module-files.ts'
import type { ReadExternalEntry } from './external-files.ts'
import { isFunctionCode, isRubyCode } from './ruby-digest.ts'

/** An environment's files and clock as Ruby sees them, in a form that can be compared. */
export type RubyView = Pick<Surroundings, 'pathAnswer' | 'folderAnswer' | 'time'>

/** Folders outside of the commit that Ruby may read, and their reader. */
export interface ExternalFolders {
  readonly folders: readonly string[]
  readonly read: ReadExternalEntry
}

/** Returns Ruby's view of an environment, and of folders outside of the commit. */
export function createRubyView(environment: CompileEnvironment, outside?: ExternalFolders): RubyView {
  const { tree } = environment
  // Inner trees are first: `mountFiles` uses the innermost tree that has a path.
  const trees = [...listRubyTrees(environment)].sort((one, other) => other.root.length - one.root.length)
  return {
    pathAnswer(path) {
      const places = listPlaces(trees, path)
      if (places.length === 0 && outside && isInAllowedFolders(path, outside.folders))
        return describeExternalEntry(outside.read(path))
      const entry = places.map((place) => place.tree.entry(place.path)).find((each) => each !== undefined)
      return entry?.kind === 'file' ? entry.oid : (entry?.kind ?? 'nothing')
    },
    folderAnswer(path) {
      const places = listPlaces(trees, path)
      if (places.length > 0)
        return [...new Set(places.flatMap((place) => place.tree.list(place.path)))].sort().join('\0')
      const found = outside && isInAllowedFolders(path, outside.folders) ? outside.read(path) : undefined
      return found?.kind === 'directory' ? found.names.join('\0') : ''
    },
    time: tree.time,
  }
}

function describeExternalEntry(entry: OutsideEntry | undefined): string {
  return entry?.kind === 'file' ? `sha256:${hash('sha256', entry.bytes)}` : (entry?.kind ?? 'nothing')
}

/** Returns the trees that Ruby sees; the environment's own tree is first. */
export function listRubyTrees({ tree, modulepath, globalHiera }: CompileEnvironment): readonly CodeTree[] {
  return [tree, ...modulepath.map((directory) => directory.tree), ...(globalHiera?.data ?? [])]
}

/**
 * Returns a function that classifies paths of Ruby code as function files or other files. It reads the load path once.
 */
export function createRubyCodeClassifier({ tree }: CompileEnvironment, loadPath: () => readonly string[]) {
  let folders: readonly string[] | undefined
  return (path: string): 'function' | 'other' | undefined => {
    folders ??= [...loadPath(), `${tree.root}/lib`]
    const inLib = folders.filter((folder) => path.startsWith(`${folder}/`)).map((folder) => path.slice(folder.length))
    if (!inLib.some(isRubyCode)) return undefined
    return inLib.some(isFunctionCode) ? 'function' : 'other'
  }
}

/** Returns the places of an absolute path in the trees that can contain it. */
function listPlaces(trees: readonly CodeTree[], path: string): Place[] {
  return trees
    .filter(({ root }) => path === root || path.startsWith(`${root}/`))
    .map((tree) => ({ tree, path: path.slice(tree.root.length + 1) }))
}
