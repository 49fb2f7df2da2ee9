import { parentPort } from 'node:worker_threads'
import { reportFromWire } from '../model/report.ts'
import type { ReadAnswer, ReadQuestion } from './report-reader.ts'

// The thread of a ReportReader: parses what would hold up everybody else.
parentPort!.on('message', ({ id, text }: ReadQuestion) => {
  parentPort!.postMessage(answer(id, text))
})

function answer(id: number, text: Uint8Array): ReadAnswer {
  try {
    return { id, report: reportFromWire(JSON.parse(new TextDecoder().decode(text))) }
  } catch (error) {
    return { id, error: (error as Error).message }
  }
}
