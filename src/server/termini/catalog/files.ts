import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { rubyTags } from '../../../model/model-readers.ts'
import { createMsgpackFormat, createYamlFormat, type FileFormat, jsonFormat } from '../file-format.ts'
import { createFileTerminus } from '../model-files.ts'
import type { CatalogServices } from './compiler.ts'
import type { CatalogDocument, CatalogRequest } from './index.ts'

type CatalogFiles = TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest>

/** The last catalog of each node, as sent: `<server_datadir>/catalog/<name>.json`. */
export const json: CatalogFiles = {
  doc: 'Stores the last catalog of each node in a JSON file.',
  create: (services) => createCatalogFiles(join(services.settings.server_datadir, 'catalog'), jsonFormat, services),
}

/** The last catalog of each node in MessagePack, in the same folder. */
export const msgpack: CatalogFiles = {
  doc: 'Stores the last catalog of each node in a MessagePack file.',
  create: (services) =>
    createCatalogFiles(
      join(services.settings.server_datadir, 'catalog'),
      createMsgpackFormat(services.readText),
      services,
    ),
}

/**
 * The last catalog of each node in YAML, in Puppet's file layout: `<yamldir>/catalog/<name>.yaml`.
 */
export const yaml: CatalogFiles = {
  doc: 'Stores the last catalog of each node in a YAML file.',
  create: (services) =>
    createCatalogFiles(
      join(services.settings.yamldir, 'catalog'),
      createYamlFormat(rubyTags.catalog, services.readText),
      services,
    ),
}

function createCatalogFiles(directory: string, format: FileFormat, { system, readText }: CatalogServices) {
  return createFileTerminus<CatalogDocument>({
    indirection: 'catalog',
    directory,
    format,
    files: system.files,
    largest: budgets.request.modelFile.bound,
    async parse(body) {
      const { environment, codeId } = await readText('storedCatalog', body, '')
      return { environment, codeId, body }
    },
    print: readCatalogText,
  })
}

/** JSON text of a catalog, decompressed if necessary. */
export async function readCatalogText({ body, gzipped }: CatalogDocument): Promise<Uint8Array> {
  return gzipped ? promisify(gunzip)(gzipped) : body
}
