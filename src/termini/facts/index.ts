import { join } from 'node:path'
import { budgets } from '../../base/budgets.ts'
import type { ExactObject } from '../../base/exact-json.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition, Terminus, TerminusDefinition } from '../../indirector/terminus.ts'
import { type FactsDocument, factsDocumentText } from '../../model/facts.ts'
import type { FactsSending } from '../../store/commands/writing/facts.ts'
import type { ServerStore } from '../../store/exports/from-settings.ts'
import type { Files } from '../../system/system.ts'
import { inMemory, type MemoryBounds } from '../in-memory.ts'
import { modelFiles } from '../model-files.ts'
import { puppetdb } from './puppetdb.ts'

/** A request for facts. */
export interface FactsRequest extends Request {
  /** `$trusted` of who sends them. */
  readonly trusted?: (() => ExactObject | Promise<ExactObject>) | undefined
}

/** Services of the termini of facts. */
export interface FactsServices {
  readonly files: Files
  readonly settings: { readonly server_datadir: string }
  /** Reads facts from their JSON text. */
  read(text: Buffer): Promise<FactsDocument>
  /** None without a store. */
  readonly stored?: StoredFactsServices | undefined
}

/** A store, and the forms of facts that go in and come out. */
export interface StoredFactsServices extends ServerStore {
  /** The environment where a request names none. */
  readonly environment: string
  /** The payload that tells a store of facts. */
  payload(facts: FactsDocument, sending: FactsSending): Promise<Uint8Array>
  /** Reads facts from what a store answers; `undefined` of a node without any. */
  readRows(name: string, rows: Uint8Array): Promise<FactsDocument | undefined>
}

const inMemoryBounds: MemoryBounds<FactsDocument> = {
  bytes: budgets.request.factsInMemory.bound,
  sizeOf: ({ values }) => values.length + 1,
}

const json: TerminusDefinition<FactsDocument, FactsServices, FactsRequest> = {
  doc: 'One JSON file for each node.',
  create: ({ files, settings, read }) =>
    foundOnce(
      modelFiles({
        indirection: 'facts',
        directory: factsDirectory(settings),
        extension: 'json',
        files,
        parse: read,
        print: pieces,
      }),
    ),
}

/** The folder of facts, a file for each node. */
export function factsDirectory({ server_datadir }: { readonly server_datadir: string }): string {
  return join(server_datadir, 'facts')
}

/** Facts of nodes. */
export const facts: IndirectionDefinition<FactsDocument, FactsServices, FactsRequest> = {
  name: 'facts',
  doc: 'What nodes say of themselves.',
  expiration: {
    of: ({ expiration }) => (expiration === undefined ? undefined : new Date(expiration)),
    set: (facts, expiration) => ({ ...facts, expiration: expiration.toISOString() }),
  },
  termini: {
    json,
    yaml: { ...json, doc: 'Where Puppet keeps YAML: the same as json.' },
    memory: { doc: 'Kept while the server runs.', create: () => inMemory(inMemoryBounds) },
    puppetdb,
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
