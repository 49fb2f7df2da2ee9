import type { GitTreeEntry } from '../../code/git/git-object-source.ts'

/** The manifests of a commit to check, and the commit's files, which semantic checks read. */
export interface QualityQuestion {
  /** Name of the folder in which the linter sees the commit. */
  readonly name: string
  readonly entries: readonly GitTreeEntry[]
  readonly manifests: readonly GitTreeEntry[]
  readonly lint: boolean
  readonly format: boolean
  /** Milliseconds after which the remaining manifests are left out. */
  readonly timeMs: number
}

/** A problem of a manifest. */
export interface QualityProblem {
  readonly path: string
  readonly tool: 'lint' | 'format'
  readonly severity: 'warning' | 'error'
  readonly check: string
  readonly message: string
  readonly line: number
  readonly column: number
}

/** Problems that a tool found. */
export interface ToolResult {
  readonly errors: number
  readonly warnings: number
  /** Paths with problems, up to a few. */
  readonly paths: readonly string[]
  /** True if the command of the tool would exit with 1. */
  readonly isFailure: boolean
}

/** The result of a check. */
export interface QualityAnswer {
  /** The first problems, by path. */
  readonly problems: readonly QualityProblem[]
  readonly lint: ToolResult
  readonly format: ToolResult
  /** Number of manifests that were not checked because the time was over. */
  readonly unchecked: number
  /** Manifests that a tool cannot process, with the reasons; they do not reject a push. */
  readonly unsupported: readonly string[]
}
