import type { EnvironmentSnapshot } from '../../code/environments/environment-snapshot.ts'
import type { CompiledCatalog, CompileJob } from '../../compiler/workers/compile-job.ts'
import type { FailedCompile } from './node-change.ts'

/**
 * A request to analyze the impact of new code on nodes. `from` is undefined if there is no old code
 * to compare with. `compile` uses a thread pool of the caller: the server's pool, or a new one.
 * `createJob` must return the same job as an agent's request, so that compile traces of agents'
 * catalogs can be reused here, and traces recorded here can be reused for agents after the code is
 * deployed.
 */
export interface ImpactOrder {
  readonly from: ImpactCode | undefined
  readonly to: ImpactCode
  /** Nodes in the order of compilation. */
  readonly nodes: readonly string[]
  /**
   * Returns the compile job of a node for the old or the new code, with the `environment` and
   * `codeId` of the code, and `format` `rich`. Called for each use of a job, so that not all facts
   * of a large fleet are in memory. An error is reported as the node's failure.
   */
  createJob(node: string, code: ImpactCode): Promise<CompileJob>
  compile(job: CompileJob): Promise<CompiledCatalog>
  /** Number of concurrent compilations. */
  readonly atOnce: number
  /** Time in milliseconds after which no further node is compiled; undefined for no limit. */
  readonly budgetMs?: number | undefined
  /** Ends the analysis early when aborted, in the same way as `budgetMs`. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called for each node with its outcome, and again if the node is recompiled because it collects
   * changed exports.
   */
  onNode?(known: NodeResult): void
}

/** The old or the new code of an environment. */
export interface ImpactCode {
  readonly snapshot: EnvironmentSnapshot
  /** Name of the code for users, such as the commit. */
  readonly label: string
  /** True for the served code, whose compile traces are stored as those of the agents' catalogs. */
  readonly isServed: boolean
  /**
   * Returns a file of the code by its path from the root. Omits the bytes of a file larger than
   * `most` bytes.
   */
  file(path: string, most: number): Promise<TreeFile | undefined>
}

/** A file of the code; `bytes` is undefined for a large file. */
export interface TreeFile {
  readonly size: number
  readonly bytes: Uint8Array | undefined
}

/** The outcome of an impact analysis for one node. */
export type NodeOutcome =
  /**
   * The catalog was not compiled: the recorded compile trace is still valid, since none of its
   * inputs differs in the new code.
   */
  | 'unaffected'
  /** The catalogs compiled with the old and with the new code are equal. */
  | 'same'
  | 'changed'
  /** Compilation succeeds with the old code and fails with the new code. */
  | 'broken'
  /** Compilation fails with both the old and the new code. */
  | 'failing'
  /** Compilation fails with the old code and succeeds with the new code. */
  | 'mended'
  /** Compilation succeeds with the new code, and there is no old code to compare with. */
  | 'fresh'
  /** The catalog was not compiled, because the time limit was reached. */
  | 'unchecked'

/** The outcome of a node, with the number of finished nodes. */
export interface NodeResult {
  readonly node: string
  readonly outcome: NodeOutcome
  /** The error of a failed compilation with the new code. */
  readonly failure: FailedCompile | undefined
  readonly done: number
  readonly of: number
}
