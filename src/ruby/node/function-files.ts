import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { toRubyPath } from '../wasi/disk.ts'

/** Folders that contain the functions of modules on a node. */
export interface FunctionFolders {
  /** Folders of Ruby libraries: the synchronized plug-ins, and `lib` of each local module. */
  readonly loadPath: readonly string[]
  /** Folders of modules; empty on a node that only synchronizes plug-ins. */
  readonly modulepath: readonly string[]
}

/** A file that defines a function of a module. */
export interface FunctionFile {
  /** `ruby`: the Puppet 4 API; `legacy`: the Puppet 3 API; `puppet`: the Puppet language. */
  readonly kind: 'ruby' | 'legacy' | 'puppet'
  readonly path: string
}

/** Pattern of a function's full name, whose parts become parts of a path. */
const validName = /^[a-z_]\w*(?:::[a-z_]\w*)*$/i

/**
 * Finds the file of a function by its full name. As in Puppet, synchronized plug-ins contain functions in Ruby only;
 * functions in the Puppet language are found in modules. Puppet: pops/loader/module_loaders.rb.
 */
export function findFunctionFile(name: string, { loadPath, modulepath }: FunctionFolders): FunctionFile | undefined {
  if (!validName.test(name)) return undefined
  const [module = '', ...rest] = name.split('::')
  const path = findFile(loadPath, `puppet/functions/${[module, ...rest].join('/')}.rb`)
  if (path !== undefined) return { kind: 'ruby', path }
  if (rest.length > 0) {
    const code = findFile(modulepath, `${module}/functions/${rest.join('/')}.pp`)
    return code === undefined ? undefined : { kind: 'puppet', path: code }
  }
  const legacy = findLegacyFunctionFile(name, loadPath)
  return legacy === undefined ? undefined : { kind: 'legacy', path: legacy }
}

/** Finds the file of a function of the Puppet 3 API. */
export function findLegacyFunctionFile(name: string, loadPath: readonly string[]): string | undefined {
  return validName.test(name) ? findFile(loadPath, `puppet/parser/functions/${name}.rb`) : undefined
}

/** Finds `MODULE/REST` in a folder of the module, such as `templates`. */
export function findModuleFile(
  kind: string,
  name: string,
  { modulepath }: Pick<FunctionFolders, 'modulepath'>,
): string | undefined {
  const [module = '', ...rest] = name.split('/')
  const parts = [module, ...rest]
  if (rest.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..')) return undefined
  return findFile(modulepath, join(module, kind, ...rest))
}

/** Finds the folder of a module. */
export function findModuleDirectory(
  name: string,
  { modulepath }: Pick<FunctionFolders, 'modulepath'>,
): string | undefined {
  return /^\w+$/.test(name) ? findFile(modulepath, name) : undefined
}

/** Names of the modules in these folders. */
export function listModules(modulepath: readonly string[]): readonly string[] {
  return modulepath.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
}

/** Module folders of these Ruby libraries: `/modules` for `/modules/apt/lib`. */
export function getModulepath(libraries: readonly string[]): readonly string[] {
  return [...new Set(libraries.filter((path) => basename(path) === 'lib').map((path) => dirname(dirname(path))))]
}

function findFile(folders: readonly string[], path: string): string | undefined {
  return folders.map((folder) => toRubyPath(join(folder, path))).find((each) => existsSync(each))
}
