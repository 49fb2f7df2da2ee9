import { budgets } from '../../../base/budgets/budgets.ts'
import type { CatalogCommands, CompiledCatalog } from '../../../compiler/workers/job.ts'
import type { Asking } from '../../../compiler/workers/pool-options.ts'
import type { ExportedResource } from '../../../model/exported-resource.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import { inMemory } from '../in-memory.ts'
import { type CatalogServices, compiler } from './compiler.ts'
import { json, msgpack, yaml } from './files.ts'
import { puppetdb } from './puppetdb.ts'
import { rest } from './rest.ts'

/** A catalog as it stands on the wire, and whose it is. */
export interface CatalogDocument {
  readonly environment: string
  readonly codeId: string | undefined
  /** Empty where the catalog comes compressed. */
  readonly body: Uint8Array
  /** The body in gzip's form, where that was asked for and is there. */
  readonly gzipped?: Uint8Array
  /** SHA-256 of the body in hexadecimal, with `gzipped`. */
  readonly digest?: string
  /** `compiled` for this request, or recalled; `undefined` where neither is so. */
  readonly origin?: CompiledCatalog['origin']
  /** Payloads that tell the store of it, where it was compiled for the store. */
  readonly commands?: CatalogCommands | undefined
  /** Resources that the node exports. */
  readonly exports?: readonly ExportedResource[]
}

/** A request for a catalog. */
export interface CatalogRequest extends Request {
  /** The facts that the node sends now; otherwise its last stored facts. */
  readonly facts: FactsDocument | undefined
  /** The proven facts about the client. */
  readonly trusted: {
    readonly authenticated: 'remote' | 'local' | false
    readonly extensions: Readonly<Record<string, string>>
  }
  /** True when the catalog shall hold the metadata of its files, if the environment is versioned. */
  readonly static: boolean
  /** Types that the agent knows, best first, with dots between. */
  readonly checksumTypes: string | undefined
  /** Answer an empty catalog when the node belongs to another environment than the one it asks for. */
  readonly checkEnvironment: boolean
  /** True when the agent reads rich data. */
  readonly rich: boolean
  /** True when the agent takes compressed answers. */
  readonly gzip?: boolean
  /** The run of the agent that it is for. */
  readonly transactionUuid?: string | undefined
  readonly jobId?: string | undefined
  /** The id of the HTTP request, for the log. */
  readonly requestId?: string | undefined
  /** True where only the trace is wanted that the node's next request is recalled by; its last facts are taken. */
  readonly ahead?: boolean
  /** The memory that the waiting request holds, and the presence of a client that still waits. */
  readonly asking?: Asking
}

/** Catalogs: the wanted state of nodes. */
export const catalog: IndirectionDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  name: 'catalog',
  doc: 'What a node is to be.',
  termini: {
    compiler,
    json,
    msgpack,
    yaml,
    memory: {
      doc: 'The last catalogs, while the server runs.',
      create: () =>
        inMemory({
          bytes: budgets.request.modelsInMemory.bound,
          sizeOf: ({ body, gzipped }) => body.length + (gzipped?.length ?? 0) + 1,
        }),
    },
    puppetdb,
    rest,
  },
}
