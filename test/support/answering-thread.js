// The script of a thread that a test of WorkerThread asks. With shared memory as its data, it sets the memory to 1 after a reply.
import { setTimeout as wait } from 'node:timers/promises'
import { threadId, workerData } from 'node:worker_threads'
import { answerQuestions } from '../../dist/base/threads/worker-thread.js'

answerQuestions(async ({ word, ms = 0 }) => {
  // Wall clock: an answer that takes its time.
  await wait(ms)
  if (workerData)
    setImmediate(() => {
      Atomics.store(workerData, 0, 1)
      Atomics.notify(workerData, 0)
    })
  if (word === 'fall') throw new Error('it fell')
  return `${word} ${threadId}`
})
