import { parseJson } from '../base/json/json-text.ts'
import { readRichData } from '../language/rich-data/rich-data.ts'
import type { Catalog, CatalogWire } from './catalog.ts'
import { parseCatalog } from './catalog-parser.ts'
import { formatCatalog, type WireOptions } from './catalog-text.ts'

/** Converts a catalog to wire format. protocol.md 5. */
export function catalogToWire(catalog: Catalog, options: WireOptions): CatalogWire {
  return parseJson(formatCatalog(catalog, options)) as CatalogWire
}

/** Parses a catalog that was received from a server or cached. */
export function catalogFromWire(body: unknown): Catalog {
  return parseCatalog(body, readRichData)
}
