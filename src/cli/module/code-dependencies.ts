import { relative } from 'node:path'
import type { ModuleProblem } from '../../deploy/module-tool/metadata-check.ts'
import { CheckedCode } from '../../workbench/code-checks/code/checked-code.ts'
import { findModuleUses } from '../../workbench/code-checks/module-uses.ts'
import { CodeWorkspace } from '../../workbench/code-index/code-workspace.ts'
import { toShortModuleName } from '../../workbench/code-index/module-description.ts'

/** Dependencies that code and metadata.json do not have in common. */
export interface DependencyFindings {
  /** Modules that code uses and metadata.json does not name. */
  readonly problems: readonly ModuleProblem[]
  /** Dependencies that no code uses. */
  readonly warnings: readonly ModuleProblem[]
}

/**
 * Compares the dependencies of a module, by their full names, with the modules that its code uses. A name without a
 * namespace belongs to the module in the fixtures or in the modulepath that defines it.
 */
export function compareDependencies(
  root: string,
  dependencies: Iterable<string>,
  modulepath: readonly string[],
): DependencyFindings {
  const code = new CheckedCode(new CodeWorkspace(root, { modulepath }))
  const own = [...code.workspace.modules.values()].find(({ folder }) => folder === code.workspace.root)
  if (!own) return { problems: [], warnings: [] }
  const named = new Map([...dependencies].map((slug) => [toShortModuleName(slug), slug]))
  const { uses, isUnused } = findModuleUses(code, own, new Set(named.keys()))
  return {
    problems: [...uses.values()]
      .filter(({ module }) => !named.has(module))
      .map(({ module, path, line }) => ({
        check: 'dependency_missing',
        message: `metadata.json does not name the module ${module}, which ${relative(root, path)}:${line} uses`,
      })),
    warnings: [...named]
      .filter(([name]) => isUnused(name))
      .map(([, slug]) => ({ check: 'dependency_unused', message: `No code uses the dependency ${slug}` })),
  }
}
