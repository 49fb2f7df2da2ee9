import type { CatalogDocument } from './index.ts'

/** A catalog without resources; it tells the agent to switch to another environment. */
export function emptyCatalog(name: string, environment: string): CatalogDocument {
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
