import { throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { ResourceRequest } from '../../language/host.ts'
import { createClassType, createResourceType } from '../../language/types/constructors.ts'
import type { Type } from '../../language/values/type.ts'
import { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, getFrame } from '../catalog/compilation.ts'
import { type CodeDefinition, normalizeName } from '../code/code-definition.ts'
import type { NativeType } from '../code/native-types.ts'
import { issues } from '../request/issues.ts'
import { addResource, applyDefaults, includeClasses, instantiateClass, suggestClassName } from './classes.ts'

/** Declares the resources of one body of a resource expression. */
export function declareResources(compilation: Compilation, request: ResourceRequest, scope: Scope): Type[] {
  const type = normalizeName(request.type)
  if (type === 'class') return request.titles.map((title) => declareClass(compilation, request, title, scope))
  const definition = compilation.types.resourceType(type)
  if (!definition) {
    const hint = formatSuggestion(type, compilation.types.typeNames(type))
    return throwIssue(issues.NO_SUCH_RESOURCE_TYPE, { name: request.type, hint })
  }
  return request.titles.map((title) => {
    const resource = createResource(compilation, request, type, title, definition, scope)
    addResource(compilation, resource, scope)
    return createResourceType(type, title)
  })
}

/** Declares `class { 'name': … }`. */
function declareClass(compilation: Compilation, request: ResourceRequest, title: string, scope: Scope): Type {
  const definition = compilation.types.class(title)
  if (!definition)
    return throwIssue(issues.UNDECLARED_CLASS, { name: title, hint: suggestClassName(compilation.types, title) })
  const resource = createResource(compilation, request, 'class', definition.name, definition, scope)
  instantiateClass(compilation, resource)
  addResource(compilation, resource, scope)
  includeClasses(compilation, [definition.name], scope)
  return createClassType(definition.name)
}

function createResource(
  compilation: Compilation,
  { form, titleValue, attributes, span }: ResourceRequest,
  type: string,
  title: string,
  definition: CodeDefinition | NativeType,
  scope: Scope,
): CatalogResource {
  const { definition: source } = getFrame(compilation, scope)
  const virtual = form !== 'regular'
  const exported = form === 'exported'
  const options = { type, title, titleValue, definition, scope: scope.frame, source, span, virtual, exported }
  const resource = new CatalogResource(options)
  for (const { name, value, span: place } of attributes)
    resource.set(resource.parameterName(name), { value, source, span: place })
  resource.addTag(type)
  if (typeof resource.titleValue === 'string') resource.tagIfValid(resource.title)
  applyDefaults(compilation, resource)
  return resource
}
