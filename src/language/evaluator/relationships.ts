import type { RelationshipEnd } from '../host.ts'
import type { Expression, Relationship } from '../syntax/tree/nodes.ts'
import { createClassType, createResourceType } from '../types/constructors.ts'
import { parseType } from '../types/from-code/type-parser.ts'
import { printType } from '../types/printing/print.ts'
import type { Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { stripParentheses } from './literals.ts'
import { registerCollector, requireCatalogAt } from './resources.ts'

/** Rule of `A -> B ~> C`. Its value is the last operand: references, or undef for a collector. */
export const relationshipEvaluation: EvaluationRules<'Relationship'> = {
  Relationship(node, context) {
    const end = addRelationship(node, context)
    return isCollector(end) ? undefined : end
  },
}

/** Adds a relationship between both operands. Returns the right operand, which the next arrow of a chain uses. */
function addRelationship(node: Relationship, context: EvaluationContext): RelationshipEnd {
  const catalog = requireCatalogAt(node, context)
  const left = toRelationshipEnd(node.left, node, context)
  const right = toRelationshipEnd(node.right, node, context)
  const backwards = node.operator === '<-' || node.operator === '<~'
  const [from, to] = backwards ? [right, left] : [left, right]
  const operator = node.operator === '->' || node.operator === '<-' ? '->' : '~>'
  catalog.relate(from, to, operator, context.scope, node.span)
  return !isCollector(right) && right.length === 0 ? left : right
}

function toRelationshipEnd(expression: Expression, node: Relationship, context: EvaluationContext): RelationshipEnd {
  const inner = stripParentheses(expression)
  if (inner.kind === 'Collect') return registerCollector(inner, context)
  if (inner.kind === 'Relationship') return addRelationship(inner, context)
  const references = toReferences(context.evaluate(inner), node)
  return [...new Map(references.map((reference) => [printType(reference), reference])).values()]
}

function toReferences(value: Value, node: Relationship): Type[] {
  if (Array.isArray(value)) return value.flatMap((each) => toReferences(each, node))
  const type = typeof value === 'string' ? (parseReference(value) ?? parseType(value)) : value
  if (!isType(type)) return failAtSpan(node.span, evaluatorIssues.ILLEGAL_RELATIONSHIP_OPERAND_TYPE, { operand: value })
  if (type.kind !== 'Resource' && type.kind !== 'Class')
    failAtSpan(node.span, evaluatorIssues.NOT_CATALOG_TYPE, { type: printType(type) })
  return [type]
}

/** Parses a reference such as `File[/x]`. */
function parseReference(text: string): Type | undefined {
  const [, type, title] = /^((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)\[(.+)\]$/s.exec(text.trim()) ?? []
  if (type === undefined || title === undefined) return undefined
  const bare = title.trim().replace(/^(['"])(.*)\1$/s, '$2')
  return type === 'Class' ? createClassType(bare) : createResourceType(type.replace(/^::/, ''), bare)
}

function isCollector(end: RelationshipEnd): end is Exclude<RelationshipEnd, readonly Type[]> {
  return !Array.isArray(end)
}
