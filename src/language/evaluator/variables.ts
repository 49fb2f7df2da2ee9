import { createDiagnostic, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { Assignment, Expression, Variable } from '../syntax/tree/nodes.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { Hash } from '../values/hash.ts'
import { isType } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { stripParentheses } from './literals.ts'
import type { Scope } from './scope.ts'

const reserved: ReadonlySet<string> = new Set(['trusted', 'facts'])

/**
 * Rules of `$a` and `$a = …`. `$0` reads the last match; an unknown name fails or warns according
 * to the settings.
 */
export const variables: EvaluationRules<'Variable' | 'Assignment'> = {
  Variable(node, context) {
    const { name } = node
    if (isNumericName(name)) return context.scope.group(Number(name))
    if (name.includes('::')) return evaluateQualified(node, context)
    const value = context.scope.get(name)
    if (value === undefined && !context.scope.has(name)) reportUnknown(node, context)
    return value
  },

  Assignment(node, context) {
    if (node.operator !== '=') failAtSpan(node.span, evaluatorIssues.UNSUPPORTED_OPERATOR, { operator: node.operator })
    const value = context.evaluate(node.right)
    assignValue(node.left, value, node, context)
    return value
  },
}

/** Value of a qualified variable of the top scope, the settings or an evaluated class. */
export function lookUpQualified(
  name: string,
  { host }: Pick<EvaluationContext, 'host'>,
  top: Scope,
): { value: Value } | undefined {
  const path = name.startsWith('::') ? name.slice(2) : name
  const end = path.lastIndexOf('::')
  if (end === -1) return top.has(path) ? { value: top.get(path) } : undefined
  const [owner, leaf] = [path.slice(0, end), path.slice(end + 2)]
  if (owner === 'settings') {
    const value = host.setting(leaf)
    return value === undefined ? undefined : { value }
  }
  for (let scope = host.catalog?.classScope(owner); scope && scope.kind === 'class'; scope = scope.enclosing)
    if (scope.isBound(leaf)) return { value: scope.get(leaf) }
  return undefined
}

function evaluateQualified(node: Variable, context: EvaluationContext): Value {
  const found = lookUpQualified(node.name, context, findTopScope(context.scope))
  if (!found) reportUnknown(node, context)
  return found?.value
}

/** Reports an unknown variable according to `strict_variables` and `strict`. */
function reportUnknown(node: Variable, { host, scope }: EvaluationContext): void {
  const known = node.name.includes('::') ? listClassVariables(node.name, host) : listVariables(scope)
  const similar = formatSuggestion(node.name, known)?.replace(/'(.*)'/, "'$$$1'")
  const hint = host.unknownVariableHint?.(node.name, similar) ?? similar
  const about = { name: node.name, ...(hint !== undefined && { hint }) }
  if (host.strictVariables || host.strict === 'error') failAtSpan(node.span, evaluatorIssues.UNKNOWN_VARIABLE, about)
  if (host.strict === 'warning')
    host.warn(createDiagnostic(evaluatorIssues.UNKNOWN_VARIABLE, about, node.span, 'warning'))
}

/** Qualified names of the variables in the class that `name` refers to. */
function listClassVariables(name: string, { catalog }: EvaluationContext['host']): string[] {
  const owner = name.slice(0, name.lastIndexOf('::'))
  return [...(catalog?.classScope(owner.replace(/^::/, ''))?.variables().keys() ?? [])].map(
    (each) => `${owner}::${each}`,
  )
}

function listVariables(scope: Scope): Set<string> {
  const names = new Set<string>()
  for (let each: Scope | undefined = scope; each; each = each.enclosing)
    for (const name of each.variables().keys()) names.add(name)
  return names
}

function findTopScope(scope: Scope): Scope {
  let top = scope
  while (top.enclosing) top = top.enclosing
  return top
}

function assignValue(target: Expression, value: Value, node: Assignment, context: EvaluationContext): void {
  const left = stripParentheses(target)
  if (left.kind === 'Variable') setVariable(left, value, node, context)
  else if (left.kind === 'LiteralList') assignList(left.values, value, node, context)
  else failAtSpan(left.span, evaluatorIssues.ILLEGAL_ASSIGNMENT, { node: left })
}

function setVariable({ name, span }: Variable, value: Value, node: Assignment, { scope }: EvaluationContext): void {
  if (name.includes('::')) failAtSpan(span, evaluatorIssues.CROSS_SCOPE_ASSIGNMENT, { name })
  if (isNumericName(name)) failAtSpan(span, evaluatorIssues.ILLEGAL_NUMERIC_ASSIGNMENT, { name })
  if (name === 'server_facts' || (reserved.has(name) && scope.isBound(name)))
    failAtSpan(node.span, evaluatorIssues.ILLEGAL_RESERVED_ASSIGNMENT, { name })
  if (reserved.has(name))
    throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: `Attempt to assign to a reserved variable name: '${name}'` })
  if (scope.isBound(name)) failAtSpan(node.span, evaluatorIssues.ILLEGAL_REASSIGNMENT, { name })
  scope.set(name, value)
}

function assignList(targets: readonly Expression[], value: Value, node: Assignment, context: EvaluationContext): void {
  if (value instanceof Hash) {
    for (const target of targets) {
      const key = toTargetKey(target)
      if (!value.has(key))
        failAtSpan(node.span, evaluatorIssues.MISSING_MULTI_ASSIGNMENT_KEY, { key: formatAsString(key) })
      assignValue(target, value.get(key), node, context)
    }
  } else if (isType(value) && value.kind === 'Class' && value.className !== undefined) {
    assignClassVariables(targets, value.className, node, context)
  } else {
    const values = Array.isArray(value) ? value : [value]
    const [expected, actual] = [targets.length, values.length]
    if (expected !== actual) failAtSpan(node.span, evaluatorIssues.ILLEGAL_MULTI_ASSIGNMENT_SIZE, { expected, actual })
    for (const [index, target] of targets.entries()) assignValue(target, values[index], node, context)
  }
}

function assignClassVariables(
  targets: readonly Expression[],
  owner: string,
  node: Assignment,
  context: EvaluationContext,
): void {
  const { catalog } = context.host
  if (!catalog)
    failAtSpan(node.span, evaluatorIssues.CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING, {
      operation: 'multi var assignment from class',
    })
  if (!catalog.hasResource('class', owner))
    failAtSpan(node.right.span, evaluatorIssues.UNKNOWN_RESOURCE, { type: 'Class', title: owner })
  for (const target of targets) {
    const name = `${owner.toLowerCase()}::${formatAsString(toTargetKey(target))}`
    const found = lookUpQualified(name, context, findTopScope(context.scope))
    if (!found) failAtSpan(target.span, evaluatorIssues.MISSING_MULTI_ASSIGNMENT_VARIABLE, { name })
    assignValue(target, found.value, node, context)
  }
}

/** Key of an assignment target in a hash of values: the variable name, or a list of names. */
function toTargetKey(target: Expression): Value {
  const left = stripParentheses(target)
  if (left.kind === 'LiteralList') return left.values.map(toTargetKey)
  return left.kind === 'Variable'
    ? left.name
    : failAtSpan(left.span, evaluatorIssues.ILLEGAL_ASSIGNMENT, { node: left })
}

function isNumericName(name: string): boolean {
  const code = name.charCodeAt(0)
  return code >= 48 && code <= 57
}
