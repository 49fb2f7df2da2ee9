import { type Catalog, type FullCatalog, formatResourceReference } from '../../model/catalog.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { toModelResource } from './catalog-output.ts'
import { listResourceAliases } from './resource-aliases.ts'

/** Returns the catalog with the aliases of resources, and with exported resources that this node does not collect. */
export function buildFullCatalog({ table }: Compilation, catalog: Catalog): FullCatalog {
  const isInStore = ({ virtual, exported }: CatalogResource) => !virtual || exported
  const written = new Map(catalog.resources.map((each) => [formatResourceReference(each), each]))
  return {
    ...catalog,
    resources: table.resources.filter(isInStore).map((resource) => ({
      ...(written.get(resource.reference) ?? toModelResource(resource, table)),
      virtual: resource.virtual,
      aliases: listResourceAliases(resource, table),
    })),
    edges: table.edges
      .filter(({ source, target }) => isInStore(source) && isInStore(target))
      .map(({ source, target }) => ({ source: source.reference, target: target.reference })),
  }
}
