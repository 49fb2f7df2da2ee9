import { throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import type { EvaluationContext } from '../../language/evaluator/context.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { EvaluatedAttribute } from '../../language/host.ts'
import type { Collect } from '../../language/syntax/tree/nodes.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import type { Type } from '../../language/values/type.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, getFrame, type PendingCollector } from '../catalog/compilation.ts'
import { getResourceDefaults } from '../catalog/resource-defaults.ts'
import { issues } from '../request/issues.ts'
import {
  type CollectorQuery,
  formatTypeReference,
  matchesQuery,
  toCollectorQuery,
  toExportQuery,
} from './collector-query.ts'
import { importResource } from './exported-resources.ts'
import { addOverride } from './overrides.ts'

/** Registers the collector `File <| tag == 'x' |> { … }`. */
export function addCollector(
  compilation: Compilation,
  collect: Collect,
  attributes: readonly EvaluatedAttribute[],
  context: EvaluationContext,
): PendingCollector {
  const name =
    collect.type.kind === 'QualifiedReference' ? collect.type.casedValue.toLowerCase().replace(/^::/, '') : ''
  if (name === 'class') throwIssue(issues.CLASSES_NOT_COLLECTED, {})
  if (!compilation.types.resourceType(name)) throwIssue(issues.UNKNOWN_COLLECTED_TYPE, { name })
  const type = capitalizeSegments(name)
  const { exported, expression } = collect.query
  const query = expression && expression.kind !== 'Nop' ? toCollectorQuery(expression, context) : undefined
  const findInCatalog = () =>
    compilation.table.resources.filter((each) => each.type === type && (!query || matchesQuery(each, query, context)))
  const collector: PendingCollector = {
    kind: 'Collector',
    collected: new Set(),
    missing: new Set(),
    find: exported ? createExportedFinder(compilation, type, query, findInCatalog, context.scope) : findInCatalog,
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
function createExportedFinder(
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
    elsewhere ??= searchExports({ type, except: node.name, query: query && toExportQuery(query) })
    return [...own, ...elsewhere.flatMap((each) => importResource(compilation, each, scope) ?? [])]
  }
}

/** Registers `realize(File['a'])`. */
export function registerRealize(compilation: Compilation, references: readonly Type[]): void {
  const missing = new Set(references.map(formatTypeReference))
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
    const { definition: source } = getFrame(compilation, scope)
    compilation.mayOverride.add(source)
    for (const { type, title } of fresh) {
      const all = [...attributes, ...getCollectorDefaults(compilation, type, attributes, scope, collect.span)]
      addOverride(compilation, { type, title, attributes: all, source, scope, span: collect.span })
    }
  }
  for (const resource of fresh) collector.collected.add(resource)
  return fresh.length > 0
}

/**
 * Returns the resource defaults of the collector's scope, which the collector's override applies in addition to its
 * own attributes. Puppet: AbstractCollector#evaluate.
 */
function getCollectorDefaults(
  compilation: Compilation,
  type: string,
  attributes: readonly EvaluatedAttribute[],
  scope: Scope,
  span: SourceSpan,
): EvaluatedAttribute[] {
  const given = new Set(attributes.map(({ name }) => name))
  return [...getResourceDefaults(compilation, type, scope)]
    .filter(([name]) => !given.has(name))
    .map(([name, { value }]) => ({ name, operator: '=>', value, span }))
}
