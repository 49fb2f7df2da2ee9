import { MessageChannel, type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { resolveScriptPath } from '../program/script-path.ts'
import { startThread } from '../program/script-thread.ts'
import { type PackedError, packError, unpackError } from './packed-error.ts'
import type { ThreadBridge } from './thread-bridge.ts'

/** Start data of the thread that handles the requests. */
interface Start<Data> {
  readonly data: Data
  readonly port: MessagePort
  /** Set to 1 after the thread has sent the bridge or its startup error. */
  readonly begun: SharedArrayBuffer
}

/** Result of the thread's start: a bridge, or an error. */
type Begun = { readonly bridge: ThreadBridge } | { readonly error: PackedError }

/**
 * Starts a thread that handles requests while the current thread blocks. The script must call
 * `offerBridge`. The thread does not keep the process alive. Throws the thread's startup error, or
 * `late()` if startup takes more than `timeMs` milliseconds.
 */
export function startBridgeThread<Data>(script: URL, data: Data, timeMs: number, late: () => Error): ThreadBridge {
  const { port1, port2 } = new MessageChannel()
  const begun = new SharedArrayBuffer(4)
  const worker = startThread(resolveScriptPath(script), {
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

/**
 * Opens the bridge on the new thread, sends it to the thread that started it, and waits for
 * requests.
 */
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
  // A bridge alone does not keep the thread alive.
  setInterval(() => {}, 0x7fffffff)
}
