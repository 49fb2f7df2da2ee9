import { fail } from '../../base/issue.ts'
import type { Span } from '../../base/source.ts'
import type { Context } from '../../language/evaluator/context.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { Attribute } from '../../language/host.ts'
import type { Collect } from '../../language/syntax/tree/nodes.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import type { Type } from '../../language/values/type.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, frameOf, type PendingCollector } from '../catalog/compilation.ts'
import { defaultsFor } from '../catalog/resource-defaults.ts'
import { issues } from '../request/issues.ts'
import { type CollectorQuery, collectorQuery, exportQuery, satisfies, textOfReference } from './collector-query.ts'
import { importResource } from './exported.ts'
import { addOverride } from './overrides.ts'

/** Registers the collector `File <| tag == 'x' |> { … }`. */
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
  const query = expression && expression.kind !== 'Nop' ? collectorQuery(expression, context) : undefined
  const here = () =>
    compilation.table.resources.filter((each) => each.type === type && (!query || satisfies(each, query, context)))
  const collector: PendingCollector = {
    kind: 'Collector',
    collected: new Set(),
    missing: new Set(),
    find: exported ? exportedFinder(compilation, type, query, here, context.scope) : here,
    override: attributes.length > 0 ? { attributes, scope: context.scope, collect } : undefined,
  }
  compilation.collectors.add(collector)
  compilation.provenance?.stated(collector)
  return collector
}

/**
 * Finds resources exported by this node and by other nodes. Resources of other nodes are read once, and are returned
 * only when they are added to the catalog.
 */
function exportedFinder(
  compilation: Compilation,
  type: string,
  query: CollectorQuery | undefined,
  here: () => readonly CatalogResource[],
  scope: Scope,
): () => readonly CatalogResource[] {
  const { searchExports, node } = compilation.request
  if (!searchExports) return () => []
  compilation.collects.add(type)
  let elsewhere: readonly ExportedResource[] | undefined
  return () => {
    const own = here().filter(({ exported }) => exported)
    elsewhere ??= searchExports({ type, except: node.name, query: query && exportQuery(query) })
    return [...own, ...elsewhere.flatMap((each) => importResource(compilation, each, scope) ?? [])]
  }
}

/** Registers `realize(File['a'])`. */
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
  compilation.provenance?.stated(collector)
}

/** Searches for new resources. Returns true if any were found. */
export function evaluateCollector(compilation: Compilation, collector: PendingCollector): boolean {
  const found = collector.find()
  for (const resource of found) {
    if (resource.virtual || resource.origin !== undefined) compilation.provenance?.collected(resource, collector)
    resource.virtual = false
  }
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

/**
 * Returns the resource defaults that a collector's override also applies, from the scope of the collector, as in
 * Puppet. Puppet: AbstractCollector#evaluate.
 */
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
