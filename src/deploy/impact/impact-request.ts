import type { EnvironmentSnapshot } from '../../code/environments/environment-snapshot.ts'
import type { CompiledCatalog, CompileJob } from '../../compiler/workers/compile-job.ts'
import type { FailedCompile } from './node-change.ts'

/**
 * A request to analyze the impact of new code on nodes. `from` is undefined only if there is no code
 * to compare with. `compile` belongs to a pool of the caller: a server's, with warm workers, or a new
 * one. `createJob` must return the same job as an agent's request, so that traces of agents' catalogs can
 * be used here, and traces recorded here serve agents after the code is deployed.
 */
export interface ImpactOrder {
  readonly from: ImpactCode | undefined
  readonly to: ImpactCode
  /** Nodes in the order of compilation. */
  readonly nodes: readonly string[]
  /**
   * Returns a node's job for one of the codes: with `environment` and `codeId` of the code, and
   * `format` `rich`. It is called for each use, so that not all facts of a large fleet are in
   * memory. An error is reported as the node's failure.
   */
  createJob(node: string, code: ImpactCode): Promise<CompileJob>
  compile(job: CompileJob): Promise<CompiledCatalog>
  /** Number of concurrent compilations. */
  readonly atOnce: number
  /** Time in milliseconds after which no further node is compiled; undefined for no limit. */
  readonly budgetMs?: number | undefined
  /** Ends the analysis early when aborted, in the same way as an exhausted budget. */
  readonly signal?: AbortSignal | undefined
  /** Called for each node with its outcome; twice for nodes that collect changed exports. */
  onNode?(known: NodeResult): void
}

/** One of the two codes. */
export interface ImpactCode {
  readonly snapshot: EnvironmentSnapshot
  /** The commit, or another name for users. */
  readonly label: string
  /** True for code that agents get now, so that its traces are the nodes' own. */
  readonly isServed: boolean
  /** Returns a file by its path from the root of the tree. Omits the bytes of a file larger than `most` bytes. */
  file(path: string, most: number): Promise<TreeFile | undefined>
}

/** A file of a tree. */
export interface TreeFile {
  readonly size: number
  readonly bytes: Uint8Array | undefined
}

/** The outcome of a node. */
export type NodeOutcome =
  /** A trace is valid for the new code, since nothing it read has changed; the node was not compiled. */
  | 'unaffected'
  /** Both catalogs are equal. */
  | 'same'
  | 'changed'
  /** The node had a catalog and has none now. */
  | 'broken'
  /** The node has no catalog with either code. */
  | 'failing'
  /** The node had no catalog and has one now. */
  | 'mended'
  /** The node has a catalog, and there is no earlier catalog to compare. */
  | 'fresh'
  /** The node was not compiled, because the budget was exhausted. */
  | 'unchecked'

/** The outcome of a node, with the number of finished nodes. */
export interface NodeResult {
  readonly node: string
  readonly outcome: NodeOutcome
  /** Reason for the failure with the new code. */
  readonly failure: FailedCompile | undefined
  readonly done: number
  readonly of: number
}
