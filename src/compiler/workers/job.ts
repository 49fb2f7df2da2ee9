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

/** Ways to ask outside, of which each thread has its own. */
type OutsideWays = 'askStore' | 'askOutside' | 'inputs'

/** A compilation, as it is posted to a worker: the environment's bytes are shared, all else is copied. */
export interface CompileJob
  extends Omit<CompileRequest, 'environment' | 'facts' | 'searchExports' | 'generated' | OutsideWays | 'wantsFull'> {
  /** Fact values, or the JSON text of them, which the worker reads. */
  readonly facts: CompileRequest['facts'] | Uint8Array
  readonly environment: EnvironmentSnapshot
  /** `rich`: values keep their types; `plain`: they become strings where JSON has no such type. */
  readonly format: CatalogFormat
  /** True where `$trusted` is what stands among the facts under that name. */
  readonly trustedAmongFacts?: boolean
  /** Given for a catalog that is to be stored, too. */
  readonly sending?: CatalogSending | undefined
  /** True for who takes the catalog compressed, where it is recalled. */
  readonly gzip?: boolean
  /** True if queries of the store fail, because the author of the code may not read it. */
  readonly deniesStore?: boolean
  /** Exports of nodes in place of those that the store has of them. */
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
   * A catalog that no node applies. The trace of served code stays as it is unless `isServed`. With `faultsAt`, a time in
   * milliseconds since 1970, policies are applied as of then and missing sources are reported.
   */
  | { readonly kind: 'try'; readonly isServed: boolean; readonly faultsAt?: number }
  /** Checks if traces prove that `other` gives an identical catalog with the same faults; nothing is compiled. */
  | { readonly kind: 'compare'; readonly other: EnvironmentSnapshot }

/** Wire formats of a catalog: with rich data or plain. */
export type CatalogFormat = 'rich' | 'plain'

/** A catalog as a worker answers it, ready for the wire. */
export interface CompiledCatalog {
  readonly environment: string
  /** The commit that was compiled. */
  readonly codeId: string | undefined
  /** Empty where the catalog comes compressed. */
  readonly body: Uint8Array
  /** The body in gzip's form, in memory that threads share: where that was wanted and is at hand. */
  readonly gzipped?: Uint8Array
  /** SHA-256 of the body in hexadecimal, with `gzipped`. */
  readonly digest?: string
  readonly exports: CompileResult['exports']
  readonly collects: CompileResult['collects']
  readonly catalogUuid: string
  /** Questions outside, with the digest of each answer. */
  readonly asked: readonly AskedQuestion[]
  readonly logs: readonly JobLog[]
  /** Its faults, where those were asked for. */
  readonly faults?: readonly CatalogFault[]
  /** Payloads of the commands that store it, where it is to be stored. */
  readonly commands?: CatalogCommands | undefined
  /**
   * `recalled` for the catalog of an earlier compilation that read nothing that has changed since. For the purpose `compare`
   * the body is empty, and `unknown` means that no trace proves it.
   */
  readonly origin: 'compiled' | 'recalled' | 'unknown'
}

/** Payloads that tell a store of a catalog: `replace catalog` 9, and `replace catalog inputs` 1 where there are any. */
export interface CatalogCommands {
  readonly catalog: Uint8Array
  readonly inputs: Uint8Array | undefined
}

/** Start data of a worker. */
export interface WorkerData {
  readonly ruby?: RubyBridge
  /** The worker's end of a blob bridge. */
  readonly blobs: ThreadBridge | undefined
  /** The worker's way to what other nodes export; without it storeconfigs is off. */
  readonly exports: ThreadBridge | undefined
  /** The worker's way to the store of nodes, for puppetdb_query(). */
  readonly store?: ThreadBridge | undefined
  /** The worker's way to DNS and HTTP; without it modules' Ruby has no network. */
  readonly outside?: ThreadBridge | undefined
  /** The folder in which answers from outside are kept; none where they are not. */
  readonly answers?: string | undefined
  /** A file of answers from outside, in place of all who could be asked. */
  readonly inputs?: string | undefined
  /** The worker's way to what programs print for `generate()`. */
  readonly generated?: ThreadBridge
  /** The traces that catalogs are recalled from; none where each is compiled. */
  readonly recall?: RecallOptions | undefined
}

/** A message from the pool to a worker. */
export interface JobMessage {
  readonly id: number
  readonly job: Omit<CompileJob, 'settings'>
  /** The settings of this job and of those after it; absent where they are as before: copying them takes longest of all. */
  readonly settings?: CompileJob['settings']
}

/** A message from a worker: `ready` once, when it can compile; then an answer for each job. */
export type WorkerMessage =
  /** With the number that Linux knows the thread by. */
  { readonly kind: 'ready'; readonly thread?: number | undefined } | WorkerAnswer

/** A worker's answer to one job, by the job's `id`. */
export type WorkerAnswer =
  | { readonly kind: 'catalog'; readonly id: number; readonly catalog: CompiledCatalog }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: JobFailure }

/** Why there is no catalog. */
export interface JobFailure {
  readonly error: PackedError
  /** Everything said until then. */
  readonly logs: readonly JobLog[]
  /** The error of code or data, for who compares it with those of other nodes. */
  readonly bare?: BareError | undefined
}
