import { PuppetError, throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { Value } from '../../language/values/value.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { acceptsParameter, nativeMetaparameters, relationshipParameters } from '../code/native-types.ts'
import { validateParameters } from '../evaluate/bind-parameters.ts'
import { formatTypeReference } from '../evaluate/collector-query.ts'
import { addContainerTags } from '../evaluate/evaluate-resource.ts'
import { applyOverride } from '../evaluate/overrides.ts'
import { evaluateRelationships } from '../evaluate/relationships.ts'
import { failWithLocation, issues } from '../request/issues.ts'

/**
 * Runs the last phase of a compilation, after the evaluation: relationships, late overrides, checks, and the
 * inheritance of metaparameters and tags.
 */
export function finishCompilation(compilation: Compilation): void {
  evaluateRelationships(compilation)
  for (const resource of listDeclaredResources(compilation)) {
    for (const override of compilation.overrides.get(resource.reference) ?? [])
      applyOverride(compilation, resource, override)
    compilation.overrides.delete(resource.reference)
    finishResource(compilation, resource)
  }
  inheritMetaparameters(compilation)
  rejectUnmatchedOverrides(compilation)
  validateRelationships(compilation)
}

/** Returns the declared resources; Stage[main] and Class[Settings] are excluded, since no code declares them. */
function listDeclaredResources({ table }: Compilation): readonly CatalogResource[] {
  return table.resources.slice(2)
}

function finishResource(compilation: Compilation, resource: CatalogResource): void {
  addContainerTags(resource)
  resource.unwrapSensitive()
  const { native, reference, span } = resource
  if (!native) {
    validateParameters(compilation, resource)
    return
  }
  for (const name of resource.parameters.keys())
    if (!acceptsParameter(native, name)) {
      const hint = formatSuggestion(name, [...native.parameters, ...native.properties, ...nativeMetaparameters])
      failWithLocation(issues.UNKNOWN_PARAMETER, { name, resource: reference, span, hint })
    }
}

const handedDown = nativeMetaparameters.filter((name) => !relationshipParameters.has(name))

/**
 * Copies metaparameters and tags from containers to contained resources. Puppet:
 * Compiler#add_resource_metaparams.
 */
function inheritMetaparameters({ table, provenance }: Compilation): void {
  const inherited = new Map<CatalogResource, Map<string, Value>>()
  const seen = new Set<CatalogResource>()
  const queue = [table.find('class', 'main')!]
  for (let source = queue.shift(); source; source = queue.shift()) {
    if (seen.has(source)) continue
    seen.add(source)
    const values = inherited.get(source) ?? listInheritableMetaparameters(source)
    for (const target of table.contents(source)) {
      for (const [name, value] of values) {
        if (target.get(name) !== undefined) continue
        target.set(name, { value, source: target.source, span: undefined })
        provenance?.handedDown(target, name, source)
      }
      target.tags.addAll(source.tags)
      if (!table.isContainer(target)) continue
      inherited.set(target, new Map([...values, ...listInheritableMetaparameters(target)]))
      queue.push(target)
    }
  }
}

function listInheritableMetaparameters(resource: CatalogResource): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const name of handedDown) {
    const value = resource.get(name)
    if (value !== undefined) values.set(name, value)
  }
  return values
}

function rejectUnmatchedOverrides({ overrides, collectors }: Compilation): void {
  const unmatched = [...overrides].flatMap(([reference, waiting]) => waiting.map(() => reference))
  if (unmatched.length > 0) throwIssue(issues.UNMATCHED_OVERRIDES, { resources: unmatched.join(', ') })
  const missing = [...collectors].flatMap((collector) => [...collector.missing])
  if (missing.length > 0) throwIssue(issues.UNREALIZED, { resources: missing.join(', ') })
}

/**
 * Checks that the resources of each relationship exist, and collects the related pairs. Reports the first missing
 * resource, in the order of resources and parameters. Puppet: relationship_validator.rb.
 */
function validateRelationships({ table, related }: Compilation): void {
  for (const resource of table.resources) {
    if (resource.virtual) continue
    for (const [parameter, set] of resource.parameters) {
      if (!relationshipParameters.has(parameter)) continue
      const comesFirst = parameter === 'before' || parameter === 'notify'
      for (const reference of listReferences(set.value)) {
        const shown = resource.isSensitive(parameter) ? 'Sensitive [value redacted]' : reference
        const other = findReferencedResource(table, reference, shown, set.span)
        if (!other) failWithLocation(issues.DANGLING_REFERENCE, { reference: shown, parameter }, set.span)
        related.push(comesFirst ? { first: resource, next: other } : { first: other, next: resource })
      }
    }
  }
}

function findReferencedResource(
  table: Compilation['table'],
  reference: string,
  shown: string,
  span: SourceSpan | undefined,
): CatalogResource | undefined {
  try {
    return table.findReference(reference)
  } catch (error) {
    if (error instanceof PuppetError) failWithLocation(issues.ILLEGAL_REFERENCE, { text: shown }, span)
    throw error
  }
}

/** Returns the references in the value of a relationship parameter. */
export function listReferences(value: Value): string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(listReferences)
  if (typeof value === 'object' && 'kind' in value && (value.kind === 'Resource' || value.kind === 'Class'))
    return [formatTypeReference(value)]
  return [String(value)]
}
