import { parseJson } from '../base/json/json-text.ts'
import { fromRichData } from '../language/rich-data/rich-data.ts'
import type { Catalog, CatalogWire } from './catalog.ts'
import { catalogText, type WireOptions } from './catalog-text.ts'
import { readCatalog } from './read-catalog.ts'

/** Converts a catalog to wire format. protocol.md 5. */
export function catalogToWire(catalog: Catalog, options: WireOptions): CatalogWire {
  return parseJson(catalogText(catalog, options)) as CatalogWire
}

/** Parses a catalog that was received from a server or cached. */
export function catalogFromWire(body: unknown): Catalog {
  return readCatalog(body, fromRichData)
}
