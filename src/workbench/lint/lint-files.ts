import { resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { mapOnThreads, type ThreadMapping } from '../../base/threads/thread-map.ts'
import type { FileReport } from './file-report.ts'
import { createFileLinter, toFileProblem } from './lint-file.ts'
import type { LintThreadData } from './lint-thread.ts'
import type { LintSettings } from './options/lint-settings.ts'
import type { FindSemanticProblems } from './semantic-finding.ts'

/** Checks files in order, and corrects them if `fix` is set. Many files are checked on several threads. */
export async function* lintFiles(
  files: readonly string[],
  settings: LintSettings,
  now: Date,
  findMore?: FindSemanticProblems,
): AsyncGenerator<FileReport> {
  const map = createFileLinter(settings, now, findMore)
  // A file is corrected once, also if its thread ends; and the index of semantic checks is on this thread.
  if (settings.fix || findMore) for (const path of files) yield await map(path)
  else yield* mapOnThreads(files, { thread: createThread({ settings, now }), map, fail: reportLostThread })
}

function createThread(workerData: LintThreadData): ThreadMapping<string, FileReport>['thread'] {
  return {
    script: resolveScriptPath(new URL('./lint-thread.js', import.meta.url)),
    stackSizeMb: 4,
    heapMb: 2048,
    timeMs: budgets.lint.threadMs.bound,
    data: () => ({ workerData, transferList: [] }),
  }
}

function reportLostThread(path: string, { message }: Error): FileReport {
  const problem = toFileProblem(`file not checked: ${message}`)
  return { path, fullPath: resolve(path), problems: [problem], lines: [], warnings: [] }
}
