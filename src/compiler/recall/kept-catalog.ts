import type { ExportedResource } from '../../model/exported-resource.ts'
import type { UncommittedCatalog } from '../../model/recommitted.ts'
import type { Step } from '../../ruby/trace/step.ts'
import type { AskedQuestion, JobLog } from '../request/posted.ts'

/** A catalog's data for other nodes, and the external answers it was compiled with. */
export interface CatalogSummary {
  readonly environment: string
  readonly exports: readonly ExportedResource[]
  readonly collects: readonly string[]
  readonly asked: readonly AskedQuestion[]
}

/** All results of a compilation, except those that the commit alone determines. */
export interface KeptCatalog extends CatalogSummary {
  readonly text: UncommittedCatalog
  /** Keys looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly logs: readonly JobLog[]
  /** Resources and edges for a store: JSON members without braces; `undefined` if not stored. */
  readonly stored: Uint8Array | undefined
}

/** A catalog with all questions of its compilation. */
export interface CatalogTrace {
  /** Digest of all inputs that are compared as a whole. */
  readonly key: string
  /** Questions about the request and external sources. */
  readonly own: readonly Step[]
  /** Questions about code, whose answers are the same for all nodes of a commit. */
  readonly code: readonly Step[]
  readonly catalog: KeptCatalog
}
