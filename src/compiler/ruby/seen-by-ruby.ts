import { hash } from 'node:crypto'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { isInFolders, type OutsideEntry } from '../../network/outside/folders.ts'
import type { Surroundings } from '../../ruby/session/session.ts'
import type { Place } from '../code/module-files.ts'
import type { ReadOutside } from './outside-files.ts'
import { rubyAnswer } from './ruby-answer.ts'
import { isCode, isFunctionCode } from './ruby-digest.ts'

/** Matches files in the folders of functions, which Ruby reads as code. */
const functionFolder = /(?:^|\/)lib\/puppet\/(?:functions|parser\/functions)\//

/** An environment's files and clock as Ruby sees them, in a form that can be compared. */
export type SeenByRuby = Pick<Surroundings, 'pathAnswer' | 'folderAnswer' | 'time'>

/** Folders outside of the commit that Ruby may read, and their reader. */
export interface Outside {
  readonly folders: readonly string[]
  readonly read: ReadOutside
}

/** Returns Ruby's view of an environment, and of folders outside of the commit. */
export function seenByRuby(environment: CompileEnvironment, outside?: Outside): SeenByRuby {
  const { tree } = environment
  // Inner trees are first, since the innermost tree that contains a path is used.
  const trees = [...treesOf(environment)].sort((one, other) => other.root.length - one.root.length)
  return {
    pathAnswer(path) {
      const place = placeOf(trees, path)
      if (!place && outside && isInFolders(path, outside.folders)) return outsideAnswer(outside.read(path))
      const entry = place?.tree.entry(place.path)
      if (entry?.kind !== 'file') return entry?.kind ?? 'nothing'
      return place!.path.endsWith('.rb') && functionFolder.test(place!.path)
        ? rubyAnswer(place!.tree, place!.path)
        : entry.oid
    },
    folderAnswer(path) {
      const place = placeOf(trees, path)
      if (place) return place.tree.list(place.path).join('\0')
      const found = outside && isInFolders(path, outside.folders) ? outside.read(path) : undefined
      return found?.kind === 'directory' ? found.names.join('\0') : ''
    },
    time: tree.time,
  }
}

function outsideAnswer(entry: OutsideEntry | undefined): string {
  return entry?.kind === 'file' ? `sha256:${hash('sha256', entry.bytes)}` : (entry?.kind ?? 'nothing')
}

/** Returns the trees that Ruby sees; the environment's own tree is first. */
export function treesOf({ tree, modulepath }: CompileEnvironment): readonly CodeTree[] {
  return [tree, ...modulepath.map((directory) => directory.tree)]
}

/**
 * Returns a function that classifies paths of Ruby code as function files or other files. It reads the load path once.
 */
export function rubyCodeTest({ tree }: CompileEnvironment, loadPath: () => readonly string[]) {
  let folders: readonly string[] | undefined
  return (path: string): 'function' | 'other' | undefined => {
    folders ??= [...loadPath(), `${tree.root}/lib`]
    const inLib = folders.filter((folder) => path.startsWith(`${folder}/`)).map((folder) => path.slice(folder.length))
    if (!inLib.some(isCode)) return undefined
    return inLib.some(isFunctionCode) ? 'function' : 'other'
  }
}

/** Returns the tree that contains an absolute path, and the path within the tree. */
function placeOf(trees: readonly CodeTree[], path: string): Place | undefined {
  const tree = trees.find(({ root }) => path === root || path.startsWith(`${root}/`))
  return tree && { tree, path: path.slice(tree.root.length + 1) }
}
