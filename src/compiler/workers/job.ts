import type { ThreadBridge } from '../../base/thread-bridge.ts'
import type { EnvironmentSnapshot } from '../../environments/environment-snapshot.ts'
import type { RubyBridge } from '../../ruby/ruby-share.ts'
import type { CompileRequest, CompileResult } from '../compile-request.ts'

/** A compilation, as it is posted to a worker: the environment's bytes are shared, all else is copied. */
export interface CompileJob extends Omit<CompileRequest, 'environment' | 'facts' | 'searchExports'> {
  /** Fact values, or the JSON text of them, which the worker reads. */
  readonly facts: CompileRequest['facts'] | Uint8Array
  readonly environment: EnvironmentSnapshot
  /** `rich`: values keep their types; `plain`: they become strings where JSON has no such type. */
  readonly format: CatalogFormat
}

export type CatalogFormat = 'rich' | 'plain'

/** A catalog as a worker answers it, ready for the wire. */
export interface CompiledCatalog {
  readonly environment: string
  /** The commit that was compiled. */
  readonly codeId: string | undefined
  readonly body: Uint8Array
  readonly exports: CompileResult['exports']
  readonly collects: CompileResult['collects']
  readonly logs: readonly JobLog[]
}

/** What was said while compiling: a CompileLog without its source text. */
export interface JobLog {
  readonly level: string
  readonly message: string
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly once?: boolean | undefined
}

/** What a worker is started with. */
export interface WorkerData {
  readonly ruby?: RubyBridge
  /** The worker's end of a blob bridge. */
  readonly blobs: ThreadBridge | undefined
  /** The worker's way to what other nodes export; without it storeconfigs is off. */
  readonly exports: ThreadBridge | undefined
}

/** What the pool posts. */
export interface JobMessage {
  readonly id: number
  readonly job: CompileJob
}

/** What a worker posts: `ready` once, when it can compile; then an answer for each job. */
export type WorkerMessage =
  /** With the number that Linux knows the thread by. */
  { readonly kind: 'ready'; readonly thread?: number | undefined } | WorkerAnswer

export type WorkerAnswer =
  | { readonly kind: 'catalog'; readonly id: number; readonly catalog: CompiledCatalog }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: JobFailure }

/** Why there is no catalog. */
export interface JobFailure {
  /** Puppet's issue code of an error of the code's; `undefined` when it is a bug of ours. */
  readonly code: string | undefined
  /** With its place, as Puppet words it in one line. */
  readonly message: string
  readonly hint: string | undefined
  readonly stack: string | undefined
  readonly logs: readonly JobLog[]
}
