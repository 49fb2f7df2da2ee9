import type { Value } from '../../language/values/value.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { ResourceTable } from '../catalog/resource-table.ts'

/** Returns the aliases of a resource, including its name if the name differs from the title. */
export function listResourceAliases(resource: CatalogResource, table: ResourceTable): Value[] {
  const { native, title, titleValue } = resource
  if (native && native.namevars.length > 1) return []
  const given = resource.isSensitive('alias') ? undefined : resource.get('alias')
  const aliases: Value[] =
    given === undefined ? [] : Array.isArray(given) ? given.flat(Number.POSITIVE_INFINITY) : [given]
  if (native && !native.isomorphic) return aliases
  const namevar = resource.parameterName('name')
  if (resource.isSensitive(namevar)) return aliases
  const name = resource.get(namevar) ?? table.attributesInTitle(resource).get(namevar) ?? title
  if (isMainContainer(resource)) return [...aliases, 'main']
  return name === titleValue || aliases.includes(name) ? aliases : [...aliases, name]
}

/**
 * Returns true for Stage[main] and Class[main]. In Puppet, their title is a symbol, and therefore differs from the
 * name.
 */
function isMainContainer({ type, title }: CatalogResource): boolean {
  return title === 'main' && (type === 'Class' || type === 'Stage')
}
