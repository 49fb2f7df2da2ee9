import { join } from 'node:path'
import { parseJson, printJson } from '../../base/json-text.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import { type Facts, factsFromWire, factsToWire } from '../../model/facts.ts'
import type { Files } from '../../system/system.ts'
import { inMemory } from '../in-memory.ts'
import { jsonFiles } from '../json-files.ts'

/** What the termini of facts need. */
export interface FactsServices {
  readonly files: Files
  readonly settings: { readonly server_datadir: string }
}

/** What nodes said of themselves. */
export const facts: IndirectionDefinition<Facts, FactsServices> = {
  name: 'facts',
  doc: 'What nodes say of themselves.',
  expiration: {
    of: ({ expiration }) => (expiration === undefined ? undefined : new Date(expiration)),
    set: (facts, expiration) => ({ ...facts, expiration: expiration.toISOString() }),
  },
  termini: {
    json: {
      doc: 'One JSON file for each node.',
      create: ({ files, settings }) =>
        jsonFiles({
          indirection: 'facts',
          directory: join(settings.server_datadir, 'facts'),
          files,
          parse: (text) => factsFromWire(parseJson(text)),
          print: (facts) => printJson(factsToWire(facts)),
        }),
    },
    memory: { doc: 'Kept while the server runs.', create: () => inMemory() },
  },
}
