import { isModuleName } from './modules.ts'

/**
 * The files that a static catalog references by commit. `puppet`: the files that Puppet Server
 * inlines; `modules`: `files` of every module in the commit; `all`: also plug-ins and other module
 * mounts.
 */
export type StaticScope = 'puppet' | 'modules' | 'all'

/** Matches a module whose path has two parts, and the folder of the module from which files of a commit are served. */
const servedFolder = /^[^/]+\/[^/]+\/(?:files|tasks|scripts|lib)(?=\/|$)/
/** Paths that Puppet Server inlines. Puppet: indirector/catalog/compiler.rb, inlineable_metadata?. */
const inlined = /^[^/]+\/[^/]+\/files\/./
/** Folders of modules whose files are served by commit, for modules in any folder. */
const kinds: Readonly<Record<StaticScope, readonly string[]>> = {
  puppet: [],
  modules: ['files', 'tasks', 'scripts', 'lib'],
  all: ['files', 'tasks', 'scripts', 'lib', 'facts.d', 'locales'],
}

/** Resolves `auto`, depending on whether the code is a commit or a folder. */
export function resolveStaticScope(setting: StaticScope | 'auto', codeId: string | undefined): StaticScope {
  if (setting !== 'auto') return setting
  return codeId === undefined ? 'puppet' : 'modules'
}

/**
 * Returns true if a static catalog of this scope may reference the path (from the root of the tree)
 * of a mounted file.
 */
export function isInlinedFile(path: string, scope: StaticScope): boolean {
  return scope !== 'puppet' || inlined.test(path)
}

/** Returns true for a path (from the root of the tree) that Puppet Server's `static_file_content` serves. */
export function isServedByCommit(path: string): boolean {
  return servedFolder.test(path)
}

/**
 * Returns true for a path inside a folder that Puppet Server's `static_file_content` serves, but
 * not for the folder itself.
 */
export function isFileServedByCommit(path: string): boolean {
  const [folder] = servedFolder.exec(path) ?? []
  return folder !== undefined && path.length > folder.length + 1
}

/**
 * Matchers of module folders: each returns the number of path names up to the module folder, or
 * `undefined`.
 */
export type ModuleFolders = readonly ((names: readonly string[]) => number | undefined)[]

/**
 * Returns true for a path in a module folder that the scope serves; `folders` come from the
 * commit's modulepath.
 */
export function isServedModuleFile(path: string, scope: StaticScope, folders: ModuleFolders): boolean {
  const names = path.split('/')
  return folders.some((matcher) => {
    const at = matcher(names)
    if (at === undefined || names.slice(at + 2).join('') === '') return false
    return isModuleName(names[at]!) && kinds[scope].includes(names[at + 1]!)
  })
}
