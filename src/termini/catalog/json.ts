import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { optionalText, record, text } from '../../base/wire.ts'
import type { TerminusDefinition } from '../../indirector/terminus.ts'
import { modelFiles } from '../model-files.ts'
import type { CatalogServices } from './compiler.ts'
import type { CatalogDocument, CatalogRequest } from './index.ts'

/** The last catalog of each node, as it was sent. */
export const json: TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  doc: 'One JSON file for each node: the last catalog that it got.',
  create: ({ system, settings }) =>
    modelFiles({
      indirection: 'catalog',
      directory: join(settings.server_datadir, 'catalog'),
      extension: 'json',
      files: system.files,
      parse: (stored) => {
        const { environment, code_id } = record(JSON.parse(stored.toString()), 'catalog')
        return {
          environment: text(environment, 'catalog.environment'),
          codeId: optionalText(code_id, 'catalog.code_id'),
          body: stored,
        }
      },
      print: ({ body, gzipped }: CatalogDocument) => (gzipped ? unpacked(gzipped) : body),
    }),
}

async function* unpacked(gzipped: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await promisify(gunzip)(gzipped)
}
