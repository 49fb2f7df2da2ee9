import { throwIssue } from '../../base/issue.ts'
import type { EvaluationContext } from '../../language/evaluator/context.ts'
import { evaluateIn } from '../../language/evaluator/matching.ts'
import { toRichData } from '../../language/rich-data/rich-data.ts'
import type { Expression } from '../../language/syntax/tree/nodes.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { toText } from '../../language/types/printing/text.ts'
import { isEqualValue } from '../../language/values/equality.ts'
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
export function toCollectorQuery(node: Expression, context: EvaluationContext): CollectorQuery {
  switch (node.kind) {
    case 'Parenthesized':
      return toCollectorQuery(node.expression, context)
    case 'And':
    case 'Or': {
      const [left, right] = [toCollectorQuery(node.left, context), toCollectorQuery(node.right, context)]
      return { kind: node.kind === 'And' ? 'and' : 'or', left, right }
    }
    case 'Comparison': {
      const name = toText(evaluateOperand(node.left, context))
      const value = evaluateOperand(node.right, context)
      if (node.operator === '!=') return { kind: '!=', name, value: convertReferencesToText(value) }
      return { kind: '==', name, value: name === 'tag' ? toTagNames(value) : convertReferencesToText(value) }
    }
    default:
      return rejectExpression(node)
  }
}

const operands: ReadonlySet<Expression['kind']> = new Set([
  ...(['Access', 'Variable', 'LiteralBoolean', 'LiteralString', 'ConcatenatedString', 'LiteralInteger'] as const),
  ...(['LiteralFloat', 'LiteralUndef', 'QualifiedName', 'Parenthesized'] as const),
])

/** Evaluates an operand; queries accept only a few kinds of values. Puppet: collector_transformer.rb. */
function evaluateOperand(node: Expression, context: EvaluationContext): Value {
  return operands.has(node.kind) ? context.evaluate(node) : rejectExpression(node)
}

function rejectExpression({ kind }: Expression): never {
  const name =
    modelNames[kind] ?? (kind.startsWith('Literal') || kind.startsWith('Qualified') ? kind : `${kind}Expression`)
  return throwIssue(issues.ILLEGAL_QUERY, { kind: `Puppet::Pops::Model::${name}` })
}

const modelNames: { readonly [Kind in Expression['kind']]?: string } = {
  LiteralRegexp: 'LiteralRegularExpression',
  Heredoc: 'HeredocExpression',
}

/** True if a resource of the catalog matches the query. Puppet: CollectorTransformer#query_*. */
export function matchesQuery(resource: CatalogResource, query: CollectorQuery, context: EvaluationContext): boolean {
  switch (query.kind) {
    case 'and':
      return matchesQuery(resource, query.left, context) && matchesQuery(resource, query.right, context)
    case 'or':
      return matchesQuery(resource, query.left, context) || matchesQuery(resource, query.right, context)
    case '!=':
      return !isEqualValue(getComparableParameter(resource, query.name), query.value)
    case '==': {
      const { name, value } = query
      if (name === 'tag') return isTaggedOrContained(resource, value as readonly string[])
      const actual = getComparableParameter(resource, name)
      return Array.isArray(actual) ? evaluateIn(actual, value, context) : isEqualValue(actual, value)
    }
  }
}

/**
 * Converts a query to the form that searches exported resources of other nodes. Puppet: CollectorTransformer#match_*.
 */
export function toExportQuery(query: CollectorQuery): ExportQuery {
  if ('left' in query) return { kind: query.kind, left: toExportQuery(query.left), right: toExportQuery(query.right) }
  const { kind, name, value } = query
  const json = toRichData(kind === '!=' && name === 'tag' ? toTagNames(value) : value, {
    richData: false,
    warn: () => {},
  })
  return { kind, name, value: json }
}

/** True if the resource or any of its containers has one of the tags. */
export function isTaggedOrContained(resource: CatalogResource, tags: readonly string[]): boolean {
  if (tags.some((tag) => resource.tags.has(tag))) return true
  const container = resource.scope.resource as CatalogResource | undefined
  return container !== undefined && container !== resource && isTaggedOrContained(container, tags)
}

/** Returns the text of a reference as in catalogs: `File[/x]`. */
export function formatTypeReference(reference: Type): string {
  if (reference.kind === 'Class') return `Class[${capitalizeSegments(reference.className ?? '')}]`
  const { typeName, title } = reference as ResourceType
  return `${capitalizeSegments(typeName ?? '')}[${title ?? ''}]`
}

function getComparableParameter(resource: CatalogResource, name: string): Value {
  return convertReferencesToText(resource.get(resource.parameterName(name)))
}

/** Converts references to text for a comparison, because parameters contain references as types or as text. */
function convertReferencesToText(value: Value): Value {
  if (Array.isArray(value)) return value.map(convertReferencesToText)
  return typeof value === 'object' && 'kind' in value && value.kind === 'Resource' ? formatTypeReference(value) : value
}

function toTagNames(value: Value): string[] {
  return (Array.isArray(value) ? value : [value]).map((tag) => {
    if (typeof tag === 'number' || typeof tag === 'bigint') throwIssue(issues.NUMBER_AS_TAG, {})
    return toText(tag).toLowerCase()
  })
}
