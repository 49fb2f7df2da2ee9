import { Worker } from 'node:worker_threads'
import { builtScript } from '../base/built-script.ts'
import { type ReceivedReport, reportFromWire } from '../model/report.ts'

/** What the thread is asked. */
export interface ReadQuestion {
  readonly id: number
  readonly text: Uint8Array
}

/** What it answers. */
export type ReadAnswer =
  | { readonly id: number; readonly report: Omit<ReceivedReport, 'text'> }
  | { readonly id: number; readonly error: string }

interface Reader {
  resolve(report: Omit<ReceivedReport, 'text'>): void
  reject(error: Error): void
}

/** Reports up to this size, in bytes, are parsed in a few milliseconds. */
const small = 256 * 1024

/** Reads reports as agents send them; large ones on a thread of its own, so that others are answered meanwhile. */
export class ReportReader {
  readonly #waiting = new Map<number, Reader>()
  #worker: Worker | undefined
  #asked = 0

  /** Throws what is wrong with it. */
  async read(text: Uint8Array): Promise<ReceivedReport> {
    const report =
      text.length <= small ? reportFromWire(JSON.parse(new TextDecoder().decode(text))) : await this.#ask(text)
    return { ...report, text }
  }

  /** Ends the thread; whoever still waits is told so. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #ask(text: Uint8Array): Promise<Omit<ReceivedReport, 'text'>> {
    const id = ++this.#asked
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, text } satisfies ReadQuestion)
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #start(): Worker {
    const worker = new Worker(builtScript(new URL('./report-thread.js', import.meta.url)))
    worker.on('message', (answer: ReadAnswer) => {
      const reader = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('report' in answer) reader?.resolve(answer.report)
      else reader?.reject(new Error(answer.error))
    })
    worker.on('error', (error) => this.#lost(worker, error))
    worker.on('exit', () => this.#lost(worker, new Error('the thread that reads reports has ended')))
    worker.unref()
    return worker
  }

  /** Whoever waits is told; the next report gets a new thread. */
  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
