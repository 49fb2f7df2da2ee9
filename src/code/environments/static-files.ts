import { isModuleName } from './modules.ts'

/**
 * The files that static catalogs name by their commit: `puppet`, what Puppet Server inlines; `modules`, the `files` of every
 * module of the commit; `all`, its plug-ins and other mounts of modules too.
 */
export type StaticScope = 'puppet' | 'modules' | 'all'

/** A module two folders below the root, and of it the folders that a commit's files are served from. */
const servedFolder = /^[^/]+\/[^/]+\/(?:files|tasks|scripts|lib)(?=\/|$)/
/** Paths that Puppet Server inlines. Puppet: indirector/catalog/compiler.rb, inlineable_metadata?. */
const inlined = /^[^/]+\/[^/]+\/files\/./
/** Folders of a module whose files are served by commit, wherever the module lies. */
const kinds: Readonly<Record<StaticScope, readonly string[]>> = {
  puppet: [],
  modules: ['files', 'tasks', 'scripts', 'lib'],
  all: ['files', 'tasks', 'scripts', 'lib', 'facts.d', 'locales'],
}

/** The scope of a setting, where it says one, or else of the kind of code: commits, or folders. */
export function staticScopeOf(setting: StaticScope | 'auto', codeId: string | undefined): StaticScope {
  if (setting !== 'auto') return setting
  return codeId === undefined ? 'puppet' : 'modules'
}

/** True of a path, from the root of the tree, that a static catalog of the scope may name; its file was found by a mount. */
export function isInlined(path: string, scope: StaticScope): boolean {
  return scope !== 'puppet' || inlined.test(path)
}

/** True of a path, from the root of the tree, whose files Puppet Server's `static_file_content` gives. */
export function isServedByCommit(path: string): boolean {
  return servedFolder.test(path)
}

/** True of a path inside such a folder, not of the folder itself. */
export function isFileServedByCommit(path: string): boolean {
  const [folder] = servedFolder.exec(path) ?? []
  return folder !== undefined && path.length > folder.length + 1
}

/** A matcher of folders of modules: the number of names of a path that lead to the folder; `undefined` when they lead to none. */
export type ModuleFolders = readonly ((names: readonly string[]) => number | undefined)[]

/** True of a path that lies in a folder of a module, which the scope serves; `folders` are those of the commit's modulepath. */
export function isFileOfModule(path: string, scope: StaticScope, folders: ModuleFolders): boolean {
  const names = path.split('/')
  return folders.some((matcher) => {
    const at = matcher(names)
    if (at === undefined || names.slice(at + 2).join('') === '') return false
    return isModuleName(names[at]!) && kinds[scope].includes(names[at + 1]!)
  })
}
