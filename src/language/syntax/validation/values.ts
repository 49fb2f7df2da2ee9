import { validationIssues } from '../issues/validation.ts'
import type { AnyNode } from '../tree/nodes.ts'
import type { ValidationContext } from './context.ts'

/** Rejects an expression that has no value where a value is required. */
export function requireValue(node: AnyNode, context: ValidationContext): void {
  switch (node.kind) {
    case 'Collect':
    case 'HostClassDefinition':
    case 'ResourceTypeDefinition':
    case 'NodeDefinition':
    case 'FunctionDefinition':
    case 'PlanDefinition':
    case 'TypeAlias':
    case 'TypeDefinition':
    case 'TypeMapping':
      context.accept(validationIssues.NOT_RVALUE, { node }, node)
      break
    case 'Parenthesized':
    case 'Not':
    case 'UnaryMinus':
    case 'Unfold':
    case 'TextExpression':
    case 'Render':
      requireValue(node.expression, context)
  }
}

/** Rejects an expression that cannot be the target of an assignment. */
export function requireAssignable(node: AnyNode, context: ValidationContext): void {
  switch (node.kind) {
    case 'Variable':
      if (/^(?:0|[1-9][0-9]*)$/.test(node.name))
        context.accept(validationIssues.ILLEGAL_NUMERIC_ASSIGNMENT, { name: node.name }, node)
      if (node.name.includes('::')) context.accept(validationIssues.CROSS_SCOPE_ASSIGNMENT, { name: node.name }, node)
      break
    case 'Access':
      context.accept(validationIssues.ILLEGAL_INDEXED_ASSIGNMENT, {}, node)
      break
    case 'LiteralList':
      for (const each of node.values) requireAssignable(each, context)
      break
    default:
      context.accept(validationIssues.ILLEGAL_ASSIGNMENT, { node }, node)
  }
}
