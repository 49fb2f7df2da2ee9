import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { startThread } from '../../base/program/script-thread.ts'
import type { Database } from '../database/database.ts'
import type { WriterData, WriterThreadData } from './messages.ts'

/** The writer thread, and the function that ends it. */
export interface WriterThread {
  readonly worker: Worker
  /**
   * Ends the thread between two statements: if the thread were stopped during a statement, the
   * SQLite driver would crash the process.
   */
  end(): Promise<void>
}

/** Maximum time in milliseconds to wait for a thread to end; a transaction takes less. */
const endingMs = 10_000

/** Starts the writer thread. */
export function startWriterThread(data: WriterData): WriterThread {
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  const worker = startThread(resolveScriptPath(new URL('./writer-thread.js', import.meta.url)), {
    workerData: { ...data, ending: port2 } satisfies WriterThreadData,
    transferList: [port2],
  })
  const ended = new Promise<void>((done) => void worker.once('exit', () => done()))
  return {
    worker,
    async end() {
      port1.postMessage('end')
      await Promise.race([ended, delay(endingMs, undefined, { ref: false })])
      await worker.terminate()
      port1.close()
    },
  }
}

/** Runs in the thread: on request, closes the database and exits. */
export function endOnRequest(ending: MessagePort, database: Database): void {
  ending.once('message', async () => {
    await database.close().catch(() => {})
    process.exit()
  })
  ending.unref()
}
