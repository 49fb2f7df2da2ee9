import { parseJson } from '../base/json/json-text.ts'
import { fromRichData } from '../language/rich-data/rich-data.ts'
import type { Catalog, CatalogWire } from './catalog.ts'
import { catalogText, type WireOptions } from './catalog-text.ts'
import { readCatalog } from './read-catalog.ts'

/** A catalog as an agent reads it. protocol.md 5. */
export function catalogToWire(catalog: Catalog, options: WireOptions): CatalogWire {
  return parseJson(catalogText(catalog, options)) as CatalogWire
}

/** A catalog as a server sent it, or a cache kept it. */
export function catalogFromWire(body: unknown): Catalog {
  return readCatalog(body, fromRichData)
}
