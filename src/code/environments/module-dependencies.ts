import { byCodeUnit } from '../../base/text/by-code-unit.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import type { CompileEnvironment, ModuleDirectory } from './compile-environment.ts'
import { below, isModuleFolder, type Module, metadataJson } from './modules.ts'

/** Another module that a module needs, by its metadata.json. */
export interface ModuleDependency {
  /** `author/name`. */
  readonly name: string
  /** A range of versions. */
  readonly range: string
}

/** A module as its metadata.json describes it. */
export interface ModuleDescription {
  /** `author/name`; `undefined` without metadata. */
  readonly forgeName: string | undefined
  readonly version: string | undefined
  readonly dependencies: readonly ModuleDependency[]
}

/** A module as its metadata.json describes it. */
export interface DescribedModule extends Module, ModuleDescription {}

/** A dependency that is not met. */
export interface UnmetDependency<Described = DescribedModule> {
  readonly reason: 'missing' | 'version_mismatch' | 'non_semantic_version'
  readonly parent: Described
  readonly dependency: ModuleDependency
  /** The version that is there. */
  readonly installed: string | undefined
}

/** Every module of each folder of the modulepath, in the order of names; also those that another of their name hides. */
export function describedModules({
  modulepath,
}: Pick<CompileEnvironment, 'modulepath'>): readonly (readonly [ModuleDirectory, readonly DescribedModule[]])[] {
  return modulepath.map((folder) => {
    const modules = folder.tree.list(folder.path).map((name) => ({
      name,
      directory: { tree: folder.tree, path: below(folder.path, name) },
    }))
    const found = modules.filter(({ name, directory }) => isModuleFolder(name, directory))
    return [folder, found.map(described).sort((a, b) => byCodeUnit(a.name, b.name))]
  })
}

/** The dependencies of a module that others do not meet: the first of each name is looked at. Puppet: module.rb. */
export function unmetDependencies<Described extends ModuleDescription>(
  parent: Described,
  named: ReadonlyMap<string, Described>,
): readonly UnmetDependency<Described>[] {
  return parent.dependencies.flatMap((dependency) => {
    const found = named.get(nameIn(dependency.name))
    const module = found?.forgeName === dependency.name ? found : undefined
    const reason = unmetReason(dependency, module)
    return reason === undefined ? [] : [{ reason, parent, dependency, installed: module?.version }]
  })
}

/** `name` of `author/name`. */
export function nameIn(forgeName: string): string {
  return forgeName.slice(forgeName.indexOf('/') + 1)
}

function unmetReason({ range }: ModuleDependency, module: ModuleDescription | undefined) {
  if (!module) return 'missing'
  const required = SemVerRange.parse(range)
  const installed = SemVer.parse(module.version ?? '')
  if (!required || !installed) return 'non_semantic_version'
  return required.includes(installed) ? undefined : 'version_mismatch'
}

function described(module: Module): DescribedModule {
  return { ...module, ...moduleDescription(metadataJson(module)) }
}

/** The description in the data of a metadata.json; of a module that has none, its name alone. */
export function moduleDescription({
  name,
  version,
  dependencies,
}: Readonly<Record<string, unknown>> = {}): ModuleDescription {
  return {
    forgeName: typeof name === 'string' ? name.replace('-', '/') : undefined,
    version: typeof version === 'string' ? version : undefined,
    dependencies: Array.isArray(dependencies) ? dependencies.flatMap(dependencyOf) : [],
  }
}

function dependencyOf(told: unknown): readonly ModuleDependency[] {
  if (typeof told !== 'object' || told === null) return []
  const { name, version_requirement: range } = told as Record<string, unknown>
  if (typeof name !== 'string') return []
  return [{ name: name.replace('-', '/'), range: typeof range === 'string' ? range : '>= 0.0.0' }]
}
