import { getHeapStatistics } from 'node:v8'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type TreeLimits, usualLimits } from '../../git/trees/tree-limits.ts'

/** Limits for the tree of one commit, which the hook and the loader both apply. */
export interface CommitLimits {
  readonly tree: TreeLimits
  /** Total bytes of the loaded files. */
  readonly bytes: number
  /** Largest size of a parsed file in bytes. */
  readonly codeFile: number
}

/** Limits for all loaded commits together, and the time limit of one load. */
export interface LoadLimits extends CommitLimits {
  readonly allFiles: number
  readonly allBytes: number
  readonly timeMs: number
}

/** Bytes of the main thread's heap for each file of a served commit (measured). */
const heapOfFile = 450

/** Returns the limits from the settings. */
export function getLoadLimits(settings: Settings): LoadLimits {
  return {
    tree: { ...usualLimits, files: settings.max_environment_files },
    bytes: settings.max_environment_bytes,
    codeFile: settings.max_code_file_bytes,
    allFiles: Math.min(settings.max_served_files, computeFileLimit()),
    allBytes: settings.max_served_bytes,
    timeMs: settings.environment_load_timeout * 1000,
  }
}

/** Returns the number of files that fit into half of the heap; the other half is for everything else. */
function computeFileLimit(): number {
  return Math.floor(getHeapStatistics().heap_size_limit / 2 / heapOfFile)
}

/** The default limits for a single commit. */
export const usualLoadLimits: LoadLimits = {
  tree: usualLimits,
  bytes: budgets.push.bytes.bound,
  codeFile: budgets.push.codeFile.bound,
  allFiles: budgets.environment.files.bound,
  allBytes: budgets.environment.bytes.bound,
  timeMs: budgets.environment.loadTime.bound,
}
