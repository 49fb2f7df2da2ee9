import { budgets } from '../../base/budgets/budgets.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { mapOnThreads } from '../../base/threads/thread-map.ts'
import type { FormatThreadData } from './format-thread.ts'
import { createThreadFailure, type FormatResult, formatFile } from './manifest-formatting.ts'

/** Formats files in order, without writing. Many files are formatted on several threads. */
export function formatFiles(paths: readonly string[], width: number): AsyncGenerator<FormatResult> {
  return mapOnThreads(paths, {
    thread: {
      script: resolveScriptPath(new URL('./format-thread.js', import.meta.url)),
      stackSizeMb: 4,
      heapMb: 2048,
      timeMs: budgets.format.threadMs.bound,
      data: () => ({ workerData: { width } satisfies FormatThreadData, transferList: [] }),
    },
    map: (path) => formatFile(path, width),
    fail: createThreadFailure,
  })
}
