import type { CodeTree } from '../../environments/code-tree.ts'
import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import type { Surroundings } from '../../ruby/session.ts'
import type { Place } from '../code/module-files.ts'

/** Files that Ruby takes for code, or would, where it looks for some. */
const codeFile = /\.(?:rb|so|o|bundle|dll)$/

/** Ruby's view of an environment's files and of the clock, in a form that can be compared. */
export function seenByRuby(
  { tree, modulepath }: CompileEnvironment,
  loadPath: () => readonly string[],
): Pick<Surroundings, 'pathAnswer' | 'folderAnswer' | 'isRubyCode' | 'time'> {
  // Inner trees first: the innermost tree that covers a path counts.
  const trees = [tree, ...modulepath.map((directory) => directory.tree)].sort(
    (one, other) => other.root.length - one.root.length,
  )
  let folders: readonly string[] | undefined
  const codeFolders = (): readonly string[] => {
    folders ??= [...loadPath(), `${tree.root}/lib`].map((folder) => `${folder}/`)
    return folders
  }
  return {
    pathAnswer(path) {
      const place = placeOf(trees, path)
      const entry = place?.tree.entry(place.path)
      return entry?.kind === 'file' ? entry.oid : (entry?.kind ?? 'nothing')
    },
    folderAnswer(path) {
      const place = placeOf(trees, path)
      return place ? place.tree.list(place.path).join('\0') : ''
    },
    isRubyCode: (path) => codeFile.test(path) && codeFolders().some((folder) => path.startsWith(folder)),
    time: tree.time,
  }
}

/** The tree that has an absolute path, and the path in it. */
function placeOf(trees: readonly CodeTree[], path: string): Place | undefined {
  const tree = trees.find(({ root }) => path === root || path.startsWith(`${root}/`))
  return tree && { tree, path: path.slice(tree.root.length + 1) }
}
