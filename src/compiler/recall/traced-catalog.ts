import type { UncommittedCatalog } from '../../model/commit-values.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { TraceStep } from '../../ruby/trace/trace-step.ts'
import type { JobLog, RecordedQuestion } from '../request/job-log.ts'

/** The parts of a catalog that affect other nodes, and the results of the external queries of its compilation. */
export interface CatalogSummary {
  readonly environment: string
  readonly exports: readonly ExportedResource[]
  readonly collects: readonly string[]
  readonly asked: readonly RecordedQuestion[]
}

/** All results of a compilation, except the values that only the commit determines. */
export interface TracedCatalog extends CatalogSummary {
  readonly text: UncommittedCatalog
  /** Keys looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly logs: readonly JobLog[]
  /**
   * Resources and edges for a store, as JSON members without the enclosing braces; `undefined` if there is no store.
   */
  readonly stored: Uint8Array | undefined
}

/** A catalog, with all questions (reads) of its compilation and their answers. */
export interface CatalogTrace {
  /** Digest of the inputs that are compared as a whole. */
  readonly key: string
  /** Questions about the request and external sources. */
  readonly own: readonly TraceStep[]
  /** Questions about code, whose answers are the same for all nodes of a commit. */
  readonly code: readonly TraceStep[]
  readonly catalog: TracedCatalog
}
