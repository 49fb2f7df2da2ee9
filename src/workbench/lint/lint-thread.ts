import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import type { FileReport } from './file-report.ts'
import { createFileLinter } from './lint-file.ts'
import type { LintSettings } from './options/lint-settings.ts'

/** Startup data of a thread that checks files. */
export interface LintThreadData {
  readonly settings: LintSettings
  readonly now: Date
}

const { settings, now } = workerData as LintThreadData
const lintFile = createFileLinter(settings, now)

answerQuestions(async (paths: readonly string[]): Promise<FileReport[]> => {
  const reports: FileReport[] = []
  for (const path of paths) reports.push(await lintFile(path))
  return reports
})
