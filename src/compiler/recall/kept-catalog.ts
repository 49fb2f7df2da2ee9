import type { ExportedResource } from '../../model/exported-resource.ts'
import type { UncommittedCatalog } from '../../model/recommitted.ts'
import type { Step } from '../../trace/step.ts'
import type { AskedQuestion, JobLog } from '../request/posted.ts'

/** All that came of a compilation, without what the commit alone decides. */
export interface KeptCatalog {
  readonly text: UncommittedCatalog
  readonly environment: string
  readonly exports: readonly ExportedResource[]
  readonly collects: readonly string[]
  /** Keys that were looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly asked: readonly AskedQuestion[]
  readonly logs: readonly JobLog[]
  /** Resources and edges in the payload for a store: JSON members, without braces; none where it was not to be stored. */
  readonly stored: Uint8Array | undefined
}

/** A catalog, and all that its compilation asked. */
export interface CatalogTrace {
  /** Names all inputs that are compared as a whole. */
  readonly key: string
  readonly steps: readonly Step[]
  readonly catalog: KeptCatalog
}
