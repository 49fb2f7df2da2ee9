// The script of a thread that a test of AskedThread asks.
import { setTimeout as wait } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { answerQuestions } from '../../dist/base/threads/worker-thread.js'

answerQuestions(async ({ word, ms = 0 }) => {
  // Wall clock: an answer that takes its time.
  await wait(ms)
  if (word === 'fall') throw new Error('it fell')
  return `${word} ${threadId}`
})
