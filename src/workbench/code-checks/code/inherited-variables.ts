import { budgets } from '../../../base/budgets/budgets.ts'
import { normalizeName } from '../../../compiler/code/code-definition.ts'
import type { CodeFile } from '../../code-index/code-file.ts'
import type { CheckedCode } from './checked-code.ts'
import { listSetVariables } from './file-names.ts'
import { scopeVariables } from './top-scope.ts'

/**
 * The class that sets a variable: the given class or one that it inherits. `unknown` if the code of a class is absent;
 * `none` if no class sets the variable.
 */
export function findVariableOwner(
  code: CheckedCode,
  className: string,
  variable: string,
  from: CodeFile,
): { readonly name: string } | 'unknown' | 'none' {
  const seen = new Set<string>()
  for (let at: string | undefined = className; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    if (seen.size > budgets.workbench.relatedClasses.bound) return 'unknown'
    if (at === 'settings') return 'unknown'
    const found = code.definitions.findClass(at, from)
    if (!found) return code.workspace.modules.has(at.split('::', 1)[0]!) && seen.size === 1 ? 'none' : 'unknown'
    const wanted = `${at}::${variable}`
    if (scopeVariables.includes(variable)) return { name: at }
    if (listSetVariables(found.file).has(wanted)) return { name: at }
    at = found.node.parentClass === undefined ? undefined : normalizeName(found.node.parentClass)
  }
  return 'none'
}
