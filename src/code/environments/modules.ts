import { budgets } from '../../base/budgets/budgets.ts'
import type { CompileEnvironment, ModuleDirectory } from './compile-environment.ts'

/** A module of an environment. */
export interface Module {
  readonly name: string
  /** The folder itself. */
  readonly directory: ModuleDirectory
}

/** Fields of a module's metadata.json that are text. */
export interface ModuleMetadata {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly author: string | undefined
  readonly license: string | undefined
  readonly summary: string | undefined
}

type Code = Pick<CompileEnvironment, 'modulepath'>

/** Every module: in the order of the modulepath, then of names; the first of a name wins. */
export function modulesOf({ modulepath }: Code): readonly Module[] {
  const modules = new Map<string, Module>()
  for (const { tree, path } of modulepath)
    for (const name of tree.list(path)) {
      const directory = { tree, path: below(path, name) }
      if (!modules.has(name) && isModuleFolder(name, directory)) modules.set(name, { name, directory })
    }
  return [...modules.values()]
}

/** The module of a name; `undefined` when there is none. */
export function findModule({ modulepath }: Code, name: string): Module | undefined {
  for (const { tree, path } of modulepath) {
    const directory = { tree, path: below(path, name) }
    if (isModuleFolder(name, directory)) return { name, directory }
  }
  return undefined
}

/** A module's metadata.json; `undefined` where there is none that can be read. */
export function metadataOf(module: Module): ModuleMetadata | undefined {
  const metadata = metadataJson(module)
  if (metadata === undefined) return undefined
  const said = (key: string) => (typeof metadata[key] === 'string' ? metadata[key] : undefined)
  return {
    name: said('name'),
    version: said('version'),
    author: said('author'),
    license: said('license'),
    summary: said('summary'),
  }
}

/** The object that metadata.json holds, as it is; `undefined` where there is none that can be read. */
export function metadataJson({ directory: { tree, path } }: Module): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = tree.read(below(path, 'metadata.json'))
    if (bytes === undefined || bytes.length > budgets.environment.moduleMetadata.bound) return undefined
    const metadata: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A path below a directory of a tree. */
export function below(directory: string, path: string): string {
  return directory === '' || path === '' ? directory || path : `${directory}/${path}`
}

/** True of a folder's name that may be a module's. Puppet: module.rb, is_module_directory_name?. */
export function isModuleName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name)
}

/** True of a folder that holds a module. Puppet: module.rb, is_module_directory?. */
export function isModuleFolder(name: string, { tree, path }: ModuleDirectory): boolean {
  return isModuleName(name) && tree.entry(path)?.kind === 'directory'
}
