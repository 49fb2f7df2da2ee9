import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { openStoreBridge, type QueryableStore } from '../../../src/store/code-questions/store-bridge.ts'
import { throwInvalidQuery } from '../../../src/store/query/issues.ts'

/** What a thread is answered. */
async function answered(store: QueryableStore, questions: readonly string[], timeMs?: number): Promise<unknown[]> {
  const bridge = openStoreBridge(store, timeMs)
  const script = fileURLToPath(new URL('./asker.js', import.meta.url))
  const worker = new Worker(script, { workerData: { bridge, questions }, transferList: [bridge.port] })
  const said: unknown[] = []
  worker.on('message', (message) => said.push(message))
  await once(worker, 'exit')
  return said
}

/** A store whose answers are made of pieces; `ended` tells of each whose reader went away. */
function storeOf(pieces: (question: string) => AsyncIterable<string>): QueryableStore {
  return { ask: async ({ body = '' }) => ({ status: 200, total: undefined, pieces: pieces(body) }) }
}

it('answers in pieces, whatever their number and their length', async () => {
  const store = storeOf(async function* (question) {
    for (let at = 0; at < 1000; at++) yield question
  })
  const questions = ['a', 'ä'.repeat(5000), '']
  expect(await answered(store, questions)).toEqual(questions.map((question) => question.repeat(1000)))
})

it('says what PuppetDB says of a query that it refuses, and throws all else', async () => {
  const ask: QueryableStore['ask'] = async ({ body }) =>
    body === 'bad' ? throwInvalidQuery('PQL parse error') : Promise.reject(new Error('lost'))
  expect(await answered({ ask }, ['bad', 'other', 'bad'])).toEqual([
    'PQL parse error',
    { code: 'lost' },
    'PQL parse error',
  ])
})

it('reads no more of an answer than a catalog may have', async () => {
  let given = 0
  let ended = false
  const store = storeOf(async function* () {
    try {
      for (;;) {
        given += 1024 * 1024
        yield 'x'.repeat(1024 * 1024)
      }
    } finally {
      ended = true
    }
  })
  expect(await answered(store, ['all'])).toEqual([{ code: 'STORE_ANSWER_TOO_LONG' }])
  expect(given).toBeLessThan(budgets.environment.storeAnswer.bound + 4 * 1024 * 1024)
  expect(ended).toBe(true)
})

it('waits no longer than is allowed: for the first piece, nor for the next', async () => {
  const never = () => new Promise<never>(() => {})
  const store = storeOf(async function* (question) {
    if (question === 'later') yield 'x'.repeat(600 * 1024)
    await never()
    yield ''
  })
  const ask: QueryableStore['ask'] = (question) => (question.body === 'not at all' ? never() : store.ask(question))
  const late = { code: 'STORE_TOO_SLOW' }
  expect(await answered({ ask }, ['now', 'later', 'not at all'], 200)).toEqual([late, late, late])
})
