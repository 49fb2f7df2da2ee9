import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** A DNS server and an HTTP server of the test's own; the latter also on 127.0.0.2. */
export interface OutsideServers {
  /** `127.0.0.1:PORT` of the DNS server. */
  readonly dns: string
  /** The port of the HTTP server. */
  readonly port: number
  /** Sets all records, by `NAME TYPE`. */
  know(zone: Readonly<Record<string, unknown>>): Promise<void>
  /** How often each was asked: `NAME TYPE`, `GET /PATH`. */
  counts(): Promise<Readonly<Record<string, number>>>
  close(): Promise<void>
}

/** Starts the servers in a thread: they answer while this one stands still. */
export async function openOutsideServers(): Promise<OutsideServers> {
  const worker = new Worker(fileURLToPath(new URL('./outside-world-thread.js', import.meta.url)))
  const next = async () => (await once(worker, 'message'))[0]
  const { dns, port } = (await next()) as { dns: string; port: number }
  const ask = async (message: unknown) => {
    const answer = next()
    worker.postMessage(message)
    return answer
  }
  return {
    dns,
    port,
    async know(zone) {
      await ask(zone)
    },
    counts: async () => (await ask('counts')) as Readonly<Record<string, number>>,
    async close() {
      const ended = once(worker, 'exit')
      worker.postMessage('close')
      await ended
    },
  }
}
