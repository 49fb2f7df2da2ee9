import { diagnose } from '../../base/issue.ts'
import type { Span } from '../../base/source.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { Attribute } from '../../language/host.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { flatten } from '../../language/values/flatten.ts'
import type { ResourceType, Type } from '../../language/values/type.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, frameOf, type PendingOverride } from '../catalog/compilation.ts'
import { isDefault } from '../catalog/resource-defaults.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import { failVerbatim, issues } from '../request/issues.ts'
import { placeOf } from '../request/places.ts'

/** Evaluates an override such as `File['a'] { mode => '0644' }`. */
export function overrideResources(
  compilation: Compilation,
  references: readonly Type[],
  attributes: readonly Attribute[],
  scope: Scope,
  span: Span,
): void {
  const { definition: source } = frameOf(compilation, scope)
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
  if (resource.source !== source && !isHeir(compilation, source, resource.source))
    failVerbatim(issues.OVERRIDE_BY_STRANGER, {}, span)
  if (resource.evaluated) complainOfLateness(compilation, resource, span)
  for (const attribute of attributes) setByOverride(compilation, resource, attribute, source)
}

/** True if the class `source` inherits from `ancestor`, or if a collector may override from there. */
export function isHeir(
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

function setByOverride(
  compilation: Compilation,
  resource: CatalogResource,
  { name: given, value, operator, span }: Attribute,
  source: CodeDefinition,
): void {
  const name = resource.parameterName(given)
  const current = resource.parameters.get(name)
  if (!current) {
    resource.set(name, { value, source, span })
    return
  }
  const { scope, type } = resource
  if (isDefault(compilation, type, name, value, scope)) return
  const replacesDefault = source === current.source && isDefault(compilation, type, name, current.value, scope)
  if (!isHeir(compilation, source, current.source) && !replacesDefault) {
    const by = current.source === undefined || current.source.name === '' ? '' : sourceText(current.source)
    failVerbatim(issues.ALREADY_SET, { name, resource: resource.reference, by, place: placeOf(current.span) }, span)
  }
  compilation.provenance?.overridden(resource, name, current, operator)
  resource.set(name, { value: operator === '+>' ? flatten([current.value, value]) : value, source, span })
}

/** Returns the name of a definition in messages: its reference, as in Puppet's Resource::Type#to_s. */
function sourceText({ kind, name }: CodeDefinition): string {
  return kind === 'class' ? `Class[${capitalizeSegments(name)}]` : name
}

function complainOfLateness({ host }: Compilation, resource: CatalogResource, span: Span | undefined): void {
  const about = { place: placeOf(resource.span) }
  if (host.strict === 'error') failVerbatim(issues.OVERRIDE_TOO_LATE, about, span)
  if (host.strict === 'warning') host.warn(diagnose(issues.OVERRIDE_TOO_LATE, about, span, 'warning'))
}
