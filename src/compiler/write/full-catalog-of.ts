import type { Catalog, FullCatalog } from '../../model/catalog.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { aliasesOf } from './aliases-of.ts'
import { resourceOf } from './catalog-of.ts'

/** Returns the catalog with the aliases of resources, and with exported resources that this node does not collect. */
export function fullCatalogOf({ table }: Compilation, catalog: Catalog): FullCatalog {
  const isKnown = ({ virtual, exported }: CatalogResource) => !virtual || exported
  return {
    ...catalog,
    resources: table.resources.filter(isKnown).map((resource) => ({
      ...resourceOf(resource, table),
      virtual: resource.virtual,
      aliases: aliasesOf(resource, table),
    })),
    edges: table.edges
      .filter(({ source, target }) => isKnown(source) && isKnown(target))
      .map(({ source, target }) => ({ source: source.reference, target: target.reference })),
  }
}
