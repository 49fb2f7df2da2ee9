import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { formatCommitPath } from '../../code/environments/commit-path.ts'
import type { CompileEnvironment, ModuleDirectory } from '../../code/environments/compile-environment.ts'
import {
  type DescribedModule,
  findUnmetDependencies,
  getForgeModuleName,
  listDescribedModules,
  type UnmetDependency,
} from '../../code/environments/module-dependencies.ts'
import { joinPath } from '../../code/environments/modules.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { atOption, loadCodeSettings, openCodeWithOverrides, repoOption } from '../input/code-source.ts'
import { type Branch, formatTree } from './tree-text.ts'

/** The command `plumb module list`. */
export const listCommand = defineCommand({
  name: 'list',
  summary: 'List modules with their versions and unmet dependencies.',
  description: `Lists the modules in each directory of the modulepath, in a commit or on disk. Prints warnings about dependencies in
metadata.json that are missing or have another version.

  plumb module list --repo control.git --at production
  plumb module list --modulepath /etc/puppetlabs/code/modules --tree`,
  options: [repoOption, atOption, { flags: '--tree', doc: 'Print the dependencies as a tree.' }, renderAs],
  async run(invocation) {
    const { options, io, settings: given } = invocation
    const asked = { options, io, settings: given }
    const listed = new Listed(
      await openCodeWithOverrides(asked, loadCodeSettings(asked, 'user'), { mayBeAbsent: true }),
    )
    if (options.renderAs === 'json') io.out(`${JSON.stringify(listed.asData(), undefined, 2)}\n`)
    else {
      for (const warning of listed.warnings()) printMessage('Warning', warning, io)
      for (const text of listed.lines(options.tree === true, io)) io.out(`${text}\n`)
    }
    return 0
  },
})

/** The modules of an environment with their dependencies. Puppet: face/module/list.rb. */
class Listed {
  readonly #code: CompileEnvironment
  readonly #folders: readonly (readonly [ModuleDirectory, readonly DescribedModule[]])[]
  /** The modules in use: the first of each name. */
  readonly #named = new Map<string, DescribedModule>()
  readonly #unmet: readonly UnmetDependency[]

  constructor(code: CompileEnvironment) {
    this.#code = code
    this.#folders = listDescribedModules(code)
    for (const each of this.#folders.flatMap(([, modules]) => modules))
      if (!this.#named.has(each.name)) this.#named.set(each.name, each)
    const used = [...this.#named.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
    this.#unmet = used.flatMap((parent) => findUnmetDependencies(parent, this.#named))
  }

  asData() {
    return this.#folders.map(([folder, modules]) => ({
      path: this.#path(folder),
      modules: modules.map((each) => ({
        name: formatModuleName(each),
        version: each.version ?? null,
        path: this.#path(each.directory),
        dependencies: each.dependencies.map(({ name, range }) => ({
          name: toDashedName(name),
          version_requirement: range,
        })),
        unmet: this.#unmet
          .filter(({ parent }) => parent === each)
          .map(({ reason, dependency, installed }) => ({
            name: toDashedName(dependency.name),
            reason,
            installed: installed ?? null,
          })),
      })),
    }))
  }

  /** Returns the warnings about unmet dependencies, one for each required module. */
  warnings(): readonly string[] {
    return (['non_semantic_version', 'version_mismatch', 'missing'] as const).flatMap((reason) => {
      const unmet = this.#unmet.filter((each) => each.reason === reason)
      const names = new Set(unmet.map(({ dependency }) => dependency.name))
      return [...names].sort().map((name) =>
        formatDependencyWarning(
          reason,
          name,
          unmet.filter(({ dependency }) => dependency.name === name),
        ),
      )
    })
  }

  lines(tree: boolean, io: Pick<Io, 'color'>): readonly string[] {
    return this.#folders.flatMap(([folder, modules]) => {
      const none = modules.length === 0 ? ' (no modules installed)' : ''
      const branches = tree ? this.#tree(folder, modules, io) : this.#list(folder, modules, io)
      return [`${this.#path(folder)}${none}`, ...formatTree(branches)]
    })
  }

  #list(folder: ModuleDirectory, modules: readonly DescribedModule[], io: Pick<Io, 'color'>): readonly Branch[] {
    return [...modules]
      .sort((a, b) => compareCodeUnits(a.forgeName ?? a.name, b.forgeName ?? b.name))
      .map((each) => ({ text: this.#line(each, folder, io) + (this.#refusedBy(each) ? '  invalid' : ''), below: [] }))
  }

  /** Starts with the modules on which the fewest other modules depend. Prints each module once. */
  #tree(folder: ModuleDirectory, modules: readonly DescribedModule[], io: Pick<Io, 'color'>): readonly Branch[] {
    const shown = new Set<string>()
    const buildBranches = (list: readonly DescribedModule[], parent?: DescribedModule): readonly Branch[] =>
      list.flatMap((each) => {
        if (shown.has(formatModuleName(each))) return []
        shown.add(formatModuleName(each))
        const invalid = parent !== undefined && this.#refusedBy(each) === parent ? '  invalid' : ''
        const needs = each.dependencies.flatMap(({ name }) => this.#named.get(getForgeModuleName(name)) ?? [])
        return [
          {
            text: this.#line(each, folder, io) + invalid,
            below: [...this.#missing(each), ...buildBranches(needs, each)],
          },
        ]
      })
    const needed = [...this.#named.values()].flatMap(({ dependencies }) => dependencies.map(({ name }) => name))
    const countDependents = ({ forgeName }: DescribedModule) => needed.filter((name) => name === forgeName).length
    return buildBranches([...modules].sort((a, b) => countDependents(a) - countDependents(b)))
  }

  #line(module: DescribedModule, folder: ModuleDirectory, { color }: Pick<Io, 'color'>): string {
    const version = module.version === undefined ? '???' : `v${module.version}`
    const parent = joinPath(folder.path, module.name) === module.directory.path && folder.tree === module.directory.tree
    const elsewhere = parent ? '' : ` [${this.#path(module.directory).replace(/\/[^/]*$/, '')}]`
    return `${formatModuleName(module)} (${color ? `\u001b[0;36m${version}\u001b[0m` : version})${elsewhere}`
  }

  #path({ tree, path }: ModuleDirectory): string {
    const file = joinPath(tree.root, path)
    return formatCommitPath(this.#code, file) ?? file
  }

  /** The last module that requires another version of the given module. */
  #refusedBy({ forgeName }: DescribedModule): DescribedModule | undefined {
    return this.#unmet.findLast(
      ({ reason, dependency }) => reason === 'version_mismatch' && dependency.name === forgeName,
    )?.parent
  }

  #missing(module: DescribedModule): readonly Branch[] {
    return this.#unmet
      .filter(({ parent, reason }) => parent === module && reason === 'missing')
      .map(({ dependency: { name, range } }) => ({
        text: `UNMET DEPENDENCY ${toDashedName(name)} (${formatConstraint(range)})`,
        below: [],
      }))
  }
}

function formatDependencyWarning(
  reason: UnmetDependency['reason'],
  name: string,
  unmet: readonly UnmetDependency[],
): string {
  const heads = {
    missing: `Missing dependency '${toDashedName(name)}':`,
    version_mismatch: `Module '${toDashedName(name)}' (v${unmet[0]?.installed}) fails to meet some dependencies:`,
    non_semantic_version: `Non semantic version dependency ${toDashedName(name)} (v${unmet[0]?.installed ?? ''}):`,
  }
  const lines = unmet.map(
    ({ parent, dependency: { range } }) =>
      `'${formatModuleName(parent)}' (${formatConstraint(parent.version ?? '')}) requires '${toDashedName(name)}' (${formatConstraint(range)})`,
  )
  return [heads[reason], ...lines].join('\n')
}

function formatModuleName({ forgeName, name }: DescribedModule): string {
  return forgeName === undefined ? name : toDashedName(forgeName)
}

function toDashedName(forgeName: string): string {
  return forgeName.replace('/', '-')
}

/** Adds the prefix `v` to a version that begins with a digit. */
function formatConstraint(range: string): string {
  return /^\d/.test(range) ? `v${range}` : range
}
