import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import type { CompileEnvironment, ModuleDirectory } from './compile-environment.ts'
import { isModuleFolder, joinPath, type Module, readMetadataJson } from './modules.ts'

/** A dependency declared in a module's metadata.json. */
export interface ModuleDependency {
  /** Full name, `author/name`. */
  readonly name: string
  /** Range of acceptable versions. */
  readonly range: string
}

/** The data in a module's metadata.json. */
export interface ModuleDescription {
  /** Full name, `author/name`; `undefined` if the module has no metadata. */
  readonly forgeName: string | undefined
  readonly version: string | undefined
  readonly dependencies: readonly ModuleDependency[]
}

/** A module with the data in its metadata.json. */
export interface DescribedModule extends Module, ModuleDescription {}

/** An unmet dependency. */
export interface UnmetDependency<Described = DescribedModule> {
  readonly reason: 'missing' | 'version_mismatch' | 'non_semantic_version'
  readonly parent: Described
  readonly dependency: ModuleDependency
  /** The installed version. */
  readonly installed: string | undefined
}

/**
 * Returns the modules in each folder of the modulepath, ordered by name. Includes modules that
 * another module of the same name hides.
 */
export function listDescribedModules({
  modulepath,
}: Pick<CompileEnvironment, 'modulepath'>): readonly (readonly [ModuleDirectory, readonly DescribedModule[]])[] {
  return modulepath.map((folder) => {
    const modules = folder.tree.list(folder.path).map((name) => ({
      name,
      directory: { tree: folder.tree, path: joinPath(folder.path, name) },
    }))
    const found = modules.filter(({ name, directory }) => isModuleFolder(name, directory))
    return [folder, found.map(describeModule).sort((a, b) => compareCodeUnits(a.name, b.name))]
  })
}

/**
 * Returns the unmet dependencies of a module. Only the first module of each name can meet a
 * dependency. Puppet: module.rb.
 */
export function findUnmetDependencies<Described extends ModuleDescription>(
  parent: Described,
  named: ReadonlyMap<string, Described>,
): readonly UnmetDependency<Described>[] {
  return parent.dependencies.flatMap((dependency) => {
    const found = named.get(getForgeModuleName(dependency.name))
    const module = found?.forgeName === dependency.name ? found : undefined
    const reason = findUnmetReason(dependency, module)
    return reason === undefined ? [] : [{ reason, parent, dependency, installed: module?.version }]
  })
}

/** Returns the `name` of `author/name`. */
export function getForgeModuleName(forgeName: string): string {
  return forgeName.slice(forgeName.indexOf('/') + 1)
}

function findUnmetReason({ range }: ModuleDependency, module: ModuleDescription | undefined) {
  if (!module) return 'missing'
  const required = SemVerRange.parse(range)
  const installed = SemVer.parse(module.version ?? '')
  if (!required || !installed) return 'non_semantic_version'
  return required.includes(installed) ? undefined : 'version_mismatch'
}

function describeModule(module: Module): DescribedModule {
  return { ...module, ...parseModuleDescription(readMetadataJson(module)) }
}

/** Returns a module's description from its metadata.json; only its name if there is no metadata. */
export function parseModuleDescription({
  name,
  version,
  dependencies,
}: Readonly<Record<string, unknown>> = {}): ModuleDescription {
  return {
    forgeName: typeof name === 'string' ? name.replace('-', '/') : undefined,
    version: typeof version === 'string' ? version : undefined,
    dependencies: Array.isArray(dependencies) ? dependencies.flatMap(parseDependency) : [],
  }
}

function parseDependency(told: unknown): readonly ModuleDependency[] {
  if (typeof told !== 'object' || told === null) return []
  const { name, version_requirement: range } = told as Record<string, unknown>
  if (typeof name !== 'string') return []
  return [{ name: name.replace('-', '/'), range: typeof range === 'string' ? range : '>= 0.0.0' }]
}
