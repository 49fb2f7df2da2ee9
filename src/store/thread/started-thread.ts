import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { builtScript } from '../../base/threads/built-script.ts'
import type { Database } from '../database/database.ts'
import type { WriterData, WriterThreadData } from './messages.ts'

/** The thread that writes to the store, and how it ends. */
export interface StartedThread {
  readonly worker: Worker
  /** Ends it between two statements: SQLite's driver brings the process down when it is stopped inside of one. */
  end(): Promise<void>
}

/** Longest wait for a thread that is told to end, in milliseconds: more than a transaction takes. */
const endingMs = 10_000

/** Starts the thread that writes. */
export function startThread(data: WriterData): StartedThread {
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  const worker = new Worker(builtScript(new URL('./writer-thread.js', import.meta.url)), {
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

/** In the thread: ends it when it is told so, once its database is closed. */
export function endWhenTold(ending: MessagePort, database: Database): void {
  ending.once('message', async () => {
    await database.close().catch(() => {})
    process.exit()
  })
  ending.unref()
}
