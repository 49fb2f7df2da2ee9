import { throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { Value } from '../../language/values/value.ts'
import { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, getFrame } from '../catalog/compilation.ts'
import { getResourceDefaults } from '../catalog/resource-defaults.ts'
import { type CodeDefinition, normalizeName } from '../code/code-definition.ts'
import type { KnownTypes } from '../code/definition-lookup.ts'
import { issues } from '../request/issues.ts'
import { evaluateResource } from './evaluate-resource.ts'

/** Declares and evaluates the classes that are not declared yet; returns the resources of all given classes. */
export function includeClasses(
  compilation: Compilation,
  names: readonly string[],
  scope: Scope,
  lazily = false,
): CatalogResource[] {
  const definitions = names.map((name) => getClassDefinition(compilation, name))
  const known: CatalogResource[] = []
  const fresh: CatalogResource[] = []
  for (const definition of definitions) {
    const evaluated = compilation.classScopes.get(definition.name)
    if (evaluated) known.push(evaluated.resource as CatalogResource)
    else fresh.push(ensureInCatalog(compilation, definition, scope))
  }
  if (!lazily) for (const resource of fresh) evaluateResource(compilation, resource)
  return [...known, ...fresh]
}

/** Declares classes with parameters that the classifier set. */
export function declareClasses(
  compilation: Compilation,
  classes: ReadonlyMap<string, ReadonlyMap<string, Value>>,
  scope: Scope,
): void {
  for (const [name, parameters] of classes) {
    const definition = getClassDefinition(compilation, name)
    const resource = createClassResource(compilation, definition, scope)
    for (const [parameter, value] of parameters) resource.set(parameter, { value, source: definition, span: undefined })
    addClassToCatalog(compilation, resource, scope)
  }
}

/** Finds the definition of a class. Throws UNKNOWN_CLASS. */
export function getClassDefinition({ types, request }: Compilation, name: string): CodeDefinition {
  const definition = types.class(name)
  if (definition) return definition
  const hint = suggestClassName(types, name)
  return throwIssue(issues.UNKNOWN_CLASS, { name, node: request.node.name, hint })
}

/** Hint that suggests a class or module with a similar name. */
export function suggestClassName(types: KnownTypes, name: string): string | undefined {
  return formatSuggestion(normalizeName(name), types.definitionNames(name))
}

/** Returns the resource of a class or node; declares the resource if the catalog does not contain it. */
export function ensureInCatalog(compilation: Compilation, definition: CodeDefinition, scope: Scope): CatalogResource {
  const known = compilation.table.find(definition.kind, definition.name)
  return known ?? addClassToCatalog(compilation, createClassResource(compilation, definition, scope), scope)
}

/** Declares the parent class, and adds the class's tags to the catalog. */
export function instantiateClass(compilation: Compilation, resource: CatalogResource): void {
  const definition = resource.definition as CodeDefinition
  if (definition.kind === 'class' && definition.parent !== undefined) {
    const parent = getParentClass(compilation, definition)
    if (!compilation.table.find('class', parent.name)) {
      const added = ensureInCatalog(compilation, parent, resource.scope)
      compilation.provenance?.inherited(added, resource)
    }
  }
  if (definition.kind !== 'define') for (const tag of resource.tags.list()) compilation.tags.add(tag)
}

/** Adds a resource to the catalog, contained in the resource that declares it. */
export function addResource(compilation: Compilation, resource: CatalogResource, scope: Scope): void {
  const { table, provenance } = compilation
  provenance?.stated(resource)
  table.add(resource)
  if (!resource.isClass && resource.get('stage') !== undefined)
    throwIssue(issues.STAGE_OF_RESOURCE, { resource: resource.reference })
  if (resource.type !== 'Stage' && !resource.isClass) table.contain(getFrame(compilation, scope).resource, resource)
}

/** Finds the parent of a class. Throws UNKNOWN_PARENT. */
export function getParentClass({ types, request }: Compilation, { parent }: CodeDefinition): CodeDefinition {
  const definition = types.class(parent!)
  return (
    definition ?? throwIssue(issues.UNKNOWN_PARENT, { parent: `::${parent}`, environment: request.environment.name })
  )
}

function createClassResource(compilation: Compilation, definition: CodeDefinition, scope: Scope): CatalogResource {
  const { kind, name } = definition
  const resource = new CatalogResource({
    type: kind,
    title: name,
    definition,
    scope,
    source: definition,
    span: undefined,
  })
  resource.addTag(kind)
  resource.tagIfValid(resource.title === 'main' && kind === 'class' ? '' : resource.title)
  applyDefaults(compilation, resource)
  return resource
}

function addClassToCatalog(compilation: Compilation, resource: CatalogResource, scope: Scope): CatalogResource {
  instantiateClass(compilation, resource)
  addResource(compilation, resource, scope)
  return resource
}

/** Adds the defaults of the declaring scope for parameters that are not set. */
export function applyDefaults(compilation: Compilation, resource: CatalogResource): void {
  for (const [name, parameter] of getResourceDefaults(compilation, resource.type, resource.scope)) {
    const own = resource.parameterName(name)
    if (!resource.parameters.has(own)) resource.set(own, parameter)
  }
}
