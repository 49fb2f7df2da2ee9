import { budgets } from '../../../base/budgets/budgets.ts'
import type { ExactObject } from '../../../base/json/exact-json.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/text-readings.ts'
import type { FactsSending } from '../../../store/commands/writing/facts.ts'
import type { ServerStore } from '../../../store/exports/from-settings.ts'
import { inMemory, type MemoryBounds } from '../in-memory.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { json, yaml } from './files.ts'
import { puppetdb } from './puppetdb.ts'
import { rest } from './rest.ts'

/** A request for facts. */
export interface FactsRequest extends Request {
  /** `$trusted` of who sends them. */
  readonly trusted?: (() => ExactObject | Promise<ExactObject>) | undefined
}

/** Services of the termini of facts. */
export interface FactsServices extends RemoteServices {
  readonly files: Files
  readonly settings: { readonly server_datadir: string; readonly yamldir: string; readonly environment: string }
  readonly readText: ReadText
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
    yaml,
    memory: { doc: 'Kept while the server runs.', create: () => inMemory(inMemoryBounds) },
    puppetdb,
    rest,
  },
}
