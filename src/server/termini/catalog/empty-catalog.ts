import type { CatalogDocument } from './index.ts'

/** A catalog without resources. The agent reads its environment and switches to that environment. */
export function createEmptyCatalog(name: string, environment: string): CatalogDocument {
  const wire = {
    tags: [],
    name,
    version: null,
    code_id: null,
    catalog_uuid: null,
    catalog_format: 2,
    environment,
    resources: [],
    edges: [],
    classes: [],
  }
  return { environment, codeId: undefined, body: Buffer.from(JSON.stringify(wire)) }
}
