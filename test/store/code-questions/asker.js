// A thread that asks a store through a bridge, and says what it was answered.
import { parentPort, workerData } from 'node:worker_threads'
import { createBlockingQuery } from '#built/store/code-questions/store-bridge.js'

const ask = createBlockingQuery(workerData.bridge)
for (const question of workerData.questions) {
  try {
    parentPort.postMessage(ask(question))
  } catch (error) {
    parentPort.postMessage({ code: error.diagnostic?.code ?? error.message })
  }
}
