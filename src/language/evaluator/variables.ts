import { diagnose, fail } from '../../base/issue.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import type { Assignment, Expression, Variable } from '../syntax/tree/nodes.ts'
import { rubyText } from '../types/printing/ruby-text.ts'
import { Hash } from '../values/hash.ts'
import { isType } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'
import { unparenthesized } from './literals.ts'
import type { Scope } from './scope.ts'

const reserved: ReadonlySet<string> = new Set(['trusted', 'facts'])

/**
 * Rules of `$a` and `$a = …`. `$0` reads the last match; an unknown name fails or warns according
 * to the settings.
 */
export const variables: Rules<'Variable' | 'Assignment'> = {
  Variable(node, context) {
    const { name } = node
    if (isNumeric(name)) return context.scope.group(Number(name))
    if (name.includes('::')) return qualified(node, context)
    const value = context.scope.get(name)
    if (value === undefined && !context.scope.has(name)) reportUnknown(node, context)
    return value
  },

  Assignment(node, context) {
    if (node.operator !== '=') failAt(node.span, issues.UNSUPPORTED_OPERATOR, { operator: node.operator })
    const value = context.evaluate(node.right)
    assign(node.left, value, node, context)
    return value
  },
}

/** Value of a qualified variable of the top scope, the settings or an evaluated class. */
export function lookUpQualified(
  name: string,
  { host }: Pick<Context, 'host'>,
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

function qualified(node: Variable, context: Context): Value {
  const found = lookUpQualified(node.name, context, findTop(context.scope))
  if (!found) reportUnknown(node, context)
  return found?.value
}

/** Reports an unknown variable according to `strict_variables` and `strict`. */
function reportUnknown(node: Variable, { host, scope }: Context): void {
  const known = node.name.includes('::') ? namesInClass(node.name, host) : namesIn(scope)
  const similar = didYouMean(node.name, known)?.replace(/'(.*)'/, "'$$$1'")
  const hint = host.unknownVariableHint?.(node.name, similar) ?? similar
  const about = { name: node.name, ...(hint !== undefined && { hint }) }
  if (host.strictVariables || host.strict === 'error') failAt(node.span, issues.UNKNOWN_VARIABLE, about)
  if (host.strict === 'warning') host.warn(diagnose(issues.UNKNOWN_VARIABLE, about, node.span, 'warning'))
}

/** Qualified names of the variables in the class that `name` refers to. */
function namesInClass(name: string, { catalog }: Context['host']): string[] {
  const owner = name.slice(0, name.lastIndexOf('::'))
  return [...(catalog?.classScope(owner.replace(/^::/, ''))?.variables().keys() ?? [])].map(
    (each) => `${owner}::${each}`,
  )
}

function namesIn(scope: Scope): Set<string> {
  const names = new Set<string>()
  for (let each: Scope | undefined = scope; each; each = each.enclosing)
    for (const name of each.variables().keys()) names.add(name)
  return names
}

function findTop(scope: Scope): Scope {
  let top = scope
  while (top.enclosing) top = top.enclosing
  return top
}

function assign(target: Expression, value: Value, node: Assignment, context: Context): void {
  const left = unparenthesized(target)
  if (left.kind === 'Variable') setVariable(left, value, node, context)
  else if (left.kind === 'LiteralList') assignMany(left.values, value, node, context)
  else failAt(left.span, issues.ILLEGAL_ASSIGNMENT, { node: left })
}

function setVariable({ name, span }: Variable, value: Value, node: Assignment, { scope }: Context): void {
  if (name.includes('::')) failAt(span, issues.CROSS_SCOPE_ASSIGNMENT, { name })
  if (isNumeric(name)) failAt(span, issues.ILLEGAL_NUMERIC_ASSIGNMENT, { name })
  if (name === 'server_facts' || (reserved.has(name) && scope.isBound(name)))
    failAt(node.span, issues.ILLEGAL_RESERVED_ASSIGNMENT, { name })
  if (reserved.has(name))
    fail(issues.RUNTIME_ERROR, { detail: `Attempt to assign to a reserved variable name: '${name}'` })
  if (scope.isBound(name)) failAt(node.span, issues.ILLEGAL_REASSIGNMENT, { name })
  scope.set(name, value)
}

function assignMany(targets: readonly Expression[], value: Value, node: Assignment, context: Context): void {
  if (value instanceof Hash) {
    for (const target of targets) {
      const key = targetKey(target)
      if (!value.has(key)) failAt(node.span, issues.MISSING_MULTI_ASSIGNMENT_KEY, { key: rubyText(key) })
      assign(target, value.get(key), node, context)
    }
  } else if (isType(value) && value.kind === 'Class' && value.className !== undefined) {
    assignFromClass(targets, value.className, node, context)
  } else {
    const values = Array.isArray(value) ? value : [value]
    const [expected, actual] = [targets.length, values.length]
    if (expected !== actual) failAt(node.span, issues.ILLEGAL_MULTI_ASSIGNMENT_SIZE, { expected, actual })
    for (const [index, target] of targets.entries()) assign(target, values[index], node, context)
  }
}

function assignFromClass(targets: readonly Expression[], owner: string, node: Assignment, context: Context): void {
  const { catalog } = context.host
  if (!catalog)
    failAt(node.span, issues.CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING, {
      operation: 'multi var assignment from class',
    })
  if (!catalog.hasResource('class', owner))
    failAt(node.right.span, issues.UNKNOWN_RESOURCE, { type: 'Class', title: owner })
  for (const target of targets) {
    const name = `${owner.toLowerCase()}::${rubyText(targetKey(target))}`
    const found = lookUpQualified(name, context, findTop(context.scope))
    if (!found) failAt(target.span, issues.MISSING_MULTI_ASSIGNMENT_VARIABLE, { name })
    assign(target, found.value, node, context)
  }
}

/** Key of an assignment target in a hash of values: the variable name, or a list of names. */
function targetKey(target: Expression): Value {
  const left = unparenthesized(target)
  if (left.kind === 'LiteralList') return left.values.map(targetKey)
  return left.kind === 'Variable' ? left.name : failAt(left.span, issues.ILLEGAL_ASSIGNMENT, { node: left })
}

function isNumeric(name: string): boolean {
  const code = name.charCodeAt(0)
  return code >= 48 && code <= 57
}
