import { validationIssues as issues } from '../issues/validation.ts'
import type { AnyNode } from '../tree/nodes.ts'
import type { Context, Rules } from './context.ts'

/** Rules for the code of plans, in which only `apply` blocks have a catalog. Puppet: tasks_checker.rb. */
export const taskRules: Rules = {
  Apply(node, context) {
    if (isApplied(context)) context.accept(issues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING, { node }, node)
  },
  Collect(node, context) {
    if (!isApplied(context)) onlyCompiling(node, context)
    else if (node.query.exported) context.accept(issues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING, { node }, node)
  },
  HostClassDefinition: onlyCompiling,
  ResourceTypeDefinition: onlyCompiling,
  NodeDefinition: onlyApplied,
  Relationship: onlyApplied,
  Resource: onlyApplied,
  ResourceDefaults: onlyApplied,
  ResourceOverride: onlyApplied,
}

/** True for nodes that are valid only inside an `apply` block. */
export function isRefusedInTasks(node: AnyNode, context: Context): boolean {
  if (!(node.kind in taskRules)) return false
  return node.kind === 'HostClassDefinition' || node.kind === 'ResourceTypeDefinition' || !isApplied(context)
}

function onlyApplied(node: AnyNode, context: Context): void {
  if (!isApplied(context)) onlyCompiling(node, context)
}

function onlyCompiling(node: AnyNode, context: Context): void {
  context.accept(issues.NOT_SUPPORTED_WHEN_SCRIPTING, { node }, node)
}

function isApplied(context: Context): boolean {
  for (let level = 1; ; level++) {
    const around = context.ancestor(level)
    if (!around) return false
    if (around.kind === 'Block' && context.ancestor(level + 1)?.kind === 'Apply') return true
  }
}
