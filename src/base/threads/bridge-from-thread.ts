import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads'
import { builtScript } from './built-script.ts'
import { type PackedError, packError, unpackError } from './packed-error.ts'
import type { ThreadBridge } from './thread-bridge.ts'

/** Data that the answering thread is started with. */
interface Start<Data> {
  readonly data: Data
  readonly port: MessagePort
  /** Becomes 1 when the thread has said how it began. */
  readonly begun: SharedArrayBuffer
}

/** The beginning of the thread: a way to ask, or why there is none. */
type Begun = { readonly bridge: ThreadBridge } | { readonly error: PackedError }

/**
 * Starts a thread that answers what this one asks while it stands still; its script calls `offerBridge`. It does not keep the
 * process. Throws what the thread threw, and `late()` where it says nothing in time.
 */
export function bridgeFromThread<Data>(script: URL, data: Data, timeMs: number, late: () => Error): ThreadBridge {
  const { port1, port2 } = new MessageChannel()
  const begun = new SharedArrayBuffer(4)
  const worker = new Worker(builtScript(script), {
    workerData: { data, port: port2, begun } satisfies Start<Data>,
    transferList: [port2],
  })
  worker.unref()
  if (Atomics.wait(new Int32Array(begun), 0, 0, timeMs) === 'timed-out') throw late()
  const said = receiveMessageOnPort(port1)?.message as Begun
  port1.close()
  if ('error' in said) throw unpackError(said.error)
  return said.bridge
}

/** The thread's side: opens what it answers from, and waits for questions. */
export async function offerBridge<Data>(open: (data: Data) => ThreadBridge | Promise<ThreadBridge>): Promise<void> {
  const { data, port, begun } = workerData as Start<Data>
  try {
    const bridge = await open(data)
    port.postMessage({ bridge } satisfies Begun, [bridge.port])
  } catch (error) {
    port.postMessage({ error: packError(error) } satisfies Begun)
  }
  Atomics.store(new Int32Array(begun), 0, 1)
  Atomics.notify(new Int32Array(begun), 0)
  // The bridge alone does not keep the thread.
  setInterval(() => {}, 0x7fffffff)
}
