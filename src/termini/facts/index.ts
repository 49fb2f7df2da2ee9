import { join } from 'node:path'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import { type FactsDocument, factsDocumentText } from '../../model/facts.ts'
import type { Files } from '../../system/system.ts'
import { inMemory } from '../in-memory.ts'
import { jsonFiles } from '../json-files.ts'

/** What the termini of facts need. */
export interface FactsServices {
  readonly files: Files
  readonly settings: { readonly server_datadir: string }
  /** Reads facts from their JSON text. */
  read(text: Buffer): Promise<FactsDocument>
}

/** What nodes said of themselves. */
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
        jsonFiles({
          indirection: 'facts',
          directory: join(settings.server_datadir, 'facts'),
          files,
          parse: read,
          print: pieces,
        }),
    },
    memory: { doc: 'Kept while the server runs.', create: () => inMemory() },
  },
}

async function* pieces(facts: FactsDocument): AsyncGenerator<Uint8Array> {
  yield* factsDocumentText(facts)
}
