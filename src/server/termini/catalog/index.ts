import { budgets } from '../../../base/budgets/budgets.ts'
import type { CatalogCommands, CompiledCatalog } from '../../../compiler/workers/compile-job.ts'
import type { JobOptions } from '../../../compiler/workers/pool-options.ts'
import type { ExportedResource } from '../../../model/exported-resource.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import { createMemoryTerminus } from '../memory-terminus.ts'
import { type CatalogServices, compiler } from './compiler.ts'
import { json, msgpack, yaml } from './files.ts'
import { puppetdb } from './puppetdb.ts'
import { rest } from './rest.ts'

/** A catalog in wire format, with its environment. */
export interface CatalogDocument {
  readonly environment: string
  readonly codeId: string | undefined
  /** The catalog as JSON; empty if it is compressed. */
  readonly body: Uint8Array
  /** Gzip form of the body, if it was requested and exists. */
  readonly gzipped?: Uint8Array
  /** SHA-256 of the body in hexadecimal; set with `gzipped`. */
  readonly digest?: string
  /** `compiled`, or `recalled` if an earlier compilation was reused; `undefined` for other termini. */
  readonly origin?: CompiledCatalog['origin']
  /** Store payloads, if the catalog was compiled for the store. */
  readonly commands?: CatalogCommands | undefined
  /** External queries of the compilation, for the audit log. */
  readonly asked?: CompiledCatalog['asked']
  /** Resources the node exports. */
  readonly exports?: readonly ExportedResource[]
}

/** A request for a catalog. */
export interface CatalogRequest extends Request {
  /** Facts sent with the request; otherwise the last stored facts are used. */
  readonly facts: FactsDocument | undefined
  /** Data about the client for `$trusted`. */
  readonly trusted: {
    readonly authenticated: 'remote' | 'local' | false
    readonly extensions: Readonly<Record<string, string>>
  }
  /** True if the catalog must contain file metadata, provided the environment is versioned. */
  readonly static: boolean
  /** Checksum types of the agent, in order of preference, separated by dots. */
  readonly checksumTypes: string | undefined
  /** True to return an empty catalog if the node belongs to another environment than the requested one. */
  readonly checkEnvironment: boolean
  /** True if the agent accepts rich data. */
  readonly rich: boolean
  /** True if the agent accepts compressed responses. */
  readonly gzip?: boolean
  /** DER of the certificate for whose key the secrets of the catalog are encrypted; undefined for plain text. */
  readonly secretsFor?: Uint8Array | undefined
  /** UUID of the agent run. */
  readonly transactionUuid?: string | undefined
  readonly jobId?: string | undefined
  /** Id of the HTTP request, for the log. */
  readonly requestId?: string | undefined
  /**
   * True to compile with the node's last facts and keep only the compile trace, with which the
   * server can answer the node's next request without compiling.
   */
  readonly ahead?: boolean
  /** Counter of the memory that the waiting request holds, and a signal that aborts if the client disconnects. */
  readonly asking?: JobOptions
}

/** Catalogs of nodes. */
export const catalog: IndirectionDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  name: 'catalog',
  doc: 'Catalogs of nodes.',
  termini: {
    compiler,
    json,
    msgpack,
    yaml,
    memory: {
      doc: 'Stores the last catalogs in memory.',
      create: () =>
        createMemoryTerminus({
          bytes: budgets.request.modelsInMemory.bound,
          sizeOf: ({ body, gzipped }) => body.length + (gzipped?.length ?? 0) + 1,
        }),
    },
    puppetdb,
    rest,
  },
}
