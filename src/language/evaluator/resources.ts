import { diagnose } from '../../base/issue.ts'
import type { Attribute, CatalogBuilder } from '../host.ts'
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
import { flatten } from '../values/flatten.ts'
import { Hash } from '../values/hash.ts'
import type { ResourceType, Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { getTypeName } from './access.ts'
import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'

/**
 * Rules of resources, overrides, defaults and collectors. Without a catalog they throw
 * EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING.
 */
export const resources: Rules<'Resource' | 'ResourceDefaults' | 'ResourceOverride' | 'Collect' | 'Query'> = {
  Resource(node, context) {
    const catalog = catalogFor(node, context)
    const type = typeNameFor(node, context)
    if (node.form === 'exported' && !catalog.storeconfigs) warnOnce(node, context)
    if (node.form !== 'regular' && type === 'class') failAt(node.span, issues.CLASS_NOT_VIRTUALIZABLE, {})
    const bodies = evaluatedBodies(node, context)
    const defaults = bodies.find(({ isDefault }) => isDefault)?.attributes ?? []
    return bodies.flatMap(({ titles, attributes }) => {
      const all = defaults.length === 0 ? attributes : withDefaults(attributes, defaults)
      return catalog.declare({ form: node.form, type, titles, attributes: all, span: node.span }, context.scope)
    })
  },

  ResourceDefaults(node, context) {
    const catalog = catalogFor(node, context)
    const type = context.evaluate(node.typeRef)
    if (!isResourceType(type) || type.typeName === undefined || type.title !== undefined)
      return failAt(node.typeRef.span, issues.ILLEGAL_RESOURCE_TYPE, { actual: getTypeName(type) })
    const attributes = attributesIn(node.operations, context)
    catalog.setDefaults(type.typeName, attributes, context.scope, node.span)
    return type
  },

  ResourceOverride(node, context) {
    const catalog = catalogFor(node, context)
    const evaluated = context.evaluate(node.resources)
    const attributes = attributesIn(node.operations, context)
    const references = (Array.isArray(evaluated) ? flatten(evaluated) : [evaluated]).map((reference) => {
      if (isResourceType(reference) && reference.title !== undefined) return reference
      return failAt(node.span, issues.ILLEGAL_OVERRIDDEN_TYPE, { actual: reference })
    })
    catalog.override(references, attributes, context.scope, node.span)
    return evaluated
  },

  Collect(node, context) {
    registerCollector(node, context)
    return undefined
  },

  Query: (node) => failAt(node.span, issues.ILLEGAL_EXPRESSION, { node, feature: 'expression', container: node }),
}

/** Registers a collector; the catalog reevaluates it until no new resources are found. */
export function registerCollector(node: Collect, context: Context) {
  const catalog = catalogFor(node, context)
  if (node.query.exported && !catalog.storeconfigs) warnOnce(node, context)
  const attributes = attributesIn(node.operations, context)
  return catalog.collect(node, attributes, context.scope)
}

/** Returns the catalog builder. Throws an error at the node if there is no catalog, as in scripts. */
export function catalogFor(
  node: Resource | ResourceDefaults | ResourceOverride | Collect | Relationship,
  { host }: Context,
): CatalogBuilder {
  return host.catalog ?? failAt(node.span, issues.EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING, { node })
}

function warnOnce(node: Resource | Collect, { host }: Context): void {
  const issue = node.kind === 'Resource' ? issues.RT_NO_STORECONFIGS_EXPORT : issues.RT_NO_STORECONFIGS
  host.warn(diagnose(issue, {}, node.span, 'warning'))
}

/** A resource body with its titles and attributes evaluated. */
interface EvaluatedBody {
  readonly titles: readonly string[]
  readonly isDefault: boolean
  readonly attributes: readonly Attribute[]
}

function evaluatedBodies(node: Resource, context: Context): EvaluatedBody[] {
  const known = new Set<Value>()
  return node.bodies.map((body) => {
    const titles = evaluateTitles(body, node, known, context)
    const attributes = attributesIn(body.operations, context)
    if (!distinct.has(body)) refuseDuplicates(body, attributes, node)
    return {
      titles: titles.filter((title) => typeof title === 'string'),
      isDefault: titles.includes(DEFAULT),
      attributes,
    }
  })
}

/** Bodies whose attribute names are all literal and distinct; they need no check for duplicates. */
const distinct = new WeakSet<ResourceBody>()

function refuseDuplicates(body: ResourceBody, attributes: readonly Attribute[], { span }: Resource): void {
  const names = new Set<string>()
  for (const { name } of attributes) {
    if (names.has(name)) failAt(span, issues.DUPLICATE_ATTRIBUTE, { name })
    names.add(name)
  }
  if (body.operations.every(({ kind }) => kind === 'AttributeOperation')) distinct.add(body)
}

function withDefaults(attributes: readonly Attribute[], defaults: readonly Attribute[]): readonly Attribute[] {
  const all = new Map<string, Attribute>()
  for (const attribute of defaults) all.set(attribute.name, attribute)
  for (const attribute of attributes) all.set(attribute.name, attribute)
  return [...all.values()]
}

function evaluateTitles(body: ResourceBody, node: Resource, known: Set<Value>, context: Context): readonly Value[] {
  const evaluated = context.evaluate(body.title)
  const { span } = body.title
  if (evaluated === undefined) failAt(span, issues.MISSING_TITLE, {})
  const titles = Array.isArray(evaluated) ? flatten(evaluated) : [evaluated]
  for (const [index, title] of titles.entries()) {
    if (title === undefined) failAt(span, issues.MISSING_TITLE_AT, { index })
    if (typeof title !== 'string' && title !== DEFAULT)
      failAt(span, issues.ILLEGAL_TITLE_TYPE_AT, { index, actual: getTypeName(title) })
    if (title === '') failAt(span, issues.EMPTY_STRING_TITLE_AT, { index })
    if (known.has(title)) failAt(node.span, issues.DUPLICATE_TITLE, { title: toText(title) })
    known.add(title)
  }
  return titles
}

function attributesIn(operations: readonly Operation[], context: Context): Attribute[] {
  const attributes: Attribute[] = []
  for (const operation of operations) {
    const value = context.evaluate(operation.value)
    const { span } = operation
    if (operation.kind === 'AttributeOperation')
      attributes.push({ name: operation.name, operator: operation.operator, value, span })
    else if (value instanceof Hash)
      for (const [name, each] of value) attributes.push({ name: toText(name), operator: '=>', value: each, span })
    else failAt(operation.value.span, issues.TYPE_MISMATCH, { expected: 'Hash', actual: getTypeName(value) })
  }
  return attributes
}

/** Name of the resource type before the braces, such as `file`. */
function typeNameFor({ typeName: node }: Resource, context: Context): string {
  if (node.kind === 'QualifiedName') return node.value.replace(/^::/, '')
  const type = context.evaluate(node)
  const named =
    node.kind === 'QualifiedReference' || (node.kind === 'Access' && node.left.kind === 'QualifiedReference')
  if (!named || !isType(type)) return failAt(node.span, issues.ILLEGAL_RESOURCE_TYPE, { actual: getTypeName(type) })
  if (type.kind === 'Class' && type.className === undefined) return 'class'
  if (type.kind === 'Resource' && type.title === undefined && type.typeName !== undefined) return type.typeName
  if (type.kind === 'TypeReference') failAt(node.span, issues.UNKNOWN_RESOURCE_TYPE, { name: printType(type) })
  const actual = type.kind === 'Class' || type.kind === 'Resource' ? printType(type) : getTypeName(type)
  return failAt(node.span, issues.ILLEGAL_RESOURCE_TYPE, { actual })
}

function isResourceType(value: Value | Type): value is ResourceType {
  return isType(value) && value.kind === 'Resource'
}
