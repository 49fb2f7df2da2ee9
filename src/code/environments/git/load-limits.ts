import { getHeapStatistics } from 'node:v8'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type TreeLimits, usualLimits } from '../../git/tree-limits.ts'

/** Limits of the tree of one commit, the same for the hook and the loader. */
export interface CommitLimits {
  readonly tree: TreeLimits
  /** Bytes of what is loaded. */
  readonly bytes: number
  /** Bytes of one file that is parsed. */
  readonly codeFile: number
}

/** Limits of all loaded commits together, and the time for one. */
export interface LoadLimits extends CommitLimits {
  readonly allFiles: number
  readonly allBytes: number
  readonly timeMs: number
}

/** Bytes of the main thread's heap for each file of a commit that is served, as measured. */
const heapOfFile = 450

/** The limits that the settings say. */
export function limitsFrom(settings: Settings): LoadLimits {
  return {
    tree: { ...usualLimits, files: settings.max_environment_files },
    bytes: settings.max_environment_bytes,
    codeFile: settings.max_code_file_bytes,
    allFiles: Math.min(settings.max_served_files, filesThatFit()),
    allBytes: settings.max_served_bytes,
    timeMs: settings.environment_load_timeout * 1000,
  }
}

/** Half of the heap is for everything else. */
function filesThatFit(): number {
  return Math.floor(getHeapStatistics().heap_size_limit / 2 / heapOfFile)
}

/** The limits of the table, for one commit that is opened by itself. */
export const usualLoadLimits: LoadLimits = {
  tree: usualLimits,
  bytes: budgets.push.bytes.bound,
  codeFile: budgets.push.codeFile.bound,
  allFiles: budgets.environment.files.bound,
  allBytes: budgets.environment.bytes.bound,
  timeMs: budgets.environment.loadTime.bound,
}
