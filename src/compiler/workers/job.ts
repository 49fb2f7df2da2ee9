import type { PackedError } from '../../base/threads/packed-error.ts'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { EnvironmentSnapshot } from '../../code/environments/environment-snapshot.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { RubyBridge } from '../../ruby/ruby-share.ts'
import type { CatalogSending } from '../../store/commands/writing/catalog.ts'
import type { RecallOptions } from '../recall/recall.ts'
import type { BareError } from '../request/catalog-error.ts'
import type { CompileRequest, CompileResult } from '../request/compile-request.ts'
import type { AskedQuestion, JobLog } from '../request/posted.ts'
import type { CatalogFault } from './catalog-fault.ts'

export type { AskedQuestion, JobLog } from '../request/posted.ts'

/** Properties for outside queries, which each thread provides itself. */
type OutsideWays = 'askStore' | 'askOutside' | 'inputs'

/**
 * A compilation job, as posted to a worker: the environment's bytes are shared, everything else is
 * copied.
 */
export interface CompileJob
  extends Omit<CompileRequest, 'environment' | 'facts' | 'searchExports' | 'generated' | OutsideWays | 'wantsFull'> {
  /** Fact values, or their JSON text, which the worker parses. */
  readonly facts: CompileRequest['facts'] | Uint8Array
  readonly environment: EnvironmentSnapshot
  /** `rich` keeps the types of values; `plain` converts values without a JSON type to strings. */
  readonly format: CatalogFormat
  /** True if `$trusted` is stored as the fact `trusted`. */
  readonly trustedAmongFacts?: boolean
  /** Set if the catalog is to be stored, too. */
  readonly sending?: CatalogSending | undefined
  /** True if the client accepts a gzipped catalog; only recalled catalogs are compressed. */
  readonly gzip?: boolean
  /** True if queries of the store fail, because the author of the code may not read it. */
  readonly deniesStore?: boolean
  /** Exported resources by node, which replace those in the store. */
  readonly exported?: ReadonlyMap<string, readonly ExportedResource[]>
  /** `serve` by default. */
  readonly purpose?: JobPurpose
}

/** The purpose of a compilation: it decides which trace is kept, and what the worker returns. */
export type JobPurpose =
  /** A catalog for its node. */
  | { readonly kind: 'serve' }
  /** The trace for the node's next request; the returned catalog has no bytes. */
  | { readonly kind: 'trace' }
  /**
   * A catalog that no node applies. The trace of served code is replaced only with `isServed`. With
   * `faultsAt`, a time in milliseconds since 1970, policies are applied as of then and missing
   * sources are reported.
   */
  | { readonly kind: 'try'; readonly isServed: boolean; readonly faultsAt?: number }
  /** Checks if traces prove that `other` gives an identical catalog with the same faults; nothing is compiled. */
  | { readonly kind: 'compare'; readonly other: EnvironmentSnapshot }

/** Wire formats of a catalog: with or without rich data. */
export type CatalogFormat = 'rich' | 'plain'

/** A catalog returned by a worker, in wire format. */
export interface CompiledCatalog {
  readonly environment: string
  /** The commit that was compiled. */
  readonly codeId: string | undefined
  /** Empty if `gzipped` contains the catalog. */
  readonly body: Uint8Array
  /** The body compressed with gzip, in shared memory; set if it was requested and is available. */
  readonly gzipped?: Uint8Array
  /** SHA-256 of the body in hexadecimal; set with `gzipped`. */
  readonly digest?: string
  readonly exports: CompileResult['exports']
  readonly collects: CompileResult['collects']
  readonly catalogUuid: string
  /** Outside queries, with the digest of each result. */
  readonly asked: readonly AskedQuestion[]
  readonly logs: readonly JobLog[]
  /** The faults, if they were requested. */
  readonly faults?: readonly CatalogFault[]
  /** Payloads of the commands that store the catalog, if it is to be stored. */
  readonly commands?: CatalogCommands | undefined
  /**
   * `recalled` for the catalog of an earlier compilation whose inputs have not changed since. For
   * the purpose `compare`, the body is empty, and `unknown` means that no trace proves that the
   * catalogs are equal.
   */
  readonly origin: 'compiled' | 'recalled' | 'unknown'
}

/**
 * Payloads for a store: `replace catalog` version 9, and `replace catalog inputs` version 1 if
 * there are inputs.
 */
export interface CatalogCommands {
  readonly catalog: Uint8Array
  readonly inputs: Uint8Array | undefined
}

/** Start data of a worker. */
export interface WorkerData {
  readonly ruby?: RubyBridge
  /** The worker's end of a blob bridge. */
  readonly blobs: ThreadBridge | undefined
  /** Bridge to the exported resources of other nodes; `undefined` without storeconfigs. */
  readonly exports: ThreadBridge | undefined
  /** Bridge to the store of nodes, for puppetdb_query(). */
  readonly store?: ThreadBridge | undefined
  /** Bridge to DNS and HTTP; without it, Ruby in modules has no network. */
  readonly outside?: ThreadBridge | undefined
  /** The folder in which results of outside queries are stored; `undefined` to store none. */
  readonly answers?: string | undefined
  /** A file of recorded results, used instead of all outside queries. */
  readonly inputs?: string | undefined
  /** Bridge to the cached output of programs for `generate()`. */
  readonly generated?: ThreadBridge
  /** Options for recalling catalogs from traces; `undefined` to compile every catalog. */
  readonly recall?: RecallOptions | undefined
}

/** A message from the pool to a worker. */
export interface JobMessage {
  readonly id: number
  readonly job: Omit<CompileJob, 'settings'>
  /** Settings of this job and later ones; absent if unchanged, since copying the settings is expensive. */
  readonly settings?: CompileJob['settings']
}

/** A message from a worker: `ready` once, then a reply for each job. */
export type WorkerMessage =
  /** Contains the Linux thread id. */
  { readonly kind: 'ready'; readonly thread?: number | undefined } | WorkerAnswer

/** A worker's reply to the job with the same `id`. */
export type WorkerAnswer =
  | { readonly kind: 'catalog'; readonly id: number; readonly catalog: CompiledCatalog }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: JobFailure }

/** The failure of a job. */
export interface JobFailure {
  readonly error: PackedError
  /** Logs before the failure. */
  readonly logs: readonly JobLog[]
  /** The error of code or data in a form that can be compared with errors of other nodes. */
  readonly bare?: BareError | undefined
}
