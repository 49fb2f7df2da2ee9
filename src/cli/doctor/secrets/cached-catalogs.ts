import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { jsonCatalogFormat, yamlCatalogFormat } from '../../../node/agent/catalog/catalog-files.ts'
import { type CatalogSecrets, listCatalogSecrets } from './known-secrets.ts'

/** The cached catalogs of a machine. */
export interface CachedCatalogs {
  /** Paths of the catalogs, without links, with their secrets. */
  readonly secrets: ReadonlyMap<string, CatalogSecrets>
  /** Catalogs that could not be read, with the reasons. */
  readonly unreadable: ReadonlyMap<string, string>
}

const formats = [jsonCatalogFormat, yamlCatalogFormat]

/** Reads all cached catalogs, of devices too. */
export async function readCachedCatalogs(roles: readonly Settings[], files: Files): Promise<CachedCatalogs> {
  const secrets = new Map<string, CatalogSecrets>()
  const unreadable = new Map<string, string>()
  const folders = roles.flatMap((each) =>
    [each.client_datadir, each.clientyamldir].map((path) => join(path, 'catalog')),
  )
  for (const named of new Set(folders)) {
    // The search reports paths without links.
    const folder = await realpath(named).catch(() => named)
    for (const name of await listNames(folder, files)) {
      const path = join(folder, name)
      const format = formats.find(({ extension }) => name.endsWith(`.${extension}`))
      try {
        const bytes = format && (await files.readWithin(path, budgets.node.answer.bound))
        if (bytes) secrets.set(path, listCatalogSecrets(format.parse(decodeLosslessUtf8(bytes), path).wire))
      } catch (error) {
        unreadable.set(path, formatErrorReason(error))
      }
    }
  }
  return { secrets, unreadable }
}

/** The names in a directory. A directory that cannot be read is reported by the search. */
async function listNames(folder: string, files: Files): Promise<readonly string[]> {
  try {
    return (await files.list(folder)) ?? []
  } catch {
    return []
  }
}
