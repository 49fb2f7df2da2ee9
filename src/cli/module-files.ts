import { codeSources, moduleSources } from '../agent/file-sources.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import { below, modulesOf } from '../environments/modules.ts'
import type { FileSources } from '../resources/provider.ts'
import { localSystem } from '../system/local-system.ts'
import type { Files } from '../system/system.ts'

/** Sources of `puppet:///modules/…`; files of a folder have their owners and modes. */
export function sourcesOfModules(code: CompileEnvironment): FileSources {
  if (code.tree.codeId !== undefined) return codeSources(code)
  return moduleSources(
    localSystem.files,
    code.modulepath.map(({ tree, path }) => below(tree.root, path)),
  )
}

/** The folders of plug-ins that modules bring, as paths of `filesOfCode`. */
export function libraryFolders(code: CompileEnvironment): string[] {
  return modulesOf(code).map(({ directory: { tree, path } }) => below(tree.root, below(path, 'lib')))
}

/** Files of this machine, and those of code where they seem to be. */
export function filesOfCode({ modulepath }: CompileEnvironment): Pick<Files, 'list' | 'readText'> {
  const placeOf = (path: string) => {
    const tree = modulepath.map((each) => each.tree).find(({ root }) => path.startsWith(`${root}/`))
    return tree && { tree, path: path.slice(tree.root.length + 1) }
  }
  return {
    async list(path) {
      const place = placeOf(path)
      return place ? place.tree.list(place.path) : localSystem.files.list(path)
    },
    async readText(path) {
      const place = placeOf(path)
      return place ? place.tree.readText(place.path) : localSystem.files.readText(path)
    },
  }
}
