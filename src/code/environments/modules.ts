import { budgets } from '../../base/budgets/budgets.ts'
import type { CompileEnvironment, ModuleDirectory } from './compile-environment.ts'

/** A module of an environment. */
export interface Module {
  readonly name: string
  /** The folder of the module. */
  readonly directory: ModuleDirectory
}

/** Text fields of a module's metadata.json. */
export interface ModuleMetadata {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly author: string | undefined
  readonly license: string | undefined
  readonly summary: string | undefined
}

type Code = Pick<CompileEnvironment, 'modulepath'>

/**
 * Returns all modules in the order of the modulepath, then by name. Of several modules with the
 * same name, only the first is returned.
 */
export function listModules({ modulepath }: Code): readonly Module[] {
  const modules = new Map<string, Module>()
  for (const { tree, path } of modulepath)
    for (const name of tree.list(path)) {
      const directory = { tree, path: joinPath(path, name) }
      if (!modules.has(name) && isModuleFolder(name, directory)) modules.set(name, { name, directory })
    }
  return [...modules.values()]
}

/** Returns the module with a name; `undefined` if it is missing. */
export function findModule({ modulepath }: Code, name: string): Module | undefined {
  for (const { tree, path } of modulepath) {
    const directory = { tree, path: joinPath(path, name) }
    if (isModuleFolder(name, directory)) return { name, directory }
  }
  return undefined
}

/** Returns the text fields of a module's metadata.json; `undefined` if the file is missing or unreadable. */
export function getModuleMetadata(module: Module): ModuleMetadata | undefined {
  const metadata = readMetadataJson(module)
  if (metadata === undefined) return undefined
  const getTextField = (key: string) => (typeof metadata[key] === 'string' ? metadata[key] : undefined)
  return {
    name: getTextField('name'),
    version: getTextField('version'),
    author: getTextField('author'),
    license: getTextField('license'),
    summary: getTextField('summary'),
  }
}

/** Returns the JSON object in metadata.json; `undefined` if the file is missing or unreadable. */
export function readMetadataJson({ directory: { tree, path } }: Module): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = tree.read(joinPath(path, 'metadata.json'))
    if (bytes === undefined || bytes.length > budgets.environment.moduleMetadata.bound) return undefined
    const metadata: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Joins the path of a directory and a relative path. */
export function joinPath(directory: string, path: string): string {
  return directory === '' || path === '' ? directory || path : `${directory}/${path}`
}

/** Returns true for a valid module folder name. Puppet: module.rb, is_module_directory_name?. */
export function isModuleName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name)
}

/** Returns true for a folder that contains a module. Puppet: module.rb, is_module_directory?. */
export function isModuleFolder(name: string, { tree, path }: ModuleDirectory): boolean {
  return isModuleName(name) && tree.entry(path)?.kind === 'directory'
}
