import type { EnvironmentSnapshot } from '../../code/environments/environment-snapshot.ts'
import type { CompiledCatalog, CompileJob } from '../../compiler/workers/job.ts'
import type { FailedCompile } from './node-change.ts'

/**
 * The question: what does other code do to these nodes? `from` is absent only where there is nothing to compare with.
 * The caller decides whom it is asked of: `compile` is that of a pool (a server's, whose workers are warm, or one's own),
 * and `jobOf` makes the job that an agent's request would be, so that traces of agents' catalogs are of use here, and
 * those that are made here are of use to agents once the code is served.
 */
export interface ImpactOrder {
  readonly from: ImpactCode | undefined
  readonly to: ImpactCode
  /** In the order in which they are compiled. */
  readonly nodes: readonly string[]
  /**
   * A node's job in one of the two codes: `environment` and `codeId` are that code's, `format` is `rich`. It is asked anew
   * for each use, so that facts of a large fleet are not all in memory. What it throws is why the node has no catalog.
   */
  jobOf(node: string, code: ImpactCode): Promise<CompileJob>
  compile(job: CompileJob): Promise<CompiledCatalog>
  /** The number of nodes that are compiled at the same time. */
  readonly atOnce: number
  /** Milliseconds after which no other node is begun; none where absent. */
  readonly budgetMs?: number | undefined
  /** Ends it early, as the budget does. */
  readonly signal?: AbortSignal | undefined
  /** Hears of each node when it is known what becomes of it; of a collector of changed exports twice. */
  onNode?(known: NodeKnown): void
}

/** One of the two codes. */
export interface ImpactCode {
  readonly snapshot: EnvironmentSnapshot
  /** The commit, or whatever names it for people. */
  readonly label: string
  /** True of code that agents get now: its traces are the nodes' own. */
  readonly isServed: boolean
  /** A file of the tree, by its path from the root; without bytes if it has more than `most`. */
  file(path: string, most: number): Promise<TreeFile | undefined>
}

/** A file of a tree. */
export interface TreeFile {
  readonly size: number
  readonly bytes: Uint8Array | undefined
}

/** The fate of a node. */
export type NodeOutcome =
  /** Its trace holds for the new code: nothing it reads is another. It was not compiled. */
  | 'unaffected'
  /** Both catalogs are equal. */
  | 'same'
  | 'changed'
  /** It had a catalog, and has none now. */
  | 'broken'
  /** It has no catalog, as before. */
  | 'failing'
  /** It had none, and has one now. */
  | 'mended'
  /** There is a catalog, and nothing to compare it with. */
  | 'fresh'
  /** The budget ran out before. */
  | 'unchecked'

/** The outcome of a node as soon as it is known, and how many are done. */
export interface NodeKnown {
  readonly node: string
  readonly outcome: NodeOutcome
  /** Why it has no catalog in the new code. */
  readonly failure: FailedCompile | undefined
  readonly done: number
  readonly of: number
}
