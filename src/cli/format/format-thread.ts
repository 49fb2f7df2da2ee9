import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { type FormatResult, formatFile } from './manifest-formatting.ts'

/** Startup data of a thread that formats manifests, without writing. */
export interface FormatThreadData {
  readonly width: number
}

const { width } = workerData as FormatThreadData

answerQuestions(async (paths: readonly string[]): Promise<FormatResult[]> => {
  const results: FormatResult[] = []
  for (const path of paths) results.push(omitUnchangedText(await formatFile(path, width)))
  return results
})

/** Messages between threads copy texts. */
function omitUnchangedText(result: FormatResult): FormatResult {
  return result.status === 'unchanged' ? { ...result, before: '', after: '' } : result
}
