import type { RelationshipEnd } from '../host.ts'
import type { Expression, Relationship } from '../syntax/tree/nodes.ts'
import { parseType } from '../types/from-code/parse.ts'
import { classType, resourceType } from '../types/make.ts'
import { printType } from '../types/printing/print.ts'
import type { Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'
import { unparenthesized } from './literals.ts'
import { catalogFor, registerCollector } from './resources.ts'

/** Rule of `A -> B ~> C`. Its value is the last operand: references, or undef for a collector. */
export const relationships: Rules<'Relationship'> = {
  Relationship(node, context) {
    const end = relate(node, context)
    return isCollector(end) ? undefined : end
  },
}

/** Adds a relationship between both operands. Returns the right operand, which the next arrow of a chain uses. */
function relate(node: Relationship, context: Context): RelationshipEnd {
  const catalog = catalogFor(node, context)
  const left = toEnd(node.left, node, context)
  const right = toEnd(node.right, node, context)
  const backwards = node.operator === '<-' || node.operator === '<~'
  const [from, to] = backwards ? [right, left] : [left, right]
  const operator = node.operator === '->' || node.operator === '<-' ? '->' : '~>'
  catalog.relate(from, to, operator, context.scope, node.span)
  return !isCollector(right) && right.length === 0 ? left : right
}

function toEnd(expression: Expression, node: Relationship, context: Context): RelationshipEnd {
  const inner = unparenthesized(expression)
  if (inner.kind === 'Collect') return registerCollector(inner, context)
  if (inner.kind === 'Relationship') return relate(inner, context)
  const references = referencesIn(context.evaluate(inner), node)
  return [...new Map(references.map((reference) => [printType(reference), reference])).values()]
}

function referencesIn(value: Value, node: Relationship): Type[] {
  if (Array.isArray(value)) return value.flatMap((each) => referencesIn(each, node))
  const type = typeof value === 'string' ? (referenceIn(value) ?? parseType(value)) : value
  if (!isType(type)) return failAt(node.span, issues.ILLEGAL_RELATIONSHIP_OPERAND_TYPE, { operand: value })
  if (type.kind !== 'Resource' && type.kind !== 'Class')
    failAt(node.span, issues.NOT_CATALOG_TYPE, { type: printType(type) })
  return [type]
}

/** Parses a reference such as `File[/x]`. */
function referenceIn(text: string): Type | undefined {
  const [, type, title] = /^((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)\[(.+)\]$/s.exec(text.trim()) ?? []
  if (type === undefined || title === undefined) return undefined
  const bare = title.trim().replace(/^(['"])(.*)\1$/s, '$2')
  return type === 'Class' ? classType(bare) : resourceType(type.replace(/^::/, ''), bare)
}

function isCollector(end: RelationshipEnd): end is Exclude<RelationshipEnd, readonly Type[]> {
  return !Array.isArray(end)
}
