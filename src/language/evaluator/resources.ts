import { createDiagnostic } from '../../base/issue.ts'
import type { CatalogBuilder, EvaluatedAttribute } from '../host.ts'
import type {
  Collect,
  Operation,
  Relationship,
  Resource,
  ResourceBody,
  ResourceDefaults,
  ResourceOverride,
} from '../syntax/tree/nodes.ts'
import { printType } from '../types/printing/print.ts'
import { toText } from '../types/printing/text.ts'
import { flattenArrays } from '../values/flatten.ts'
import { Hash } from '../values/hash.ts'
import type { ResourceType, Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { getTypeName } from './access.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'

/**
 * Rules of resources, overrides, defaults and collectors. Without a catalog they throw
 * EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING.
 */
export const resourceEvaluation: EvaluationRules<
  'Resource' | 'ResourceDefaults' | 'ResourceOverride' | 'Collect' | 'Query'
> = {
  Resource(node, context) {
    const catalog = requireCatalogAt(node, context)
    const type = evaluateTypeName(node, context)
    if (node.form === 'exported' && !catalog.storeconfigs) warnOnce(node, context)
    if (node.form !== 'regular' && type === 'class') failAtSpan(node.span, evaluatorIssues.CLASS_NOT_VIRTUALIZABLE, {})
    const bodies = evaluateBodies(node, context)
    const defaults = bodies.find(({ isDefault }) => isDefault)?.attributes ?? []
    return bodies.flatMap(({ titles, attributes }) => {
      const all = defaults.length === 0 ? attributes : addDefaults(attributes, defaults)
      return catalog.declare({ form: node.form, type, titles, attributes: all, span: node.span }, context.scope)
    })
  },

  ResourceDefaults(node, context) {
    const catalog = requireCatalogAt(node, context)
    const type = context.evaluate(node.typeRef)
    if (!isResourceType(type) || type.typeName === undefined || type.title !== undefined)
      return failAtSpan(node.typeRef.span, evaluatorIssues.ILLEGAL_RESOURCE_TYPE, { actual: getTypeName(type) })
    const attributes = evaluateAttributes(node.operations, context)
    catalog.setDefaults(type.typeName, attributes, context.scope, node.span)
    return type
  },

  ResourceOverride(node, context) {
    const catalog = requireCatalogAt(node, context)
    const evaluated = context.evaluate(node.resources)
    const attributes = evaluateAttributes(node.operations, context)
    const references = (Array.isArray(evaluated) ? flattenArrays(evaluated) : [evaluated]).map((reference) => {
      if (isResourceType(reference) && reference.title !== undefined) return reference
      return failAtSpan(node.span, evaluatorIssues.ILLEGAL_OVERRIDDEN_TYPE, { actual: reference })
    })
    catalog.override(references, attributes, context.scope, node.span)
    return evaluated
  },

  Collect(node, context) {
    registerCollector(node, context)
    return undefined
  },

  Query: (node) =>
    failAtSpan(node.span, evaluatorIssues.ILLEGAL_EXPRESSION, { node, feature: 'expression', container: node }),
}

/** Registers a collector; the catalog reevaluates it until no new resources are found. */
export function registerCollector(node: Collect, context: EvaluationContext) {
  const catalog = requireCatalogAt(node, context)
  if (node.query.exported && !catalog.storeconfigs) warnOnce(node, context)
  const attributes = evaluateAttributes(node.operations, context)
  return catalog.collect(node, attributes, context.scope)
}

/** Returns the catalog builder. Throws an error at the node if there is no catalog, as in scripts. */
export function requireCatalogAt(
  node: Resource | ResourceDefaults | ResourceOverride | Collect | Relationship,
  { host }: EvaluationContext,
): CatalogBuilder {
  return host.catalog ?? failAtSpan(node.span, evaluatorIssues.EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING, { node })
}

function warnOnce(node: Resource | Collect, { host }: EvaluationContext): void {
  const issue =
    node.kind === 'Resource' ? evaluatorIssues.RT_NO_STORECONFIGS_EXPORT : evaluatorIssues.RT_NO_STORECONFIGS
  host.warn(createDiagnostic(issue, {}, node.span, 'warning'))
}

/** A resource body with its titles and attributes evaluated. */
interface EvaluatedBody {
  readonly titles: readonly string[]
  readonly isDefault: boolean
  readonly attributes: readonly EvaluatedAttribute[]
}

function evaluateBodies(node: Resource, context: EvaluationContext): EvaluatedBody[] {
  const known = new Set<Value>()
  return node.bodies.map((body) => {
    const titles = evaluateTitles(body, node, known, context)
    const attributes = evaluateAttributes(body.operations, context)
    if (!distinct.has(body)) rejectDuplicates(body, attributes, node)
    return {
      titles: titles.filter((title) => typeof title === 'string'),
      isDefault: titles.includes(DEFAULT),
      attributes,
    }
  })
}

/** Bodies whose attribute names are all literal and distinct; they need no check for duplicates. */
const distinct = new WeakSet<ResourceBody>()

function rejectDuplicates(body: ResourceBody, attributes: readonly EvaluatedAttribute[], { span }: Resource): void {
  const names = new Set<string>()
  for (const { name } of attributes) {
    if (names.has(name)) failAtSpan(span, evaluatorIssues.DUPLICATE_ATTRIBUTE, { name })
    names.add(name)
  }
  if (body.operations.every(({ kind }) => kind === 'AttributeOperation')) distinct.add(body)
}

function addDefaults(
  attributes: readonly EvaluatedAttribute[],
  defaults: readonly EvaluatedAttribute[],
): readonly EvaluatedAttribute[] {
  const all = new Map<string, EvaluatedAttribute>()
  for (const attribute of defaults) all.set(attribute.name, attribute)
  for (const attribute of attributes) all.set(attribute.name, attribute)
  return [...all.values()]
}

function evaluateTitles(
  body: ResourceBody,
  node: Resource,
  known: Set<Value>,
  context: EvaluationContext,
): readonly Value[] {
  const evaluated = context.evaluate(body.title)
  const { span } = body.title
  if (evaluated === undefined) failAtSpan(span, evaluatorIssues.MISSING_TITLE, {})
  const titles = Array.isArray(evaluated) ? flattenArrays(evaluated) : [evaluated]
  for (const [index, title] of titles.entries()) {
    if (title === undefined) failAtSpan(span, evaluatorIssues.MISSING_TITLE_AT, { index })
    if (typeof title !== 'string' && title !== DEFAULT)
      failAtSpan(span, evaluatorIssues.ILLEGAL_TITLE_TYPE_AT, { index, actual: getTypeName(title) })
    if (title === '') failAtSpan(span, evaluatorIssues.EMPTY_STRING_TITLE_AT, { index })
    if (known.has(title)) failAtSpan(node.span, evaluatorIssues.DUPLICATE_TITLE, { title: toText(title) })
    known.add(title)
  }
  return titles
}

function evaluateAttributes(operations: readonly Operation[], context: EvaluationContext): EvaluatedAttribute[] {
  const attributes: EvaluatedAttribute[] = []
  for (const operation of operations) {
    const value = context.evaluate(operation.value)
    const { span } = operation
    if (operation.kind === 'AttributeOperation')
      attributes.push({ name: operation.name, operator: operation.operator, value, span })
    else if (value instanceof Hash)
      for (const [name, each] of value) attributes.push({ name: toText(name), operator: '=>', value: each, span })
    else
      failAtSpan(operation.value.span, evaluatorIssues.TYPE_MISMATCH, { expected: 'Hash', actual: getTypeName(value) })
  }
  return attributes
}

/** Name of the resource type before the braces, such as `file`. */
function evaluateTypeName({ typeName: node }: Resource, context: EvaluationContext): string {
  if (node.kind === 'QualifiedName') return node.value.replace(/^::/, '')
  const type = context.evaluate(node)
  const named =
    node.kind === 'QualifiedReference' || (node.kind === 'Access' && node.left.kind === 'QualifiedReference')
  if (!named || !isType(type))
    return failAtSpan(node.span, evaluatorIssues.ILLEGAL_RESOURCE_TYPE, { actual: getTypeName(type) })
  if (type.kind === 'Class' && type.className === undefined) return 'class'
  if (type.kind === 'Resource' && type.title === undefined && type.typeName !== undefined) return type.typeName
  if (type.kind === 'TypeReference')
    failAtSpan(node.span, evaluatorIssues.UNKNOWN_RESOURCE_TYPE, { name: printType(type) })
  const actual = type.kind === 'Class' || type.kind === 'Resource' ? printType(type) : getTypeName(type)
  return failAtSpan(node.span, evaluatorIssues.ILLEGAL_RESOURCE_TYPE, { actual })
}

function isResourceType(value: Value | Type): value is ResourceType {
  return isType(value) && value.kind === 'Resource'
}
