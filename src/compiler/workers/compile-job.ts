import type { PackedError } from '../../base/threads/packed-error.ts'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { EnvironmentSnapshot } from '../../code/environments/environment-snapshot.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { RubyBridge } from '../../ruby/worker-share.ts'
import type { CatalogEnvelope } from '../../store/commands/writing/catalog.ts'
import type { RecallOptions } from '../recall/catalog-recall.ts'
import type { BareError } from '../request/catalog-error.ts'
import type { CompileCosts, CompileRequest, CompileResult } from '../request/compile-request.ts'
import type { JobLog, RecordedQuestion } from '../request/job-log.ts'
import type { CatalogFault } from './catalog-fault.ts'

export type { JobLog, RecordedQuestion } from '../request/job-log.ts'

/** Properties for external queries, which are not part of a job because each thread provides them. */
type OutsideWays = 'askStore' | 'askOutside' | 'inputs'

/**
 * A compilation job in the form that is sent to a worker. The bytes of the environment are shared; all other data is
 * copied.
 */
export interface CompileJob
  extends Omit<CompileRequest, 'environment' | 'facts' | 'searchExports' | 'generated' | OutsideWays | 'wantsFull'> {
  /** Fact values, or the JSON text of the values, which the worker parses. */
  readonly facts: CompileRequest['facts'] | Uint8Array
  readonly environment: EnvironmentSnapshot
  /**
   * Format of the catalog: `rich` preserves the types of values; `plain` converts values without a JSON type to
   * strings.
   */
  readonly format: CatalogFormat
  /** True if the trusted data is stored as the fact `trusted`. */
  readonly trustedAmongFacts?: boolean
  /** Set if the catalog must also be stored. */
  readonly sending?: CatalogEnvelope | undefined
  /** True if the client accepts a gzipped catalog; only recalled catalogs are compressed. */
  readonly gzip?: boolean
  /** DER of the certificate for whose key the secrets of the catalog are encrypted; undefined for plain text. */
  readonly secretsFor?: Uint8Array | undefined
  /** True if queries of the store must fail, because the author of the code has no permission to read the store. */
  readonly deniesStore?: boolean
  /** Exported resources by node; they replace the exported resources of these nodes in the store. */
  readonly exported?: ReadonlyMap<string, readonly ExportedResource[]>
  /** Purpose of the compilation; `serve` by default. */
  readonly purpose?: JobPurpose
}

/** The purpose of a compilation, which determines the trace that is stored, and the content of the reply. */
export type JobPurpose =
  /** Compile a catalog that its node requested. */
  | { readonly kind: 'serve' }
  /** Record the trace for the node's next request; the returned catalog has no bytes. */
  | { readonly kind: 'trace' }
  /**
   * Compile a catalog that no node applies. The trace of the served code is replaced only with `isServed`. With
   * `faultsAt` (milliseconds since 1970), the reply contains faults: missing sources, and violations of policies as of
   * this time.
   */
  | { readonly kind: 'try'; readonly isServed: boolean; readonly faultsAt?: number }
  /** Report, without compiling, if traces prove that the code of `other` gives the same catalog and faults. */
  | { readonly kind: 'compare'; readonly other: EnvironmentSnapshot }

/** Wire formats of a catalog: `rich` has rich data, `plain` has none. */
export type CatalogFormat = 'rich' | 'plain'

/** A catalog returned by a worker, in wire format. */
export interface CompiledCatalog {
  readonly environment: string
  /** The commit whose code was compiled. */
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
  /** External queries of the compilation, with the digest of each result. */
  readonly asked: readonly RecordedQuestion[]
  readonly logs: readonly JobLog[]
  /** The faults, if they were requested. */
  readonly faults?: readonly CatalogFault[]
  /** Payloads of the commands that store the catalog, if it is to be stored. */
  readonly commands?: CatalogCommands | undefined
  /**
   * `recalled` if the catalog is the result of an earlier compilation whose inputs have not changed since. For the
   * purpose `compare`, the body is empty; `unknown` means that no trace proves that the catalogs are equal.
   */
  readonly origin: 'compiled' | 'recalled' | 'unknown'
  /** Time and Ruby calls, if the catalog was compiled. */
  readonly costs?: CompileCosts
}

/**
 * Payloads of commands for a store: `replace catalog` version 9, and `replace catalog inputs` version 1 if the catalog
 * has inputs.
 */
export interface CatalogCommands {
  readonly catalog: Uint8Array
  readonly inputs: Uint8Array | undefined
}

/** Start data of a worker. */
export interface WorkerData {
  /** Memory of the `PauseSwitch` that pauses a job for which no client waits. */
  readonly pause?: SharedArrayBuffer
  readonly ruby?: RubyBridge
  /** The worker's end of the bridge through which it reads blobs. */
  readonly blobs: ThreadBridge | undefined
  /** Bridge to the exported resources of other nodes; `undefined` without storeconfigs. */
  readonly exports: ThreadBridge | undefined
  /** Bridge to the store, for puppetdb_query(). */
  readonly store?: ThreadBridge | undefined
  /** Bridge to DNS and HTTP for Ruby code in modules; if undefined, the code has no network access. */
  readonly outside?: ThreadBridge | undefined
  /** Folder in which results of external queries are stored; `undefined` to store no results. */
  readonly answers?: string | undefined
  /** Path of a file with recorded results, which are used instead of all external queries. */
  readonly inputs?: string | undefined
  /** Bridge to the cached output of programs for `generate()`. */
  readonly generated?: ThreadBridge
  /** Options for recalling catalogs from traces; if `undefined`, every catalog is compiled. */
  readonly recall?: RecallOptions | undefined
}

/** A message from the pool to a worker. */
export interface JobMessage {
  readonly id: number
  readonly job: Omit<CompileJob, 'settings'>
  /** Settings for this job and later jobs; undefined if they have not changed, since copying settings is slow. */
  readonly settings?: CompileJob['settings']
}

/** A message from a worker: first `ready`, then a reply to each job. */
export type WorkerMessage =
  /** `thread` is the Linux thread id. */
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
  /** The error in code or data, in a form that can be compared with the errors of other nodes. */
  readonly bare?: BareError | undefined
}
