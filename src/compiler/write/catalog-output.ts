import { getStartLine } from '../../base/source.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import { isType } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { Catalog, Resource } from '../../model/catalog.ts'
import { addCatalogUuid, type IdentifiedCatalog } from '../../model/catalog-text.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { ResourceTable } from '../catalog/resource-table.ts'
import { relationshipParameters } from '../code/native-types.ts'
import type { StaticMetadata } from './static-catalog-metadata.ts'

/** Creates the catalog, without virtual resources, and its bytes. */
export function buildCatalog(compilation: Compilation, metadata: StaticMetadata): IdentifiedCatalog {
  return addCatalogUuid(buildUnidentifiedCatalog(compilation, metadata))
}

/** Creates the catalog, without virtual resources, and with an empty UUID. */
export function buildUnidentifiedCatalog(
  { request, table, classes, tags }: Compilation,
  { metadata, recursiveMetadata }: StaticMetadata,
): Catalog {
  const { environment, node } = request
  const isWritten = ({ virtual, exported }: CatalogResource) => !virtual || (request.keepsExported === true && exported)
  const real = table.resources.filter(isWritten)
  const edges = table.edges
    .filter(({ source, target }) => isWritten(source) && isWritten(target))
    .map(({ source, target }) => ({ source: source.reference, target: target.reference }))
  return {
    name: node.name,
    version: environment.version,
    codeId: request.codeId ?? environment.tree.codeId,
    catalogUuid: '',
    environment: environment.name,
    tags: [...tags],
    classes,
    resources: real.map((each) => toModelResource(each, table)),
    edges,
    metadata,
    recursiveMetadata,
  }
}

/** Converts a resource to its form in the catalog. */
export function toModelResource(resource: CatalogResource, table: ResourceTable): Resource {
  const { type, title, tags, exported, span } = resource
  const kind = getResourceKind(resource)
  const file = span?.source.file
  const parameters = getWrittenParameters(resource, table)
  return { type, title, tags: tags.list(), file, line: span && getStartLine(span), exported, kind, parameters }
}

/**
 * Returns the parameters of a resource as in the catalog. Includes attributes that the title contains; excludes the
 * namevar if it equals the title.
 */
export function getWrittenParameters(resource: CatalogResource, table: ResourceTable): Map<string, Value> {
  const { title, parameters } = resource
  const values = new Map<string, Value>(getImplicitNamevar(resource))
  const nameOfName = resource.parameterName('name')
  const addParameter = (name: string, value: Value) => {
    if (value !== undefined && !(value === title && name === nameOfName))
      values.set(name, resource.isSensitive(name) ? new Sensitive(value) : flattenParameterValue(name, value))
  }
  for (const [name, value] of table.attributesInTitle(resource))
    addParameter(name, parameters.has(name) ? parameters.get(name)!.value : value)
  for (const [name, { value }] of parameters) addParameter(name, value)
  return values
}

/**
 * Flattens an array in the cases in which Puppet does. In relationship parameters, undef is also removed
 * (parser/resource.rb, `to_hash`); other parameters are flattened if they contain references (resource.rb, the copy
 * constructor).
 */
function flattenParameterValue(name: string, value: Value): Value {
  if (!Array.isArray(value)) return value
  const isRelationship = relationshipParameters.has(name)
  if (!isRelationship && !value.some(Array.isArray)) return value
  const flat = value.flat(Number.POSITIVE_INFINITY) as readonly Value[]
  if (isRelationship) return flat.filter((each) => each !== undefined)
  return flat.some(isReference) ? flat : value
}

function isReference(value: Value): boolean {
  return isType(value) && (value.kind === 'Resource' || value.kind === 'Class')
}

/**
 * Returns the namevar if Puppet's catalog also contains it as a parameter: for a numeric title, and for the title
 * `main`.
 */
function getImplicitNamevar(resource: CatalogResource): [string, Value][] {
  const { type, title, titleValue } = resource
  if (typeof titleValue !== 'string') return [[resource.parameterName('name'), title]]
  return title === 'main' && (type === 'Class' || type === 'Stage') ? [['name', 'main']] : []
}

function getResourceKind({ definition, isClass, span }: CatalogResource): Resource['kind'] {
  if (definition.kind === 'native') return 'compilable_type'
  if (definition.kind === 'define') return 'defined_type'
  return isClass && span ? 'class' : 'unknown'
}
