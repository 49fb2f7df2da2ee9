import { codeSources, moduleSources } from '../agent/file-sources.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import { below, modulesOf } from '../environments/modules.ts'
import type { FileSources } from '../resources/provider.ts'
import { localSystem } from '../system/local-system.ts'

/** Sources of `puppet:///modules/…`; files of a folder have their owners and modes. */
export function sourcesOfModules(code: CompileEnvironment): FileSources {
  if (code.tree.codeId !== undefined) return codeSources(code)
  return moduleSources(
    localSystem.files,
    code.modulepath.map(({ tree, path }) => below(tree.root, path)),
  )
}

/** The folders of plug-ins that modules on this disk bring; what a repository has comes by pluginsync. */
export function libraryFolders(code: CompileEnvironment): string[] {
  if (code.tree.codeId !== undefined) return []
  return modulesOf(code).map(({ directory: { tree, path } }) => below(tree.root, below(path, 'lib')))
}
