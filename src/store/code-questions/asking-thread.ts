import { workerData } from 'node:worker_threads'
import { packError } from '../../base/packed-error.ts'
import { storeToAsk } from '../from-settings.ts'
import type { AskingThreadData, Begun } from './ask-from-here.ts'
import { openStoreBridge } from './store-bridge.ts'

// Opens a store, and answers the questions of the thread that started this one.
const { settings, port, begun } = workerData as AskingThreadData

try {
  const store = await storeToAsk(settings, (message) => void process.stderr.write(`Warning: ${message}\n`))
  const bridge = openStoreBridge(store!)
  port.postMessage({ bridge } satisfies Begun, [bridge.port])
} catch (error) {
  port.postMessage({ error: packError(error) } satisfies Begun)
}
Atomics.store(new Int32Array(begun), 0, 1)
Atomics.notify(new Int32Array(begun), 0)
// The bridge alone does not keep the thread.
setInterval(() => {}, 0x7fffffff)
