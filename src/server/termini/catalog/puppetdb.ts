import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { recorderOf } from '../recorder-of.ts'
import type { CatalogServices } from './compiler.ts'
import type { CatalogDocument, CatalogRequest } from './index.ts'

/** The last catalog of each node, as the store is told of it. Nothing is found here: an agent's catalog is compiled. */
export const puppetdb: TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  doc: 'In the store: catalogs with all that their nodes export.',
  create(services) {
    const recorder = recorderOf('catalog', services)
    return {
      find: async () => undefined,
      async save({ commands, exports = [] }, { key }) {
        // A catalog that tells its node of another environment is none.
        if (!commands) return
        await recorder.recordCatalog({ certname: key, payload: commands.catalog, inputs: commands.inputs, exports })
      },
    }
  },
}
