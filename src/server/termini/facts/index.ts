import { budgets } from '../../../base/budgets/budgets.ts'
import type { ExactObject } from '../../../base/json/exact-json.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import type { FactsEnvelope } from '../../../store/commands/writing/facts.ts'
import type { ServerStore } from '../../../store/exports/export-settings.ts'
import { createMemoryTerminus, type MemoryBounds } from '../memory-terminus.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { json, yaml } from './files.ts'
import { puppetdb } from './puppetdb.ts'
import { rest } from './rest.ts'

/** A request for facts. */
export interface FactsRequest extends Request {
  /** Returns `$trusted` of the client that sends the facts. */
  readonly trusted?: (() => ExactObject | Promise<ExactObject>) | undefined
}

/** Dependencies of the facts termini. */
export interface FactsServices extends RemoteServices {
  readonly files: Files
  readonly settings: { readonly server_datadir: string; readonly yamldir: string; readonly environment: string }
  readonly readText: ReadText
  /** Parses facts in JSON. */
  read(text: Buffer): Promise<FactsDocument>
  /** The store; undefined without a store. */
  readonly stored?: StoredFactsServices | undefined
}

/** A store, with converters of its facts. */
export interface StoredFactsServices extends ServerStore {
  /** Environment for requests without one. */
  readonly environment: string
  /** Creates the store payload of facts. */
  payload(facts: FactsDocument, sending: FactsEnvelope): Promise<Uint8Array>
  /** Parses facts from a store's response; `undefined` if the node has none. */
  readRows(name: string, rows: Uint8Array): Promise<FactsDocument | undefined>
}

const inMemoryBounds: MemoryBounds<FactsDocument> = {
  bytes: budgets.request.factsInMemory.bound,
  sizeOf: ({ values }) => values.length + 1,
}

/** Facts of nodes. */
export const facts: IndirectionDefinition<FactsDocument, FactsServices, FactsRequest> = {
  name: 'facts',
  doc: 'Facts of nodes.',
  expiration: {
    of: ({ expiration }) => (expiration === undefined ? undefined : new Date(expiration)),
    set: (facts, expiration) => ({ ...facts, expiration: expiration.toISOString() }),
  },
  termini: {
    json,
    yaml,
    memory: { doc: 'Stores facts in memory.', create: () => createMemoryTerminus(inMemoryBounds) },
    puppetdb,
    rest,
  },
}
