import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { CatalogWire } from '../../../model/catalog.ts'
import { decryptCatalogSecrets } from '../../../model/catalog-secrets.ts'
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
  const folders = new Map(
    roles.flatMap(({ client_datadir, clientyamldir, hostprivkey }) =>
      [client_datadir, clientyamldir].map((path) => [join(path, 'catalog'), hostprivkey] as const),
    ),
  )
  for (const [named, key] of folders) {
    // The search reports paths without links.
    const folder = await realpath(named).catch(() => named)
    for (const name of await listNames(folder, files)) {
      const path = join(folder, name)
      const format = formats.find(({ extension }) => name.endsWith(`.${extension}`))
      try {
        const bytes = format && (await files.readWithin(path, budgets.node.answer.bound))
        if (!bytes) continue
        const { wire } = format.parse(decodeLosslessUtf8(bytes), path)
        secrets.set(path, await listPlainSecrets(wire, () => files.readText(key)))
      } catch (error) {
        unreadable.set(path, formatErrorReason(error))
      }
    }
  }
  return { secrets, unreadable }
}

/** Lists the secrets of a catalog. Encrypted secrets are known, too, but the catalog then has none in plain text. */
async function listPlainSecrets(
  wire: CatalogWire,
  readKey: () => Promise<string | undefined>,
): Promise<CatalogSecrets> {
  const plain = await decryptCatalogSecrets(wire as ExactJson, readKey)
  const listed = listCatalogSecrets(plain as CatalogWire)
  return plain === wire ? listed : { ...listed, hasSecrets: false }
}

/** The names in a directory. A directory that cannot be read is reported by the search. */
async function listNames(folder: string, files: Files): Promise<readonly string[]> {
  try {
    return (await files.list(folder)) ?? []
  } catch {
    return []
  }
}
