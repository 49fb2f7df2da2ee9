import { fail } from '../../base/issue.ts'
import type { Context } from '../../language/evaluator/context.ts'
import { includes } from '../../language/evaluator/matching.ts'
import { toRichData } from '../../language/rich-data/rich-data.ts'
import type { Expression } from '../../language/syntax/tree/nodes.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { toText } from '../../language/types/printing/text.ts'
import { equals } from '../../language/values/equals.ts'
import type { ResourceType, Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { ExportQuery } from '../../model/exported-resource.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import { issues } from '../request/issues.ts'

/** The query of a collector, with evaluated operands. */
export type CollectorQuery =
  | { readonly kind: 'and' | 'or'; readonly left: CollectorQuery; readonly right: CollectorQuery }
  | { readonly kind: '==' | '!='; readonly name: string; readonly value: Value }

/** Converts an expression to a query. Throws ILLEGAL_QUERY or NUMBER_AS_TAG. */
export function collectorQuery(node: Expression, context: Context): CollectorQuery {
  switch (node.kind) {
    case 'Parenthesized':
      return collectorQuery(node.expression, context)
    case 'And':
    case 'Or': {
      const [left, right] = [collectorQuery(node.left, context), collectorQuery(node.right, context)]
      return { kind: node.kind === 'And' ? 'and' : 'or', left, right }
    }
    case 'Comparison': {
      const name = toText(operand(node.left, context))
      const value = operand(node.right, context)
      if (node.operator === '!=') return { kind: '!=', name, value: referenceText(value) }
      return { kind: '==', name, value: name === 'tag' ? tagsOf(value) : referenceText(value) }
    }
    default:
      return refuse(node)
  }
}

const operands: ReadonlySet<Expression['kind']> = new Set([
  ...(['Access', 'Variable', 'LiteralBoolean', 'LiteralString', 'ConcatenatedString', 'LiteralInteger'] as const),
  ...(['LiteralFloat', 'LiteralUndef', 'QualifiedName', 'Parenthesized'] as const),
])

/** Evaluates an operand; queries accept only a few kinds of values. Puppet: collector_transformer.rb. */
function operand(node: Expression, context: Context): Value {
  return operands.has(node.kind) ? context.evaluate(node) : refuse(node)
}

function refuse({ kind }: Expression): never {
  const name =
    modelNames[kind] ?? (kind.startsWith('Literal') || kind.startsWith('Qualified') ? kind : `${kind}Expression`)
  return fail(issues.ILLEGAL_QUERY, { kind: `Puppet::Pops::Model::${name}` })
}

const modelNames: { readonly [Kind in Expression['kind']]?: string } = {
  LiteralRegexp: 'LiteralRegularExpression',
  Heredoc: 'HeredocExpression',
}

/** True if a resource of the catalog matches the query. Puppet: CollectorTransformer#query_*. */
export function satisfies(resource: CatalogResource, query: CollectorQuery, context: Context): boolean {
  switch (query.kind) {
    case 'and':
      return satisfies(resource, query.left, context) && satisfies(resource, query.right, context)
    case 'or':
      return satisfies(resource, query.left, context) || satisfies(resource, query.right, context)
    case '!=':
      return !equals(parameterOf(resource, query.name), query.value)
    case '==': {
      const { name, value } = query
      if (name === 'tag') return isTagged(resource, value as readonly string[])
      const actual = parameterOf(resource, name)
      return Array.isArray(actual) ? includes(actual, value, context) : equals(actual, value)
    }
  }
}

/**
 * Converts a query to the form that searches exported resources of other nodes. Puppet: CollectorTransformer#match_*.
 */
export function exportQuery(query: CollectorQuery): ExportQuery {
  if ('left' in query) return { kind: query.kind, left: exportQuery(query.left), right: exportQuery(query.right) }
  const { kind, name, value } = query
  const json = toRichData(kind === '!=' && name === 'tag' ? tagsOf(value) : value, { richData: false, warn: () => {} })
  return { kind, name, value: json }
}

/** True if the resource or any of its containers has one of the tags. */
export function isTagged(resource: CatalogResource, tags: readonly string[]): boolean {
  if (tags.some((tag) => resource.tags.has(tag))) return true
  const container = resource.scope.resource as CatalogResource | undefined
  return container !== undefined && container !== resource && isTagged(container, tags)
}

/** Returns the text of a reference as in catalogs: `File[/x]`. */
export function textOfReference(reference: Type): string {
  if (reference.kind === 'Class') return `Class[${capitalizeSegments(reference.className ?? '')}]`
  const { typeName, title } = reference as ResourceType
  return `${capitalizeSegments(typeName ?? '')}[${title ?? ''}]`
}

function parameterOf(resource: CatalogResource, name: string): Value {
  return referenceText(resource.get(resource.parameterName(name)))
}

/** Converts references to text for a comparison, because parameters contain references as types or as text. */
function referenceText(value: Value): Value {
  if (Array.isArray(value)) return value.map(referenceText)
  return typeof value === 'object' && 'kind' in value && value.kind === 'Resource' ? textOfReference(value) : value
}

function tagsOf(value: Value): string[] {
  return (Array.isArray(value) ? value : [value]).map((tag) => {
    if (typeof tag === 'number' || typeof tag === 'bigint') fail(issues.NUMBER_AS_TAG, {})
    return toText(tag).toLowerCase()
  })
}
