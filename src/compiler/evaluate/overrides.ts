import { createDiagnostic } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { EvaluatedAttribute } from '../../language/host.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { flattenArrays } from '../../language/values/flatten.ts'
import type { ResourceType, Type } from '../../language/values/type.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, getFrame, type PendingOverride } from '../catalog/compilation.ts'
import { isDefaultValue } from '../catalog/resource-defaults.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import { failWithLocation, issues } from '../request/issues.ts'
import { formatSpanLocation } from '../request/message-locations.ts'

/** Evaluates an override such as `File['a'] { mode => '0644' }`. */
export function overrideResources(
  compilation: Compilation,
  references: readonly Type[],
  attributes: readonly EvaluatedAttribute[],
  scope: Scope,
  span: SourceSpan,
): void {
  const { definition: source } = getFrame(compilation, scope)
  for (const reference of references) {
    const { typeName, title } = reference as ResourceType
    addOverride(compilation, { type: typeName!, title: title!, attributes, source, scope, span })
  }
}

/** Applies an override now, or after the resource has been declared. */
export function addOverride(compilation: Compilation, override: PendingOverride): void {
  const resource = compilation.table.find(override.type, override.title)
  if (resource) {
    applyOverride(compilation, resource, override)
  } else {
    const reference = `${capitalizeSegments(override.type)}[${override.title}]`
    const waiting = compilation.overrides.get(reference) ?? []
    compilation.overrides.set(reference, [...waiting, override])
  }
}

/** Sets the parameters of an override. Only a class that inherits from the class of the resource may override it. */
export function applyOverride(compilation: Compilation, resource: CatalogResource, override: PendingOverride): void {
  const { source, span, attributes } = override
  if (resource.source !== source && !isInheritingClass(compilation, source, resource.source))
    failWithLocation(issues.OVERRIDE_BY_STRANGER, {}, span)
  if (resource.evaluated) warnAboutLateOverride(compilation, resource, span)
  for (const attribute of attributes) setOverriddenParameter(compilation, resource, attribute, source)
}

/**
 * True if the class `source` inherits from `ancestor`, or if its code contains a collector that overrides
 * resources.
 */
export function isInheritingClass(
  compilation: Compilation,
  source: CodeDefinition,
  ancestor: CodeDefinition | undefined,
): boolean {
  if (compilation.mayOverride.has(source)) return true
  for (let each: CodeDefinition | undefined = source; each?.parent !== undefined; ) {
    each = compilation.types.class(each.parent)
    if (each === ancestor) return true
  }
  return false
}

function setOverriddenParameter(
  compilation: Compilation,
  resource: CatalogResource,
  { name: given, value, operator, span }: EvaluatedAttribute,
  source: CodeDefinition,
): void {
  const name = resource.parameterName(given)
  const current = resource.parameters.get(name)
  if (!current) {
    resource.set(name, { value, source, span })
    return
  }
  const { scope, type } = resource
  if (isDefaultValue(compilation, type, name, value, scope)) return
  const replacesDefault = source === current.source && isDefaultValue(compilation, type, name, current.value, scope)
  if (!isInheritingClass(compilation, source, current.source) && !replacesDefault) {
    const by =
      current.source === undefined || current.source.name === '' ? '' : formatDefinitionReference(current.source)
    failWithLocation(
      issues.ALREADY_SET,
      { name, resource: resource.reference, by, place: formatSpanLocation(current.span) },
      span,
    )
  }
  compilation.provenance?.overridden(resource, name, current, operator)
  resource.set(name, { value: operator === '+>' ? flattenArrays([current.value, value]) : value, source, span })
}

/** Returns the name of a definition in messages: its reference, as in Puppet's Resource::Type#to_s. */
function formatDefinitionReference({ kind, name }: CodeDefinition): string {
  return kind === 'class' ? `Class[${capitalizeSegments(name)}]` : name
}

function warnAboutLateOverride({ host }: Compilation, resource: CatalogResource, span: SourceSpan | undefined): void {
  const about = { place: formatSpanLocation(resource.span) }
  if (host.strict === 'error') failWithLocation(issues.OVERRIDE_TOO_LATE, about, span)
  if (host.strict === 'warning') host.warn(createDiagnostic(issues.OVERRIDE_TOO_LATE, about, span, 'warning'))
}
