import { validationIssues as issues } from '../issues/validation.ts'
import type { AnyNode } from '../tree/nodes.ts'
import type { ValidationContext, ValidationRules } from './context.ts'

/** Rules for the code of plans, in which only `apply` blocks have a catalog. Puppet: tasks_checker.rb. */
export const taskRules: ValidationRules = {
  Apply(node, context) {
    if (isInApply(context)) context.accept(issues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING, { node }, node)
  },
  Collect(node, context) {
    if (!isInApply(context)) rejectScripting(node, context)
    else if (node.query.exported) context.accept(issues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING, { node }, node)
  },
  HostClassDefinition: rejectScripting,
  ResourceTypeDefinition: rejectScripting,
  NodeDefinition: requireApply,
  Relationship: requireApply,
  Resource: requireApply,
  ResourceDefaults: requireApply,
  ResourceOverride: requireApply,
}

/** True for nodes that are valid only inside an `apply` block. */
export function isIllegalInTasks(node: AnyNode, context: ValidationContext): boolean {
  if (!(node.kind in taskRules)) return false
  return node.kind === 'HostClassDefinition' || node.kind === 'ResourceTypeDefinition' || !isInApply(context)
}

function requireApply(node: AnyNode, context: ValidationContext): void {
  if (!isInApply(context)) rejectScripting(node, context)
}

function rejectScripting(node: AnyNode, context: ValidationContext): void {
  context.accept(issues.NOT_SUPPORTED_WHEN_SCRIPTING, { node }, node)
}

function isInApply(context: ValidationContext): boolean {
  for (let level = 1; ; level++) {
    const around = context.ancestor(level)
    if (!around) return false
    if (around.kind === 'Block' && context.ancestor(level + 1)?.kind === 'Apply') return true
  }
}
