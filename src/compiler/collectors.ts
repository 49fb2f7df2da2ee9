import { fail } from '../base/issue.ts'
import type { Span } from '../base/source.ts'
import type { Collect, Expression } from '../language/ast/nodes.ts'
import type { Context } from '../language/evaluator/context.ts'
import { includes } from '../language/evaluator/matching.ts'
import type { Scope } from '../language/evaluator/scope.ts'
import type { Attribute, Collector } from '../language/host.ts'
import { capitalizeSegments } from '../language/types/print.ts'
import type { ResourceType, Type } from '../language/types/type.ts'
import { equals } from '../language/values/equals.ts'
import { toText } from '../language/values/print.ts'
import type { Value } from '../language/values/value.ts'
import type { CatalogResource } from './catalog-resource.ts'
import { type Compilation, frameOf } from './compilation.ts'
import { issues } from './issues.ts'
import { addOverride } from './overrides.ts'
import { defaultsFor } from './resource-defaults.ts'

/** A collector, and what it has found up to now. */
export interface PendingCollector extends Collector {
  readonly collected: Set<CatalogResource>
  /** What it should realize and has not found: of `realize()` only. */
  readonly missing: Set<string>
  /** What a chain is tied to when this finds nothing. */
  find(): readonly CatalogResource[]
  readonly override:
    | { readonly attributes: readonly Attribute[]; readonly scope: Scope; readonly collect: Collect }
    | undefined
}

type Query = (resource: CatalogResource) => boolean

/** `File <| tag == 'x' |> { … }` */
export function collectorFor(
  compilation: Compilation,
  collect: Collect,
  attributes: readonly Attribute[],
  context: Context,
): PendingCollector {
  const name =
    collect.type.kind === 'QualifiedReference' ? collect.type.casedValue.toLowerCase().replace(/^::/, '') : ''
  if (name === 'class') fail(issues.CLASSES_NOT_COLLECTED, {})
  if (!compilation.types.resourceType(name)) fail(issues.UNKNOWN_COLLECTED_TYPE, { name })
  const type = capitalizeSegments(name)
  const { exported, expression } = collect.query
  const query = expression && expression.kind !== 'Nop' ? queryOf(expression, context) : undefined
  const collector: PendingCollector = {
    kind: 'Collector',
    collected: new Set(),
    missing: new Set(),
    find: () =>
      exported ? [] : compilation.table.resources.filter((each) => each.type === type && (query?.(each) ?? true)),
    override: attributes.length > 0 ? { attributes, scope: context.scope, collect } : undefined,
  }
  compilation.collectors.add(collector)
  return collector
}

/** `realize(File['a'])` */
export function realize(compilation: Compilation, references: readonly Type[]): void {
  const missing = new Set(references.map(textOfReference))
  const collector: PendingCollector = {
    kind: 'Collector',
    collected: new Set(),
    missing,
    find: () =>
      [...missing].flatMap((reference) => {
        const resource = compilation.table.findReference(reference)
        if (!resource) return []
        missing.delete(reference)
        if (missing.size === 0) compilation.collectors.delete(collector)
        return [resource]
      }),
    override: undefined,
  }
  compilation.collectors.add(collector)
}

/** Looks for what is new; whether there was any. */
export function evaluateCollector(compilation: Compilation, collector: PendingCollector): boolean {
  const found = collector.find()
  for (const resource of found) resource.virtual = false
  const fresh = found.filter((resource) => !collector.collected.has(resource))
  if (collector.override && found.length > 0) {
    const { attributes, scope, collect } = collector.override
    const { definition: source } = frameOf(compilation, scope)
    compilation.mayOverride.add(source)
    for (const { type, title } of fresh) {
      const all = [...attributes, ...defaultsBeside(compilation, type, attributes, scope, collect.span)]
      addOverride(compilation, { type, title, attributes: all, source, scope, span: collect.span })
    }
  }
  for (const resource of fresh) collector.collected.add(resource)
  return fresh.length > 0
}

/** An override by a collector brings the defaults of its place along. Puppet: AbstractCollector#evaluate. */
function defaultsBeside(
  compilation: Compilation,
  type: string,
  attributes: readonly Attribute[],
  scope: Scope,
  span: Span,
): Attribute[] {
  const given = new Set(attributes.map(({ name }) => name))
  return [...defaultsFor(compilation, type, scope)]
    .filter(([name]) => !given.has(name))
    .map(([name, { value }]) => ({ name, operator: '=>', value, span }))
}

/** `File[/x]`, as catalogs say it. */
export function textOfReference(reference: Type): string {
  if (reference.kind === 'Class') return `Class[${capitalizeSegments(reference.className ?? '')}]`
  const { typeName, title } = reference as ResourceType
  return `${capitalizeSegments(typeName ?? '')}[${title ?? ''}]`
}

function queryOf(node: Expression, context: Context): Query {
  switch (node.kind) {
    case 'Parenthesized':
      return queryOf(node.expression, context)
    case 'And': {
      const [left, right] = [queryOf(node.left, context), queryOf(node.right, context)]
      return (resource) => left(resource) && right(resource)
    }
    case 'Or': {
      const [left, right] = [queryOf(node.left, context), queryOf(node.right, context)]
      return (resource) => left(resource) || right(resource)
    }
    case 'Comparison': {
      const name = toText(context.evaluate(node.left))
      const value = context.evaluate(node.right)
      if (node.operator === '!=') return (resource) => !equals(parameterOf(resource, name), referenceText(value))
      return name === 'tag'
        ? tagQuery(value)
        : (resource) => isEqual(parameterOf(resource, name), referenceText(value), context)
    }
    default:
      return fail(issues.ILLEGAL_QUERY, { kind: node.kind })
  }
}

function parameterOf(resource: CatalogResource, name: string): Value {
  return referenceText(resource.get(resource.parameterName(name)))
}

/** References are compared as texts, since parameters may give them as either. */
function referenceText(value: Value): Value {
  if (Array.isArray(value)) return value.map(referenceText)
  return typeof value === 'object' && 'kind' in value && value.kind === 'Resource' ? textOfReference(value) : value
}

function isEqual(actual: Value, sought: Value, context: Context): boolean {
  return Array.isArray(actual) ? includes(actual, sought, context) : equals(actual, sought)
}

function tagQuery(value: Value): Query {
  const tags = (Array.isArray(value) ? value : [value]).map((tag) => {
    if (typeof tag === 'number' || typeof tag === 'bigint') fail(issues.NUMBER_AS_TAG, {})
    return toText(tag).toLowerCase()
  })
  return (resource) => isTagged(resource, tags)
}

/** Whether a resource, or what declares it, has one of the tags. */
export function isTagged(resource: CatalogResource, tags: readonly string[]): boolean {
  if (tags.some((tag) => resource.tags.has(tag))) return true
  const container = resource.scope.resource as CatalogResource | undefined
  return container !== undefined && container !== resource && isTagged(container, tags)
}
