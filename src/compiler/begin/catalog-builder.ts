import { makeContext } from '../../language/evaluator/evaluation.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { CatalogBuilder } from '../../language/host.ts'
import { createClassType } from '../../language/types/constructors.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, getFrame } from '../catalog/compilation.ts'
import { getResourceDefaults, setDefaults } from '../catalog/resource-defaults.ts'
import { type CodeDefinition, normalizeName } from '../code/code-definition.ts'
import { acceptsParameter, isMetaparameter } from '../code/native-types.ts'
import { includeClasses } from '../evaluate/classes.ts'
import { isTaggedOrContained } from '../evaluate/collector-query.ts'
import { addCollector, registerRealize } from '../evaluate/collectors.ts'
import { overrideResources } from '../evaluate/overrides.ts'
import { addRelationship } from '../evaluate/relationships.ts'
import { declareResources } from '../evaluate/resource-declarations.ts'

/** Applies catalog statements of the language to the catalog under construction. */
export function createCatalogBuilder(compilation: Compilation): CatalogBuilder {
  const getScopeResource = (scope: Scope): CatalogResource => getFrame(compilation, scope).resource
  return {
    storeconfigs: compilation.request.searchExports !== undefined,
    declare: (request, scope) => declareResources(compilation, request, scope),
    setDefaults: (type, attributes, scope) => setDefaults(compilation, type, attributes, scope),
    override: (references, attributes, scope, span) =>
      overrideResources(compilation, references, attributes, scope, span),
    collect: (collect, attributes, scope) =>
      addCollector(compilation, collect, attributes, makeContext(compilation.host, scope)),
    relate: (from, to, operator) => addRelationship(compilation, from, to, operator),
    includeClasses: (names, how, scope) => includeAndRelate(compilation, names, how, scope),
    realize: (references) => registerRealize(compilation, references),
    hasResource: (type, title) => compilation.table.find(type, title) !== undefined,
    resourceParameter: (type, title, name) => getParameterValue(compilation, type, title, name),
    ownParameter(type, title, name) {
      const resource = compilation.table.find(type, title)
      return resource?.get(resource.parameterName(name))
    },
    isTypeKnown: (name) => compilation.types.resourceType(name.toLowerCase()) !== undefined,
    isClassKnown: (name) => compilation.types.class(name) !== undefined,
    classScope: (name) => compilation.classScopes.get(normalizeName(name)),
    tag: (names, scope) => getScopeResource(scope).tag([...names]),
    isTagged(names, scope) {
      const { tags } = compilation
      return names.every(
        (name) => tags.has(name.toLowerCase()) || isTaggedOrContained(getScopeResource(scope), [name.toLowerCase()]),
      )
    },
  }
}

function includeAndRelate(
  compilation: Compilation,
  names: readonly string[],
  how: 'include' | 'contain' | 'require',
  scope: Scope,
): Type[] {
  const resources = includeClasses(
    compilation,
    names.map((name) => `::${normalizeName(name)}`),
    scope,
  )
  const { resource: container } = getFrame(compilation, scope)
  for (const resource of resources) {
    if (how === 'contain') compilation.table.contain(container, resource)
    if (how === 'require') {
      addRequirement(container, resource)
      compilation.provenance?.addedTo(container, 'require')
    }
  }
  return names.map((name) => createClassType(normalizeName(name)))
}

function addRequirement(container: CatalogResource, resource: CatalogResource): void {
  const current = container.get('require')
  const others: readonly Value[] = current === undefined ? [] : Array.isArray(current) ? current : [current]
  const value = [...others, createClassType((resource.definition as CodeDefinition).name)]
  container.set('require', { value, source: container.source, span: container.parameters.get('require')?.span })
}

/**
 * Value of `File['/x']['mode']`: the parameter's value if it is set on the resource; otherwise the default in the scope
 * that declared the resource.
 */
function getParameterValue(
  compilation: Compilation,
  type: string,
  title: string,
  name: string,
): { value: Value } | undefined {
  const resource = compilation.table.find(type, title)
  if (!resource || !isValidParameter(resource, name)) return undefined
  const own = resource.get(resource.parameterName(name))
  return { value: own ?? getResourceDefaults(compilation, resource.type, resource.scope).get(name)?.value }
}

function isValidParameter({ definition }: CatalogResource, name: string): boolean {
  if (definition.kind === 'native') return acceptsParameter(definition, name)
  return name === 'name' || isMetaparameter(name) || definition.parameters.some((parameter) => parameter.name === name)
}
