import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { getRecorder } from '../store-recorder.ts'
import type { CatalogServices } from './compiler.ts'
import type { CatalogDocument, CatalogRequest } from './index.ts'

/**
 * Saves the last catalog of each node in the store. `find` returns nothing, because agents'
 * catalogs are compiled.
 */
export const puppetdb: TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  doc: 'Stores catalogs and exported resources in the store.',
  create(services) {
    const recorder = getRecorder('catalog', services)
    return {
      find: async () => undefined,
      async save({ commands, exports = [] }, { key }) {
        // A catalog without commands is the empty catalog for another environment, and is not stored.
        if (!commands) return
        await recorder.recordCatalog({ certname: key, payload: commands.catalog, inputs: commands.inputs, exports })
      },
    }
  },
}
