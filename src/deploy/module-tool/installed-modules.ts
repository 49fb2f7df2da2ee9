import { dirname } from 'node:path'
import { openCommandLineCode } from '../../code/environments/environment-opener.ts'
import { listDescribedModules, type ModuleDescription } from '../../code/environments/module-dependencies.ts'
import { joinPath } from '../../code/environments/modules.ts'
import { SemVer } from '../../language/values/semver.ts'
import type { CandidateRelease, VersionConstraint } from './dependency-resolution.ts'

/** A module in a directory of the modulepath. */
export interface InstalledModule extends ModuleDescription {
  /** Name of its folder. */
  readonly folderName: string
  /** Slug of the module, or the name of its folder if it has no metadata. */
  readonly name: string
  readonly path: string
  /** The directory of the modulepath. */
  readonly directory: string
}

/** Priority of installed modules in a search, as in Puppet. */
const installedPriority = 10

/** The modules in the directories of a modulepath. Puppet: module_tool/installed_modules.rb. */
export class InstalledModules {
  readonly all: readonly InstalledModule[]

  constructor(modulepath: readonly string[]) {
    const code = openCommandLineCode({ name: 'modules', modulepath: [...new Set(modulepath)], manifest: undefined })
    this.all = listDescribedModules(code).flatMap(([, modules]) =>
      modules.map(({ name, directory: { tree, path: folder }, ...described }) => {
        const path = joinPath(tree.root, folder)
        const slug = described.forgeName?.replace('/', '-') ?? name
        return { ...described, folderName: name, name: slug, path, directory: dirname(path) }
      }),
    )
  }

  /** The first module with a slug. */
  find(slug: string): InstalledModule | undefined {
    return this.all.find(({ name, forgeName }) => forgeName !== undefined && name === slug)
  }

  /** The last module in a folder of this name. */
  findFolder(name: string): InstalledModule | undefined {
    return this.all.findLast(({ folderName }) => folderName === name)
  }

  /** The modules with metadata, the first of each slug. */
  listUsed(): readonly InstalledModule[] {
    const used = new Map<string, InstalledModule>()
    for (const module of this.all)
      if (module.forgeName !== undefined && !used.has(module.name)) used.set(module.name, module)
    return [...used.values()]
  }

  /** Ranges of all modules but one: the same major version, and their dependencies. */
  listConstraints(except: string): readonly VersionConstraint[] {
    return this.listUsed()
      .filter(({ name }) => name !== except)
      .flatMap((module) => {
        const { name } = module
        const version = getVersion(module)
        return [
          { source: undefined, name, range: `>=${version} ${version.major}.x` },
          ...module.dependencies.map((each) => ({
            source: name,
            name: each.name.replace('/', '-'),
            range: each.range,
          })),
        ]
      })
  }

  /** Modules in use that require a module. */
  listDependents(
    slug: string,
  ): readonly { readonly name: string; readonly version: string | undefined; readonly range: string }[] {
    const seen = new Set<string>()
    return this.all
      .filter(({ folderName }) => !seen.has(folderName) && seen.add(folderName))
      .flatMap(({ forgeName, version, dependencies }) =>
        dependencies
          .filter(({ name }) => forgeName !== undefined && name.replace('/', '-') === slug)
          .map(({ range }) => ({ name: forgeName!, version, range })),
      )
      .sort((one, other) => (one.name < other.name ? -1 : 1))
  }
}

/** A module as a candidate in a search. */
export function toCandidate(module: InstalledModule, priority: number = installedPriority): CandidateRelease {
  const ranges = module.dependencies.map(({ name, range }) => [name.replace('/', '-'), range] as const)
  return {
    name: module.name,
    version: getVersion(module),
    priority,
    dependencies: new Map(ranges),
    isInstalled: true,
  }
}

/** The version of a module; 0.0.0 if it is not a version. */
export function getVersion({ version = '' }: InstalledModule): SemVer {
  return SemVer.parse(version) ?? new SemVer(0, 0, 0)
}
