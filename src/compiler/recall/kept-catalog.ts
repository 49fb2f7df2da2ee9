import type { ExportedResource } from '../../model/exported-resource.ts'
import type { UncommittedCatalog } from '../../model/recommitted.ts'
import type { Step } from '../../ruby/trace/step.ts'
import type { AskedQuestion, JobLog } from '../request/posted.ts'

/** A catalog as other nodes know it, and the answers from outside that it was made with. */
export interface CatalogSummary {
  readonly environment: string
  readonly exports: readonly ExportedResource[]
  readonly collects: readonly string[]
  readonly asked: readonly AskedQuestion[]
}

/** All that came of a compilation, without what the commit alone decides. */
export interface KeptCatalog extends CatalogSummary {
  readonly text: UncommittedCatalog
  /** Keys that were looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly logs: readonly JobLog[]
  /** Resources and edges in the payload for a store: JSON members, without braces; none where it was not to be stored. */
  readonly stored: Uint8Array | undefined
}

/** A catalog, and all that its compilation asked. */
export interface CatalogTrace {
  /** Names all inputs that are compared as a whole. */
  readonly key: string
  /** Questions about the request and the world outside. */
  readonly own: readonly Step[]
  /** Questions about code, which all who ask in a commit are answered alike. */
  readonly code: readonly Step[]
  readonly catalog: KeptCatalog
}
