import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { WorkerThread, type WorkerThreadOptions } from '../../../src/base/threads/worker-thread.ts'

interface Question {
  readonly word: string
  readonly ms?: number
}

const threads: WorkerThread<Question, string>[] = []
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close()
})

function start(options: Partial<WorkerThreadOptions> = {}): WorkerThread<Question, string> {
  const script = join(import.meta.dirname, '../../support/answering-thread.js')
  const thread = new WorkerThread<Question, string>({ script, stackSizeMb: 4, heapMb: 64, timeMs: 60_000, ...options })
  threads.push(thread)
  return thread
}

/** The number of the thread that answered. */
const threadOf = (answer: string) => answer.split(' ')[1]

it('answers one question after the other, by one thread', async () => {
  const thread = start()
  const words = ['a', 'b', 'c']
  const answers = await Promise.all(words.map((word, index) => thread.ask({ word, ms: 30 - index * 10 })))
  expect(answers.map((each) => each.split(' ')[0])).toEqual(words)
  expect(new Set(answers.map(threadOf)).size).toBe(1)
})

it('gives up a thread that takes too long, or falls, and asks another', async () => {
  const slow = start({ timeMs: 10_000 })
  const late = slow.ask({ word: 'late', ms: 200_000 })
  const next = slow.ask({ word: 'next' })
  await expect(late).rejects.toMatchObject({ reason: 'time', message: 'took longer than 10 seconds' })
  expect(await next).toMatch(/^next /)
  const falling = start()
  const [first, fallen, last] = ['first', 'fall', 'last'].map((word) => falling.ask({ word }))
  await expect(fallen).rejects.toMatchObject({ reason: 'ended', message: 'it fell' })
  expect(threadOf(await last!)).not.toBe(threadOf(await first!))
})

it('fails a question that does not reach a thread, and asks the next', async () => {
  const thread = start()
  const uncopied = thread.ask({ word: (() => {}) as unknown as string })
  const next = thread.ask({ word: 'next' })
  await expect(uncopied).rejects.toMatchObject({ reason: 'ended', message: expect.stringContaining('be cloned') })
  expect(await next).toMatch(/^next /)
  let starts = 0
  const data = () => {
    if (starts++ === 0) throw new Error('no thread left')
    return { workerData: undefined, transferList: [] }
  }
  const unstarted = start({ data })
  await expect(unstarted.ask({ word: 'first' })).rejects.toMatchObject({ reason: 'ended', message: 'no thread left' })
  expect(await unstarted.ask({ word: 'second' })).toMatch(/^second /)
})

it('ends a thread that nobody asks for a while', async () => {
  const thread = start({ idleMs: 50 })
  const first = await thread.ask({ word: 'first' })
  // A question less than 50 ms after the last one finds the same thread.
  const second = async () => threadOf(await thread.ask({ word: 'second' }))
  await expect.poll(second, { interval: 500 }).not.toBe(threadOf(first))
})

it('tells who waits when it is closed', async () => {
  const thread = start()
  const asked = [thread.ask({ word: 'a', ms: 60_000 }), thread.ask({ word: 'b' })]
  const told = Promise.allSettled(asked)
  await thread.close()
  for (const each of await told) expect(each).toMatchObject({ status: 'rejected', reason: { reason: 'closed' } })
})

it('fails the active request when it is closed, although the reply has been sent', async () => {
  const replied = new Int32Array(new SharedArrayBuffer(4))
  const thread = start({ data: () => ({ workerData: replied, transferList: [] }) })
  await thread.ask({ word: 'first' })
  await expect.poll(() => replied[0]).toBe(1)
  replied[0] = 0
  const asked = thread.ask({ word: 'second' })
  // This thread cannot receive the reply while it waits here.
  expect(Atomics.wait(replied, 0, 0, 60_000)).not.toBe('timed-out')
  const closed = thread.close()
  await expect(asked).rejects.toMatchObject({ reason: 'closed' })
  await closed
})
