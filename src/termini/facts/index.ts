import { join } from 'node:path'
import { budgets } from '../../base/budgets.ts'
import type { IndirectionDefinition, Terminus } from '../../indirector/terminus.ts'
import { type FactsDocument, factsDocumentText } from '../../model/facts.ts'
import type { Files } from '../../system/system.ts'
import { inMemory, type MemoryBounds } from '../in-memory.ts'
import { jsonFiles } from '../json-files.ts'

/** Services of the termini of facts. */
export interface FactsServices {
  readonly files: Files
  readonly settings: { readonly server_datadir: string }
  /** Reads facts from their JSON text. */
  read(text: Buffer): Promise<FactsDocument>
}

const inMemoryBounds: MemoryBounds<FactsDocument> = {
  bytes: budgets.request.factsInMemory.bound,
  sizeOf: ({ values }) => values.length + 1,
}

/** Facts of nodes. */
export const facts: IndirectionDefinition<FactsDocument, FactsServices> = {
  name: 'facts',
  doc: 'What nodes say of themselves.',
  expiration: {
    of: ({ expiration }) => (expiration === undefined ? undefined : new Date(expiration)),
    set: (facts, expiration) => ({ ...facts, expiration: expiration.toISOString() }),
  },
  termini: {
    json: {
      doc: 'One JSON file for each node.',
      create: ({ files, settings, read }) =>
        foundOnce(
          jsonFiles({
            indirection: 'facts',
            directory: join(settings.server_datadir, 'facts'),
            files,
            parse: read,
            print: pieces,
          }),
        ),
    },
    memory: { doc: 'Kept while the server runs.', create: () => inMemory(inMemoryBounds) },
  },
}

async function* pieces(facts: FactsDocument): AsyncGenerator<Uint8Array> {
  yield* factsDocumentText(facts)
}

/** Who asks for the same facts while they are read gets the same: they may be large. What was read before a change is not. */
function foundOnce(terminus: Required<Terminus<FactsDocument>>): Required<Terminus<FactsDocument>> {
  const underWay = new Map<string, Promise<FactsDocument | undefined>>()
  const changed = async (key: string, change: Promise<void>) => {
    try {
      await change
    } finally {
      underWay.delete(key)
    }
  }
  return {
    ...terminus,
    find(request) {
      const known = underWay.get(request.key)
      if (known) return known
      const found = terminus.find(request).finally(() => {
        if (underWay.get(request.key) === found) underWay.delete(request.key)
      })
      underWay.set(request.key, found)
      return found
    },
    save: (facts, request) => changed(request.key, terminus.save(facts, request)),
    destroy: (request) => changed(request.key, terminus.destroy(request)),
  }
}
