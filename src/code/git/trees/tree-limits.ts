import { budgets } from '../../../base/budgets/budgets.ts'
import { createPuppetError, type PuppetError } from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import { gitIssues } from '../issues.ts'

/** Limits for the tree of a commit; the listing stops when a limit is exceeded. */
export interface TreeLimits {
  /** Number of files and folders; a folder that occurs at two paths counts twice. */
  readonly files: number
  /** Total bytes of all paths. */
  readonly paths: number
  /** Bytes of one path. */
  readonly path: number
  /** Depth of nested folders. */
  readonly depth: number
}

/** The default limits. */
export const usualLimits: TreeLimits = {
  files: budgets.push.files.bound,
  paths: budgets.push.paths.bound,
  path: budgets.push.path.bound,
  depth: budgets.push.depth.bound,
}

/** Number of characters to show of a path that is too long. */
const shown = 100

/** Checks a listing against the limits. */
export class TreeMeter {
  readonly #commit: string
  readonly #limits: TreeLimits
  #files = 0
  #bytes = 0

  constructor(commit: string, limits: TreeLimits) {
    this.#commit = commit
    this.#limits = limits
  }

  /** Counts a file or folder. Throws GIT_TREE_TOO_LARGE. */
  count(path: string): void {
    const { files, paths, path: longest, depth } = this.#limits
    const bytes = Buffer.byteLength(path)
    this.#bytes += bytes
    if (++this.#files > files) throw this.#over(`has more than ${files} files and directories`, 'max_environment_files')
    if (this.#bytes > paths) throw this.#over(`has paths that total more than ${paths} bytes`)
    if (bytes > longest) throw this.pathTooLong(path)
    if (countFolders(path) > depth)
      throw this.#over(`has directories nested more than ${depth} levels deep: ${toPrintable(path.slice(0, shown))}…`)
  }

  /** Returns the error for a path that exceeds the limit before it was received completely. */
  pathTooLong(beginning: string): PuppetError {
    const { path } = this.#limits
    return this.#over(`has a path longer than ${path} bytes: ${toPrintable(beginning.slice(0, shown))}…`)
  }

  #over(what: string, setting?: string): PuppetError {
    return createPuppetError(gitIssues.GIT_TREE_TOO_LARGE, { commit: this.#commit, what, setting })
  }
}

function countFolders(path: string): number {
  let depth = 0
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth++
  return depth
}
