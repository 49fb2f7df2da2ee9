import { join } from 'node:path'
import { parseJson, printJson } from '../base/json-text.ts'
import type { CatalogWire } from '../model/catalog.ts'
import type { Files } from '../system/system.ts'

/** The last catalog of a node, as it came: `client_data/catalog/NAME.json`. */
export interface CatalogCache {
  load(): Promise<CatalogWire | undefined>
  save(catalog: CatalogWire): Promise<void>
}

/** The cache in a folder; the name was checked when it became the certname. */
export function catalogCache(files: Files, clientDatadir: string, certname: string): CatalogCache {
  const folder = join(clientDatadir, 'catalog')
  const path = join(folder, `${certname}.json`)
  return {
    async load() {
      const text = await files.readText(path)
      return text === undefined ? undefined : (parseJson(text) as CatalogWire)
    },
    async save(catalog) {
      await files.makeDirectory(folder, 0o750)
      // Sensitive values stand in the file in plain text, readable for its owner only.
      await files.write(path, printJson(catalog), 0o600)
    },
  }
}
