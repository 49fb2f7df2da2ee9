import { budgets } from '../../../base/budgets/budgets.ts'
import { isMetaparameter } from '../../../compiler/code/native-types.ts'
import type { Expression, Parameter } from '../../../language/syntax/tree/nodes.ts'
import { readComment } from '../../code-index/documentation.ts'
import { getPlainVariableName, type Occurrence } from '../../code-index/occurrence.ts'
import type { CheckedFile } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import { findVariableOwner } from '../code/inherited-variables.ts'
import type { CodeCheck } from '../code-check.ts'

/** Variables that nothing sets. Names that begin with `::` may be facts or come from a classifier. */
export const unknownVariable: CodeCheck = {
  name: 'unknown_variable',
  check(file, code, report) {
    const { occurrences, source } = file.file
    if (file.file.path.endsWith('.epp')) return
    const own = occurrences.filter(({ kind, isDefinition }) => kind === 'variable' && isDefinition)
    const names = new Set(own.map(({ name }) => name))
    const leaves = new Set(own.map(({ name }) => getPlainVariableName(name)))
    for (const each of occurrences) {
      if (each.kind !== 'variable' || each.isDefinition || names.has(each.name) || each.name.includes('@')) continue
      if (isGuarded(each, source.text) || isSet(each, file, code)) continue
      const written = source.text.slice(each.span.start, each.span.end)
      const suggestion = written.includes('::') ? '' : file.suggest(written, () => leaves)
      report(`unknown variable '$${written}'${suggestion}`, each.span)
    }
  },
}

/** True for a variable at top scope by its full name. */
function isGuarded({ name, span }: Occurrence, text: string): boolean {
  return !name.includes('::') && text.startsWith('::', span.start)
}

function isSet(each: Occurrence, { file }: CheckedFile, code: CheckedCode): boolean {
  const parts = each.name.split('::')
  const leaf = parts.pop()!
  if (parts.length > 0) return findVariableOwner(code, parts.join('::'), leaf, file) !== 'none'
  if (each.parentClass !== undefined && findVariableOwner(code, each.parentClass, leaf, file) !== 'none') return true
  // A declaration sets the metaparameters that it gives as variables, too.
  return isMetaparameter(leaf) || code.topScope.has(leaf)
}

/** Parameters of classes, defined types and functions that nothing reads. */
export const unusedParameter: CodeCheck = {
  name: 'unused_parameter',
  check(file, code, report) {
    if (file.file.isPlan || !isPartOf(file, code)) return
    const used = listUsedNames(file)
    for (const kind of ['HostClassDefinition', 'ResourceTypeDefinition', 'FunctionDefinition'] as const)
      for (const { node } of file.listNodes(kind)) {
        const inert = listInertParameters(readComment(node))
        for (const each of node.parameters) {
          const found = findParameter(file, each)
          if (!found || isRead(found, file, used, code) || isIntended(each, kind, inert)) continue
          report(`the parameter '$${each.name}' is never read`, found.span)
        }
      }
  },
}

/** False for a file outside of modules and site manifests, such as in a folder that is no module: its templates are unknown. */
function isPartOf({ file }: CheckedFile, { workspace }: CheckedCode): boolean {
  return workspace.moduleOf(file.path) !== undefined || file.path.startsWith(`${workspace.root}/manifests/`)
}

/** True for a parameter that has no effect on purpose: a deprecated one, or one of a Hiera backend. */
function isIntended({ name }: Parameter, kind: string, inert: ReadonlySet<string>): boolean {
  if (name.startsWith('_') || inert.has(name)) return true
  return kind === 'FunctionDefinition' && (name === 'options' || name === 'context')
}

/** Parameters that a comment describes as having no effect. */
function listInertParameters(comment: string): ReadonlySet<string> {
  const [, ...tags] = comment.split('@param')
  const inert = tags.filter((tag) =>
    /deprecat|unused|no longer|no effect|not used|obsolete|ignored/i.test(tag.split(/\n@|\n\n/, 1)[0]!),
  )
  return new Set(inert.map((tag) => /\w+/.exec(tag.slice(tag.split('\n', 1)[0]!.indexOf(']') + 1))?.[0] ?? ''))
}

function findParameter(file: CheckedFile, { name, span }: Parameter): Occurrence | undefined {
  const start = span.source.text.indexOf(`$${name}`, span.start)
  return start === -1 ? undefined : file.getVariableAt(start + 1)
}

/** Variables that are set and never read. */
export const unusedVariable: CodeCheck = {
  name: 'unused_variable',
  check(file, code, report) {
    if (file.file.isPlan || file.file.path.endsWith('.epp') || !isPartOf(file, code)) return
    const used = listUsedNames(file)
    const reported = new Set<string>()
    for (const { node, owner } of file.listNodes('Assignment')) {
      if (!owner || owner.kind === 'NodeDefinition') continue
      for (const variable of listAssigned(node.left)) {
        const found = file.getVariableAt(variable.span.start + 1)
        if (!found || variable.name.startsWith('_') || reported.has(found.name)) continue
        if (isRead(found, file, used, code)) continue
        reported.add(found.name)
        report(`the variable '$${variable.name}' is never read`, found.span)
      }
    }
  },
}

/** The variables that an assignment sets; none of a list, in which all but one may be placeholders. */
function listAssigned(left: Expression): readonly Extract<Expression, { kind: 'Variable' }>[] {
  return left.kind === 'Variable' ? [left] : []
}

function listUsedNames({ file }: CheckedFile): ReadonlySet<string> {
  const used = file.occurrences.filter(({ kind, isDefinition }) => kind === 'variable' && !isDefinition)
  return new Set(used.map(({ name }) => name))
}

function isRead({ name }: Occurrence, { file }: CheckedFile, used: ReadonlySet<string>, code: CheckedCode): boolean {
  if (used.has(name)) return true
  const leaf = getPlainVariableName(name)
  const module = code.workspace.moduleOf(file.path)?.name ?? ''
  if (code.uses.hasWord(module, leaf) || leaf === 'name' || leaf === 'title') return true
  return !name.includes('@') && isReadInClass(name.slice(0, -leaf.length - 2), leaf, code)
}

/** True if code reads a variable as one of its class, or of a class that inherits it. */
function isReadInClass(className: string, leaf: string, code: CheckedCode): boolean {
  const { uses } = code
  const seen = new Set<string>()
  const pending = [className]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (uses.variables.has(`${at}::${leaf}`) || seen.size > budgets.workbench.relatedClasses.bound) return true
    if (!seen.has(at)) pending.push(...uses.listSubclasses(at))
    seen.add(at)
  }
  return false
}
