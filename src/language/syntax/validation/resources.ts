import { validationIssues as issues } from '../issues/validation.ts'
import type { Expression } from '../tree/nodes.ts'
import type { ValidationContext, ValidationRules } from './context.ts'
import { requireValue } from './values.ts'

/** Rules for resources, collectors and relationships. Puppet: checker4_0.rb. */
export const resourceRules: ValidationRules = {
  AttributeOperation(node, context) {
    const parent = context.ancestor(1)!
    if (node.operator === '+>' && parent.kind !== 'Collect' && parent.kind !== 'ResourceOverride')
      context.accept(issues.ILLEGAL_ATTRIBUTE_APPEND, { name: node.name, parent }, node)
    requireValue(node.value, context)
  },
  AttributesOperation: ({ value }, context) => requireValue(value, context),
  Collect(node, context) {
    const { type } = node
    if (type.kind !== 'QualifiedReference')
      context.accept(issues.ILLEGAL_EXPRESSION, { node: type, feature: 'type name', container: node }, type)
  },
  Query({ expression }, context) {
    if (expression) checkQuery(expression, context)
  },
  Relationship({ left, right }, context) {
    for (const each of [left, right])
      if (each.kind !== 'Collect' && each.kind !== 'Relationship') requireValue(each, context)
  },
  Resource(node, context) {
    const { form, typeName } = node
    if (form !== 'regular' && typeName.kind === 'QualifiedName' && typeName.value === 'class')
      context.accept(issues.CLASS_NOT_VIRTUALIZABLE, {}, node)
  },
  ResourceBody({ operations }, context) {
    const unfolded = operations.filter(({ kind }) => kind === 'AttributesOperation')
    for (const each of unfolded.slice(1)) context.accept(issues.MULTIPLE_ATTRIBUTES_UNFOLD, {}, each)
  },
  ResourceDefaults(node, context) {
    if (node.form !== 'regular') context.accept(issues.NOT_VIRTUALIZEABLE, {}, node)
  },
  ResourceOverride(node, context) {
    if (node.form !== 'regular') context.accept(issues.NOT_VIRTUALIZEABLE, {}, node)
  },
}

/** Rejects expressions that are not allowed in a collector's query. */
function checkQuery(node: Expression, context: ValidationContext): void {
  switch (node.kind) {
    case 'And':
    case 'Or':
      checkQuery(node.left, context)
      checkQuery(node.right, context)
      break
    case 'Parenthesized':
      checkQuery(node.expression, context)
      break
    case 'Comparison':
      if (node.operator === '==' || node.operator === '!=') break
      context.accept(issues.ILLEGAL_QUERY_EXPRESSION, { node }, node)
      break
    case 'Variable':
    case 'QualifiedName':
    case 'LiteralInteger':
    case 'LiteralFloat':
    case 'LiteralString':
    case 'LiteralBoolean':
      break
    default:
      context.accept(issues.ILLEGAL_QUERY_EXPRESSION, { node }, node)
  }
}
